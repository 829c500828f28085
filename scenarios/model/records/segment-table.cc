/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-table.h"

#include <iomanip>
#include <sstream>
#include <string>

namespace ns3::study
{

namespace
{

/// @return an instant in seconds, to the nanosecond
std::string
InSeconds(Time since)
{
    std::ostringstream text;
    const int64_t ns = since.GetNanoSeconds();
    text << ns / 1000000000 << '.' << std::setw(9) << std::setfill('0') << ns % 1000000000;
    return text.str();
}

} // namespace

void
WriteSegments(const SegmentTable& table, std::ostream& out, bool withFarTimes)
{
    out << "time_s,sender,seq,length,ack,window,flags,stopped_by"
        << (withFarTimes ? ",far_time_s\n" : "\n");
    const Time start = table.empty() ? Time() : table.front().time;
    for (const auto& row : table)
    {
        out << InSeconds(row.time - start) << ',' << row.sender << ',' << row.seq << ','
            << row.length << ',';
        if (row.ack)
        {
            out << *row.ack;
        }
        out << ',' << row.window << ',' << row.flags << ','
            << (row.stoppedBy ? LimitName(*row.stoppedBy) : "");
        if (withFarTimes)
        {
            out << ',' << (row.lost ? "lost" : row.farTime ? InSeconds(*row.farTime - start) : "");
        }
        out << '\n';
    }
}

} // namespace ns3::study
