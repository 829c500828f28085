/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERFACE_TAP_H
#define INTERFACE_TAP_H

#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <functional>

namespace ns3::study
{

/**
 * @brief Sees every frame of an Ethernet interface as a sniffer on its own machine does.
 *
 * A frame sent is seen when it is handed to the interface, not when its first bit is on the line;
 * one received, when it has arrived. The traces this study reproduces were stamped this way: two
 * frames 7 us apart that take 1.2 ms each to send.
 */
class InterfaceTap : public SimpleRefCount<InterfaceTap>
{
  public:
    /// What a frame did at the interface.
    enum class Direction
    {
        SENT,
        RECEIVED
    };

    /// Called with each frame, Ethernet header and trailer included.
    using Observer = std::function<void(Direction, Ptr<const Packet>)>;

    /// Show an observer the frames of a device that has the trace sources MacTx and MacRx.
    InterfaceTap(Ptr<NetDevice> device, Observer observer);
};

} // namespace ns3::study

#endif /* INTERFACE_TAP_H */
