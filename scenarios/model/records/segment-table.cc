/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-table.h"

#include "model/clocks/limit-table.h"
#include "model/core/notation.h"

namespace ns3::study
{

void
WriteSegments(const SegmentTable& table, std::ostream& out, bool withFarTimes)
{
    out << "time_s,sender,seq,length,ack,window,flags,stopped_by"
        << (withFarTimes ? ",far_time_s\n" : "\n");
    const Time start = table.empty() ? Time() : table.front().time;
    for (const auto& row : table)
    {
        out << FormatSeconds(row.time - start) << ',' << row.sender << ',' << row.seq << ','
            << row.length << ',';
        if (row.ack)
        {
            out << *row.ack;
        }
        out << ',' << row.window << ',' << row.flags << ','
            << (row.stoppedBy ? LimitName(*row.stoppedBy) : "");
        if (withFarTimes)
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
