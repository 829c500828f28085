/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSMA_SEGMENT_H
#define CSMA_SEGMENT_H

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * @brief Join nodes by a shared Ethernet without random backoff.
 *
 * A station that finds the line busy waits for the next gap between two frames. ns-3's CSMA leaves
 * the preamble out. An interface has room for more frames than any window.
 *
 * @param nodes the stations
 * @param rate of the line
 * @param delay propagation, one way
 * @return their interfaces, in the order of the nodes; no network protocol knows of them yet
 */
NetDeviceContainer InstallCsmaSegment(const NodeContainer& nodes, DataRate rate, Time delay);

} // namespace ns3

#endif /* CSMA_SEGMENT_H */
