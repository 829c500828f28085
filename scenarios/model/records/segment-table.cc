/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-table.h"

#include <iomanip>

namespace ns3::study
{

void
WriteSegments(const SegmentTable& table, std::ostream& out)
{
    out << "time_s,sender,seq,length,ack,window,flags,stopped_by\n";
    const Time start = table.empty() ? Time() : table.front().time;
    for (const auto& row : table)
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

} // namespace ns3::study
