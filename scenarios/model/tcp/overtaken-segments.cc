/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What SendScoreboard believes by time (RFC 8985): what left before something that has come is
 * lost.
 */

#include "send-scoreboard.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

void
SendScoreboard::SetShortestRtt(Time shortest)
{
    m_shortestRtt = shortest;
}

void
SendScoreboard::NoteArrival(const Segment& segment)
{
    const Time rtt = Simulator::Now() - segment.sent;
    if (segment.sacked || (segment.everResent && rtt < m_shortestRtt))
    {
        return; // it was noted, or it may have been the first of them that came
    }
    if (segment.sent > m_newestSent ||
        (segment.sent == m_newestSent && segment.End() > m_newestEnd))
    {
        m_newestSent = segment.sent;
        m_newestEnd = segment.End();
        m_newestRtt = rtt;
    }
}

bool
SendScoreboard::IsOvertaken(const Segment& segment) const
{
    return segment.sent < m_newestSent ||
           (segment.sent == m_newestSent && segment.End() < m_newestEnd);
}

Time
SendScoreboard::MarkOvertaken(Time reordering)
{
    const Time latest = Simulator::Now() - m_newestRtt - reordering; // that what is lost was sent
    // What was sent once: its order is that of the times.
    std::size_t place = std::max(m_examined, m_gone) - m_gone;
    for (; place < m_segments.size(); ++place)
    {
        const Segment& segment = m_segments[place];
        if (!segment.sacked && !segment.lost)
        {
            if (!IsOvertaken(segment) || segment.sent > latest)
            {
                break;
            }
            Mark(place);
        }
    }
    m_examined = m_gone + place;
    // What was sent again, in the order of the times as well.
    for (; !m_again.empty(); m_again.pop_front())
    {
        const std::size_t resent = Find(m_again.front().first);
        const bool listed =
            resent < m_segments.size() && m_segments[resent].begin == m_again.front().first;
        if (listed && m_segments[resent].resent)
        {
            Segment& segment = m_segments[resent];
            if (!IsOvertaken(segment) || segment.sent > latest)
            {
                break;
            }
            segment.resent = false;
            m_resent -= segment.size;
            m_firstLost = std::min<uint64_t>(m_firstLost, m_gone + resent);
        }
    }
    // The last one that may still come: behind it are only those that have.
    for (std::size_t i = Find(m_newestEnd); i > place; --i)
    {
        const Segment& segment = m_segments[i - 1];
        if (!segment.sacked && IsOvertaken(segment))
        {
            return segment.sent - latest;
        }
    }
    return Time(0);
}

const SendScoreboard::Segment&
SendScoreboard::MarkTail()
{
    Mark(m_segments.size() - 1);
    return m_segments.back();
}

} // namespace ns3::study
