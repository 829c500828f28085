/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sender-view.h"

#include <algorithm>
#include <sstream>

namespace ns3::study
{

bool
SenderView::MayFillSmallWindow() const
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
    if (rule == SillyWindowAvoidance::NONE || overriding)
    {
        return true;
    }
    const bool nagleWaits = nagle && outstanding > 0; // RFC 1122, 4.2.3.4: (2) and (3)
    if (nagleWaits || rule == SillyWindowAvoidance::WHOLE_SEGMENT)
    {
        return false;
    }
    return 2 * usable >= largestWindow || (rule == SillyWindowAvoidance::BURST && inBurst);
}

Limit
SenderView::FindLimit() const
{
    if (building)
    {
        return Limit::CPU;
    }
    if (unsent == 0)
    {
        return bufferFull ? Limit::SEND_BUFFER : Limit::APPLICATION;
    }
    const uint32_t next = std::min(unsent, segment);
    const uint32_t usable = GetUsableWindow();
    const uint32_t congestionRoom = GetCongestionRoom();
    if (usable < next && usable <= congestionRoom && !MayFillSmallWindow())
    {
        // Would the largest window the peer has offered have room? Then its buffer is not empty.
        const uint32_t fullRoom = largestWindow - std::min(largestWindow, outstanding);
        const bool drains = fullRoom >= std::min(next, (largestWindow + 1) / 2);
        return drains ? Limit::DRAIN : Limit::RECEIVE_WINDOW;
    }
    if (congestionRoom < next)
    {
        return Limit::CONGESTION_WINDOW;
    }
    if (nagle && outstanding > 0 && unsent < segment)
    {
        return Limit::NAGLE;
    }
    return Limit::CPU; // nothing holds it: the segment is on its way
}

std::string
SenderView::DescribeWait() const
{
    std::ostringstream text;
    if (outstanding > 0)
    {
        text << outstanding << " B are outstanding and nothing acknowledges them";
    }
    else if (unsent > 0 && window == 0)
    {
        text << unsent << " B wait and the peer's window stays closed";
    }
    else if (unsent > 0)
    {
        text << unsent << " B wait, the peer's window is " << window << " B, the MSS " << segment
             << " B, and the sender does not use a window that small";
    }
    else
    {
        text << "all that was written is acknowledged and the peer's application is silent";
    }
    return text.str();
}

uint32_t
SenderView::GetUsableWindow() const
{
    return window - std::min(window, outstanding);
}

uint32_t
SenderView::GetCongestionRoom() const
{
    return congestionWindow - std::min(congestionWindow, inFlight);
}

} // namespace ns3::study
