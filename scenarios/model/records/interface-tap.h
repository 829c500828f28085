/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERFACE_TAP_H
#define INTERFACE_TAP_H

#include "ns3/net-device.h"
#include "ns3/packet.h"

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

/// What a frame does at an interface.
enum class FrameDirection
{
    SENT,
    RECEIVED
};

/// Called with each frame, its header and trailer included.
using FrameObserver = std::function<void(FrameDirection, Ptr<const Packet>)>;

/**
 * @brief Show an observer every frame of an interface as a sniffer on its own machine sees it.
 *
 * A frame sent is seen when it is handed to the interface, not when its first bit is on the line;
 * one received, when it has arrived. The traces this study reproduces were stamped this way: two
 * frames 7 us apart that take 1.2 ms each to send.
 *
 * @param interface has the trace sources MacTx and MacRx
 * @param observer is shown them
 */
void TapInterface(Ptr<NetDevice> interface, const FrameObserver& observer);

} // namespace ns3::study

#endif /* INTERFACE_TAP_H */
