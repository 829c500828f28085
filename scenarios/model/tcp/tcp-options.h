/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_OPTIONS_H
#define TCP_OPTIONS_H

#include "model/connection/connection-settings.h"

#include "ns3/attribute.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3::study
{

/// What an Ethernet's 1500 octets leave beside 40 of headers [B].
constexpr uint32_t ETHERNET_MSS = 1460;
/// The largest shift, and what a window can be with it (RFC 7323, 2.3) [B].
constexpr uint32_t LARGEST_SHIFT = 14;
constexpr uint32_t LARGEST_WINDOW = tcp::LARGEST_UNSCALED << LARGEST_SHIFT;

/// @return the window that a host with such an SO_RCVBUF begins with [B]
constexpr uint32_t
GetFirstOf(uint32_t receiveBuffer)
{
    constexpr uint32_t least = 1152; // Linux takes no less
    return std::max(receiveBuffer, least);
}

/// @return what it grows to, a segment too much: of the memory, which is twice SO_RCVBUF, 160/256
/// are data in packets of 1500 B, and half before any has come [B]
constexpr uint32_t
GetLargestOf(uint32_t receiveBuffer)
{
    return GetFirstOf(receiveBuffer) + GetFirstOf(receiveBuffer) / 4;
}

/// The window scale option of an end: a shift from 0 to LARGEST_SHIFT, or one of these.
enum WindowScale : uint8_t
{
    NO_SCALE = LARGEST_SHIFT + 1, //!< the end does not offer the option
    AUTO_SCALE                    //!< the least shift that its window needs, as Linux chooses it
};

/// @return a checker of attributes that hold a WindowScale: none, auto, or the shift
Ptr<const AttributeChecker> MakeWindowScaleChecker();

/// @return the shift that an end with a window of so many bytes offers, if it offers one
std::optional<uint8_t> GetShift(WindowScale scale, uint32_t window);

} // namespace ns3::study

#endif /* TCP_OPTIONS_H */
