/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERFACE_SETUP_H
#define INTERFACE_SETUP_H

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <optional>

namespace ns3::study
{

/**
 * @brief Join nodes by a shared Ethernet without random backoff.
 *
 * A station that finds the line busy waits for the next gap between two frames, in two events a
 * frame. ns-3's CSMA leaves the preamble out. An interface has room for more frames than any
 * window.
 *
 * @param nodes the stations
 * @param rate of the line
 * @param delay propagation, one way
 * @return their interfaces, in the order of the nodes; no network protocol knows of them yet
 */
NetDeviceContainer InstallCsmaSegment(const NodeContainer& nodes, DataRate rate, Time delay);

/// Give nodes IPv4, with static routes, and TCP. Who wants UDP adds ns-3's UdpL4Protocol.
void InstallIpv4(const NodeContainer& nodes);

/// Give an interface an IPv4 address in a network of 255 others, and no queue discipline.
/// @param router where everything else is sent to, if it leads there
void AssignIpv4Address(Ptr<NetDevice> interface,
                       Ipv4Address address,
                       std::optional<Ipv4Address> router = std::nullopt);

/// Let two interfaces on one line know each other's hardware address without ARP: a request for it
/// would delay the first packet. Each has its IPv4 address.
void IntroduceNeighbors(Ptr<NetDevice> one, Ptr<NetDevice> other);

/// Lose a fraction of the frames that arrive at an interface, by its attribute ReceiveErrorModel;
/// with 0 no random number is ever drawn.
void LoseFrames(Ptr<NetDevice> interface, double share);

/// Fix the streams of the random numbers that interfaces draw: losses. The next one of each is for
/// its backoff, which draws what makes no difference.
/// @return how many there are, whether or not the interfaces draw any
int64_t AssignInterfaceStreams(const NetDeviceContainer& interfaces, int64_t stream);

} // namespace ns3::study

#endif /* INTERFACE_SETUP_H */
