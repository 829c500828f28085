/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-table.h"

#include "model/clocks/limit-table.h"
#include "model/core/notation.h"

#include "ns3/simulator.h"

namespace ns3::study
{

namespace
{

/// Take the value of a packet that is in flight; of several with this number, which IPv4 gives
/// again after 65,536 packets (RFC 791, 3.1), the one that left first. @return none if there is
/// none
template <typename T>
std::optional<T>
TakeFirst(std::multimap<uint64_t, T>& inFlight, uint64_t number)
{
    const auto first = inFlight.lower_bound(number);
    if (first == inFlight.end() || first->first != number)
    {
        return std::nullopt;
    }
    const T value = first->second;
    inFlight.erase(first);
    return value;
}

} // namespace

void
SegmentTable::Add(const SegmentRow& row, bool outgoing, uint64_t number)
{
    rows.push_back(row);
    if (hasFarTimes && outgoing)
    {
        m_outgoing.emplace(number, rows.size() - 1);
    }
    else if (hasFarTimes)
    {
        rows.back().farTime = TakeFirst(m_incoming, number);
    }
}

void
SegmentTable::Note(Link::FarEvent event, uint64_t number)
{
    switch (event)
    {
    case Link::FarEvent::SENT:
        m_incoming.emplace(number, Simulator::Now());
        break;
    case Link::FarEvent::LOST_FROM_IT:
        TakeFirst(m_incoming, number);
        break;
    case Link::FarEvent::ARRIVED:
    case Link::FarEvent::LOST_TO_IT:
        if (const auto place = TakeFirst(m_outgoing, number))
        {
            rows[*place].farTime = Simulator::Now();
            rows[*place].lost = event == Link::FarEvent::LOST_TO_IT;
        }
        break;
    }
}

void
SegmentTable::Write(std::ostream& out) const
{
    out << "time_s,sender,seq,length,ack,window,flags,stopped_by"
        << (hasFarTimes ? ",far_time_s\n" : "\n");
    const Time start = rows.empty() ? Time() : rows.front().time;
    for (const auto& row : rows)
    {
        out << FormatSeconds(row.time - start) << ',' << row.sender << ',' << row.seq << ','
            << row.length << ',';
        if (row.ack)
        {
            out << *row.ack;
        }
        out << ',' << row.window << ',' << row.flags << ','
            << (row.stoppedBy ? LimitName(*row.stoppedBy) : "");
        if (hasFarTimes)
        {
            out << ','
                << (row.lost      ? "lost"
                    : row.farTime ? FormatSeconds(*row.farTime - start)
                                  : "");
        }
        out << '\n';
    }
}

} // namespace ns3::study
