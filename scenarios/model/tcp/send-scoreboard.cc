/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "send-scoreboard.h"

#include "ns3/assert.h"

#include <algorithm>
#include <iterator>

namespace ns3::study
{

void
SendScoreboard::Add(SequenceNumber32 begin, uint32_t size, TcpTxItem* item)
{
    m_segments.push_back({.begin = begin, .size = size, .item = item});
    m_total += size;
}

void
SendScoreboard::AcknowledgeUpTo(SequenceNumber32 ack)
{
    while (!m_segments.empty() && m_segments.front().End() <= ack)
    {
        Discount(m_segments.front());
        m_segments.pop_front();
        ++m_gone;
    }
    if (!m_segments.empty() && m_segments.front().begin < ack)
    {
        Segment& head = m_segments.front();
        Segment part = head;
        part.size = ack - head.begin;
        Discount(part);
        head.begin = ack;
        head.size -= part.size;
    }
    while (!m_ranges.empty() && m_ranges.begin()->first < ack)
    {
        const SequenceNumber32 end = m_ranges.begin()->second;
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
}

void
SendScoreboard::Discount(const Segment& segment)
{
    m_total -= segment.size;
    m_sacked -= segment.sacked ? segment.size : 0;
    m_lost -= segment.lost ? segment.size : 0;
    m_resent -= segment.resent ? segment.size : 0;
}

uint32_t
SendScoreboard::Sack(const TcpOptionSack::SackList& blocks, const Delivered& delivered)
{
    uint32_t news = 0;
    if (m_segments.empty())
    {
        return news;
    }
    const SequenceNumber32 first = m_segments.front().begin;
    const SequenceNumber32 last = m_segments.back().End();
    for (auto [begin, end] : blocks)
    {
        begin = std::max(begin, first); // below is what it had twice (RFC 2883)
        end = std::min(end, last);
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
        SequenceNumber32 from = begin;
        while (range != m_ranges.end() && range->first <= end)
        {
            if (from < range->first)
            {
                news += Deliver(from, range->first, delivered);
            }
            from = std::max(from, range->second);
            begin = std::min(begin, range->first);
            range = m_ranges.erase(range);
        }
        if (from < end)
        {
            news += Deliver(from, end, delivered);
        }
        m_ranges[begin] = std::max(from, end);
    }
    return news;
}

uint32_t
SendScoreboard::Deliver(SequenceNumber32 begin, SequenceNumber32 end, const Delivered& delivered)
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
        segment.sacked = true;
        segment.lost = segment.resent = false;
        m_total += segment.size;
        m_sacked += segment.size;
        news += segment.size;
        delivered(segment.item);
    }
    return news;
}

void
SendScoreboard::MarkHoles(uint32_t threshold, uint32_t mss)
{
    // The highest number that so many ranges, or more than so many octets, lie above of.
    uint32_t ranges = 0;
    uint32_t octets = 0;
    for (auto range = m_ranges.rbegin(); range != m_ranges.rend(); ++range)
    {
        const uint32_t size = range->second - range->first;
        const uint32_t enough = (threshold - 1) * mss;
        ++ranges;
        octets += size;
        if (ranges >= threshold || octets > enough)
        {
            MarkRange(std::max(m_examined, m_gone) - m_gone, Find(range->first));
            // A range may have grown over what was sent again: it counts as far as it lies above.
            const uint32_t over = octets > enough ? std::min(size, octets - enough - 1) : 0;
            MarkResent(range->first + SequenceNumber32(over));
            return;
        }
    }
}

void
SendScoreboard::MarkResent(SequenceNumber32 behind)
{
    for (; !m_again.empty() && m_again.front().second <= behind; m_again.pop_front())
    {
        const std::size_t place = Find(m_again.front().first);
        // What has come meanwhile is still listed: what stands in its place is another segment.
        const bool listed =
            place < m_segments.size() && m_segments[place].begin == m_again.front().first;
        if (listed && m_segments[place].resent)
        {
            m_segments[place].resent = false;
            m_resent -= m_segments[place].size;
            m_firstLost = std::min<uint64_t>(m_firstLost, m_gone + place);
        }
    }
}

void
SendScoreboard::MarkAllHoles()
{
    if (!m_ranges.empty())
    {
        MarkRange(std::max(m_examined, m_gone) - m_gone, Find(m_ranges.rbegin()->first));
    }
}

void
SendScoreboard::MarkRange(std::size_t first, std::size_t end)
{
    for (std::size_t i = first; i < end; ++i)
    {
        Mark(i);
    }
    m_examined = std::max<uint64_t>(m_examined, m_gone + end);
}

void
SendScoreboard::MarkHead()
{
    if (!m_segments.empty())
    {
        Mark(0);
    }
}

void
SendScoreboard::MarkAll()
{
    m_left = 0;
    m_resent = 0;
    m_again.clear();
    for (std::size_t i = 0; i < m_segments.size(); ++i)
    {
        m_segments[i].resent = false;
        Mark(i);
    }
    m_firstLost = m_gone;
    m_examined = m_gone + m_segments.size();
}

void
SendScoreboard::Mark(std::size_t place)
{
    Segment& segment = m_segments[place];
    if (!segment.sacked && !segment.lost)
    {
        segment.lost = true;
        m_lost += segment.size;
        m_firstLost = std::min<uint64_t>(m_firstLost, m_gone + place);
    }
}

void
SendScoreboard::SetLeft(uint32_t octets)
{
    m_left = std::min(octets, m_total);
}

uint32_t
SendScoreboard::GetLeft() const
{
    return m_left;
}

bool
SendScoreboard::HasLost() const
{
    return m_lost > m_resent;
}

SendScoreboard::Segment&
SendScoreboard::GetLost()
{
    NS_ASSERT_MSG(HasLost(), "nothing is to be sent again");
    m_firstLost = std::max(m_firstLost, m_gone);
    while (!m_segments[m_firstLost - m_gone].lost || m_segments[m_firstLost - m_gone].resent)
    {
        ++m_firstLost;
    }
    return m_segments[m_firstLost - m_gone];
}

void
SendScoreboard::Resend(Segment& segment, SequenceNumber32 next)
{
    m_again.emplace_back(segment.begin, next);
    segment.everResent = true;
    if (segment.lost && !segment.resent)
    {
        segment.resent = true;
        m_resent += segment.size;
    }
}

bool
SendScoreboard::IsEmpty() const
{
    return m_segments.empty();
}

const SendScoreboard::Segment&
SendScoreboard::GetHead() const
{
    return m_segments.front();
}

uint32_t
SendScoreboard::GetTotal() const
{
    return m_total;
}

uint32_t
SendScoreboard::GetLostOctets() const
{
    return m_lost;
}

uint32_t
SendScoreboard::GetPipe() const
{
    const uint32_t gone = m_sacked + m_lost;
    return m_total - gone - std::min(m_left, m_total - gone) + m_resent;
}

std::size_t
SendScoreboard::Find(SequenceNumber32 from) const
{
    const auto found =
        std::partition_point(m_segments.begin(), m_segments.end(), [from](const Segment& segment) {
            return segment.begin < from;
        });
    return found - m_segments.begin();
}

} // namespace ns3::study
