/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What SentSegments believes by time (RFC 8985, RACK): what left before something that has come is
 * lost.
 */

#include "sent-segments.h"

#include <utility>

namespace ns3::study
{

void
SentSegments::NoteArrival(const Segment& segment, Nanos now)
{
    const Nanos rtt = now - segment.sent;
    if (segment.sacked || (!segment.sentOnce && rtt < m_shortestRtt))
    {
        return; // it was noted, or it may have been the first of them that came
    }
    if (std::pair(segment.sent, segment.End()) > std::pair(m_newestSent, m_newestEnd))
    {
        m_newestSent = segment.sent;
        m_newestEnd = segment.End();
        m_newestRtt = rtt;
    }
}

bool
SentSegments::IsOvertaken(const Segment& segment) const
{
    return std::pair(segment.sent, segment.End()) < std::pair(m_newestSent, m_newestEnd);
}

Nanos
SentSegments::MarkOvertaken(Nanos now, Nanos reordering)
{
    const Nanos latest = now - m_newestRtt - reordering; // that what is lost was sent
    const auto mayStillCome = [this, latest](const Segment& segment) {
        return !IsOvertaken(segment) || segment.sent > latest;
    };
    // What was sent once: its order is that of the times.
    for (; m_examined < m_segments.size(); ++m_examined)
    {
        const Segment& segment = m_segments[m_examined];
        if (!segment.sacked && !segment.lost)
        {
            if (mayStillCome(segment))
            {
                break;
            }
            Mark(m_examined);
        }
    }
    // What was sent again, in the order of the times as well.
    for (; !m_again.empty(); m_again.pop_front())
    {
        if (Segment* segment = FindAgain(m_again.front()))
        {
            if (mayStillCome(*segment))
            {
                break;
            }
            MarkResent(*segment);
        }
    }
    // The last one that may still come: behind it are only those that have.
    for (std::size_t i = Find(m_newestEnd); i > m_examined; --i)
    {
        const Segment& segment = m_segments[i - 1];
        if (!segment.sacked && IsOvertaken(segment))
        {
            return segment.sent - latest;
        }
    }
    return 0ns;
}

} // namespace ns3::study
