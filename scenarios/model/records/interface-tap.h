/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERFACE_TAP_H
#define INTERFACE_TAP_H

#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>

namespace ns3::study
{

/// What a frame begins with, by the number that libpcap has for it.
enum class Framing : uint32_t
{
    ETHERNET = 1,     //!< Ethernet's header, and its check sequence at the end
    PPP = 9,          //!< PPP's protocol field (RFC 1661), without address and control
    FRAME_RELAY = 107 //!< Q.922's address field
};

/// @return what the frames of a host's interface begin with
Framing GetFraming(Ptr<const NetDevice> interface);

/**
 * @brief Sees every frame of an interface as a sniffer on its own machine does.
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

    /// Called with each frame, its header and trailer included.
    using Observer = std::function<void(Direction, Ptr<const Packet>)>;

    /// Show an observer the frames of a device that has the trace sources MacTx and MacRx.
    InterfaceTap(Ptr<NetDevice> device, Observer observer);
};

} // namespace ns3::study

#endif /* INTERFACE_TAP_H */
