/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERFACE_SETUP_H
#define INTERFACE_SETUP_H

#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"

namespace ns3
{

/**
 * @brief Give nodes IPv4 and what runs on it.
 * @param nodes the nodes
 */
void InstallIpv4(const NodeContainer& nodes);

/**
 * @brief Give an interface an IPv4 address in a network of 255 others, and no queue discipline.
 * @param interface an interface of a node that has IPv4
 * @param address the address
 * @return the interface's number in its node's IPv4
 */
uint32_t AssignIpv4Address(Ptr<NetDevice> interface, Ipv4Address address);

/**
 * @brief Lose a share of the frames that arrive at an interface.
 * @param interface an interface with an attribute ReceiveErrorModel
 * @param share the share; with 0 no random number is ever drawn
 */
void LoseFrames(Ptr<NetDevice> interface, double share);

/**
 * @brief Fix the streams of the random numbers that an interface draws: losses, and backoff.
 * @param interface an interface with an attribute ReceiveErrorModel
 * @param stream the first stream
 * @return how many there are, whether or not the interface draws any
 */
int64_t AssignInterfaceStreams(Ptr<NetDevice> interface, int64_t stream);

} // namespace ns3

#endif /* INTERFACE_SETUP_H */
