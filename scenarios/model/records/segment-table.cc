/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-table.h"

#include <iomanip>

namespace ns3
{

std::size_t
SegmentTable::Add(const SegmentRow& row)
{
    m_rows.push_back(row);
    return m_rows.size() - 1;
}

void
SegmentTable::Stopped(std::size_t index, Limit limit)
{
    m_rows.at(index).stoppedBy = limit;
}

void
SegmentTable::Write(std::ostream& out) const
{
    out << "time_s,sender,seq,length,ack,window,flags,stopped_by\n";
    const Time start = m_rows.empty() ? Time() : m_rows.front().time;
    for (const auto& row : m_rows)
    {
        const int64_t ns = (row.time - start).GetNanoSeconds();
        out << ns / 1000000000 << '.' << std::setw(9) << std::setfill('0') << ns % 1000000000 << ','
            << row.sender << ',' << row.seq << ',' << row.length << ',';
        if (row.ack)
        {
            out << *row.ack;
        }
        out << ',' << row.window << ',' << row.flags << ','
            << (row.stoppedBy ? LimitName(*row.stoppedBy) : "") << '\n';
    }
}

} // namespace ns3
