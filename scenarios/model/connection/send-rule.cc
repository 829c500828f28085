/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-rule.h"

#include <algorithm>

namespace ns3::study
{

uint32_t
SendRule::GetSize() const
{
    const uint32_t usable = GetUsableWindow();
    uint32_t room = std::min(usable, GetCongestionRoom());
    if (room == 0)
    {
        return 0;
    }
    if (room < segment && MayFillSmallWindow())
    {
        room = segment;
    }
    const bool silly = room < segment && unsent > room;
    const bool waits = nagle && unsent < segment;
    return silly || waits ? 0 : std::min(std::min(unsent, segment), std::min(room, usable));
}

bool
SendRule::MayFillSmallWindow() const
{
    if (retransmissionDue)
    {
        // It was within the window when it was sent first.
        return inFlight == 0 || GetCongestionRoom() >= segment;
    }
    const uint32_t usable = GetUsableWindow();
    if (usable == 0 || GetCongestionRoom() < usable)
    {
        return false;
    }
    if (rule == SmallWindowRule::NONE || overriding)
    {
        return true;
    }
    const bool nagleWaits = nagle && outstanding > 0; // RFC 1122, 4.2.3.4: (2) and (3)
    if (nagleWaits || rule == SmallWindowRule::WHOLE_SEGMENT)
    {
        return false;
    }
    return 2 * usable >= largestWindow || (rule == SmallWindowRule::BURST && inBurst);
}

Wait
SendRule::FindWait() const
{
    if (unsent == 0)
    {
        return bufferFull ? Wait::SEND_BUFFER : Wait::APPLICATION;
    }
    const uint32_t next = std::min(unsent, segment);
    const uint32_t usable = GetUsableWindow();
    const uint32_t congestionRoom = GetCongestionRoom();
    if (usable < next && usable <= congestionRoom && !MayFillSmallWindow())
    {
        // Would the largest window the peer has announced have room? Then its buffer is not empty.
        const uint32_t fullRoom = largestWindow - std::min(largestWindow, outstanding);
        const bool drains = fullRoom >= std::min(next, (largestWindow + 1) / 2);
        return drains ? Wait::DRAIN : Wait::RECEIVE_WINDOW;
    }
    if (congestionRoom < next)
    {
        return Wait::CONGESTION_WINDOW;
    }
    return nagle && outstanding > 0 && unsent < segment ? Wait::NAGLE : Wait::CPU;
}

uint32_t
SendRule::GetUsableWindow() const
{
    return window - std::min(window, outstanding);
}

uint32_t
SendRule::GetCongestionRoom() const
{
    return congestionWindow - std::min(congestionWindow, inFlight);
}

} // namespace ns3::study
