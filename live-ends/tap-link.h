/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TAP_LINK_H
#define TAP_LINK_H

#include "model/ethernet/link.h"
#include "model/program/parameter-set.h"

#include "ns3/net-device.h"
#include "ns3/node.h"

namespace ns3::study
{

/**
 * @brief Put a simulated end behind a link whose other end is a TAP.
 *
 * On an Ethernet the TAP is bridged to the line. On a path it is an interface, 10.0.9.254, of the
 * host's node, which forwards.
 *
 * @param parameters of the link
 * @param tap what brings and takes frames
 * @param end the node of the device or server
 */
Ptr<Link> JoinTap(const ParameterSet& parameters, Ptr<NetDevice> tap, Ptr<Node> end);

} // namespace ns3::study

#endif /* TAP_LINK_H */
