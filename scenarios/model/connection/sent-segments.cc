/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sent-segments.h"

#include <algorithm>
#include <iterator>

namespace ns3::study
{

void
SentSegments::Add(uint64_t begin, uint32_t size, Nanos now)
{
    m_segments.push_back({.begin = begin, .size = size, .sent = now});
    m_total += size;
}

SentSegments::Acknowledged
SentSegments::AcknowledgeUpTo(uint64_t ack, Nanos now)
{
    Acknowledged result;
    while (!m_segments.empty() && m_segments.front().begin < ack)
    {
        Segment& head = m_segments.front();
        Segment part = head;
        part.size = static_cast<uint32_t>(std::min(ack, head.End()) - head.begin);
        Discount(part);
        result.news += part.sacked ? 0 : part.size;
        if (part.size < head.size)
        {
            head.begin = ack;
            head.size -= part.size;
            break;
        }
        if (!head.sacked) // or else the time includes what came before it
        {
            result.lastRtt = head.timed ? now - head.sent : 0ns;
            result.lastAgain = !head.sentOnce;
        }
        m_sackedSegments -= head.sacked;
        NoteArrival(head, now);
        m_segments.pop_front();
        m_firstLost -= m_firstLost > 0;
        m_examined -= m_examined > 0;
    }
    while (!m_ranges.empty() && m_ranges.begin()->first < ack)
    {
        const uint64_t end = m_ranges.begin()->second;
        m_ranges.erase(m_ranges.begin());
        if (end > ack)
        {
            m_ranges[ack] = end;
        }
    }
    while (!m_again.empty() && m_again.front().first < ack)
    {
        m_again.pop_front();
    }
    m_left = std::min(m_left, m_total);
    return result;
}

void
SentSegments::Discount(const Segment& segment)
{
    m_total -= segment.size;
    m_sacked -= segment.sacked ? segment.size : 0;
    m_lost -= segment.lost ? segment.size : 0;
    m_resent -= segment.resent ? segment.size : 0;
}

uint32_t
SentSegments::Sack(std::span<const Block> blocks, Nanos now)
{
    uint32_t news = 0;
    if (m_segments.empty())
    {
        return news;
    }
    for (auto [begin, end] : blocks)
    {
        begin = std::max(begin, m_segments.front().begin); // below is what it had twice (RFC 2883)
        end = std::min(end, m_segments.back().End());
        if (begin >= end)
        {
            continue;
        }
        // The ranges that it meets grow together; what is between them is news.
        auto range = m_ranges.upper_bound(begin);
        if (range != m_ranges.begin() && std::prev(range)->second >= begin)
        {
            --range;
        }
        uint64_t from = begin;
        while (range != m_ranges.end() && range->first <= end)
        {
            news += Deliver(from, range->first, now);
            from = std::max(from, range->second);
            begin = std::min(begin, range->first);
            range = m_ranges.erase(range);
        }
        news += Deliver(from, end, now);
        m_ranges[begin] = std::max(from, end);
    }
    return news;
}

uint32_t
SentSegments::Deliver(uint64_t begin, uint64_t end, Nanos now)
{
    uint32_t news = 0;
    for (std::size_t i = Find(begin); i < m_segments.size() && m_segments[i].End() <= end; ++i)
    {
        Segment& segment = m_segments[i];
        if (segment.sacked)
        {
            continue;
        }
        Discount(segment);
        NoteArrival(segment, now);
        segment.sacked = true;
        ++m_sackedSegments;
        segment.lost = segment.resent = false;
        m_total += segment.size;
        m_sacked += segment.size;
        news += segment.size;
    }
    return news;
}

void
SentSegments::MarkHoles(uint32_t threshold, uint32_t mss)
{
    // The highest number that so many ranges, or more than so many octets, lie above of.
    const uint64_t enough = uint64_t{threshold - 1} * mss;
    uint32_t ranges = 0;
    uint64_t octets = 0;
    for (auto range = m_ranges.rbegin(); range != m_ranges.rend(); ++range)
    {
        const uint64_t size = range->second - range->first;
        ++ranges;
        octets += size;
        if (ranges >= threshold || octets > enough)
        {
            MarkBefore(Find(range->first));
            // A range may have grown over what was sent again: it counts as far as it lies above.
            const uint64_t over = octets > enough ? std::min(size, octets - enough - 1) : 0;
            MarkResent(range->first + over);
            return;
        }
    }
}

SentSegments::Segment*
SentSegments::FindAgain(const std::pair<uint64_t, uint64_t>& again)
{
    // What has come meanwhile is still listed: what stands in its place is another segment.
    const std::size_t place = Find(again.first);
    const bool listed = place < m_segments.size() && m_segments[place].begin == again.first;
    return listed && m_segments[place].resent ? &m_segments[place] : nullptr;
}

void
SentSegments::MarkResent(uint64_t behind)
{
    for (; !m_again.empty() && m_again.front().second <= behind; m_again.pop_front())
    {
        if (Segment* segment = FindAgain(m_again.front()))
        {
            MarkResent(*segment);
        }
    }
}

void
SentSegments::MarkResent(Segment& segment)
{
    segment.resent = false;
    m_resent -= segment.size;
    m_firstLost = std::min(m_firstLost, Find(segment.begin));
}

void
SentSegments::MarkAllHoles()
{
    if (!m_ranges.empty())
    {
        MarkBefore(Find(m_ranges.rbegin()->first));
    }
}

void
SentSegments::MarkBefore(std::size_t end)
{
    for (; m_examined < end; ++m_examined)
    {
        Mark(m_examined);
    }
}

void
SentSegments::MarkHead()
{
    if (!m_segments.empty())
    {
        Mark(0);
    }
}

void
SentSegments::MarkTail()
{
    Mark(m_segments.size() - 1);
}

void
SentSegments::MarkAll(Nanos latest)
{
    m_left = 0;
    for (std::size_t i = 0; i < m_segments.size(); ++i)
    {
        Segment& segment = m_segments[i];
        if (i == 0 || segment.sent <= latest)
        {
            m_resent -= segment.resent ? segment.size : 0;
            segment.resent = segment.timed = false;
            Mark(i);
        }
    }
    std::erase_if(m_again, [this](const auto& again) { return !FindAgain(again); });
    m_firstLost = 0;
    m_examined = m_segments.size();
}

void
SentSegments::Mark(std::size_t place)
{
    Segment& segment = m_segments[place];
    if (!segment.sacked && !segment.lost)
    {
        segment.lost = true;
        m_lost += segment.size;
        m_firstLost = std::min(m_firstLost, place);
    }
}

void
SentSegments::Shift(Nanos time, uint64_t octets)
{
    for (Segment& segment : m_segments)
    {
        segment.begin -= octets;
        segment.sent -= time;
    }
    for (auto& [begin, next] : m_again)
    {
        begin -= octets;
        next -= octets;
    }
    std::map<uint64_t, uint64_t> ranges;
    for (const auto& [begin, end] : m_ranges)
    {
        ranges[begin - octets] = end - octets;
    }
    m_ranges = std::move(ranges);
    MoveBack(m_newestSent, time);
    MoveBack(m_newestEnd, octets);
    const auto overtaken = [this](const Segment& segment) { return IsOvertaken(segment); };
    if (std::none_of(m_segments.begin(), m_segments.end(), overtaken))
    {
        m_newestSent = Nanos::min(); // whatever comes next left after it
        m_newestEnd = 0;
    }
    m_shortestRtt = 0ns; // set with each ACK
}

void
SentSegments::SetShortestRtt(Nanos shortest)
{
    m_shortestRtt = shortest;
}

void
SentSegments::SetLeft(uint32_t octets)
{
    m_left = std::min(octets, m_total);
}

const SentSegments::Segment&
SentSegments::GetLost() const
{
    while (!m_segments[m_firstLost].lost || m_segments[m_firstLost].resent)
    {
        ++m_firstLost;
    }
    return m_segments[m_firstLost];
}

void
SentSegments::Resend(uint64_t next, Nanos now)
{
    GetLost();
    Segment& segment = m_segments[m_firstLost];
    m_again.emplace_back(segment.begin, next);
    segment.sentOnce = segment.timed = false;
    segment.sent = now;
    segment.resent = true;
    m_resent += segment.size;
}

uint32_t
SentSegments::GetPipe() const
{
    const uint32_t gone = m_sacked + m_lost;
    return m_total - gone - std::min(m_left, m_total - gone) + m_resent;
}

std::size_t
SentSegments::Find(uint64_t from) const
{
    const auto begins = [from](const Segment& segment) { return segment.begin < from; };
    return std::partition_point(m_segments.begin(), m_segments.end(), begins) - m_segments.begin();
}

} // namespace ns3::study
