/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receiver-view.h"

#include <algorithm>

namespace ns3::study
{

bool
ReceiverView::EarnsAck() const
{
    if (ackThreshold == 0 && ackFrequency == 0)
    {
        return true;
    }
    const bool bySize = ackThreshold > 0 && unacknowledged > ackThreshold * offered;
    const bool byNumber =
        ackFrequency > 0 && unacknowledged > uint64_t{ackFrequency - 1} * fullSegment;
    return bySize || byNumber;
}

bool
ReceiverView::EarnsUpdate() const
{
    const uint32_t opening = GetOpening();
    switch (windowUpdates)
    {
    case WindowUpdates::RFC1122:
        return opening >= GetLeastOpening();
    case WindowUpdates::BSD:
        // Whole numbers, as BSD counts. 35 % of a buffer of one byte is no opening.
        return opening >= 2 * mss || (opening > 0 && 100 * uint64_t{opening} / buffer >= 35);
    case WindowUpdates::FROM_ZERO:
        return opening > 0 && offered <= unacknowledged;
    case WindowUpdates::EVERY_OPENING:
        break;
    }
    return opening > 0;
}

bool
ReceiverView::UpdateGoesFirst() const
{
    return windowUpdates == WindowUpdates::BSD;
}

uint32_t
ReceiverView::GetWindow() const
{
    return offered - std::min(offered, unacknowledged) + GetOpening();
}

uint32_t
ReceiverView::GetOpening() const
{
    const uint32_t left = offered - std::min(offered, unacknowledged);
    const uint32_t opening = room - std::min(room, left);
    const bool small = sillyWindowAvoidance && opening < GetLeastOpening();
    return small ? 0 : opening; // too little to speak of: the edge stays
}

uint32_t
ReceiverView::GetLeastOpening() const
{
    return std::max(1U, std::min(mss, buffer / 2));
}

} // namespace ns3::study
