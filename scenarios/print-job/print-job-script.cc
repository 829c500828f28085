/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "print-job-script.h"

#include <numeric>

namespace ns3::study
{

uint64_t
PrintJobStep::GetSize() const
{
    return text.size() + zeroOctets;
}

PrintJobScript
MakeLprScript(uint64_t fileSize)
{
    const std::string queue = "lp1";
    const std::string host = "linux.example.com";
    const std::string dataFile = "dfA001" + host;
    const std::string controlFile = "cfA001" + host;
    const std::string control =
        "H" + host + "\nProot\nl" + dataFile + "\nNpage.prn\n"; // RFC 1179, 7
    return {
        {"\x02" + queue + "\n", 0, true},
        {"\x03" + std::to_string(fileSize) + " " + dataFile + "\n", 0, true},
        {"", fileSize + 1, true},
        {"\x02" + std::to_string(control.size()) + " " + controlFile + "\n", 0, true},
        {control, 1, true},
    };
}

PrintJobScript
MakeRawScript(uint64_t fileSize)
{
    return {{"", fileSize, false}};
}

uint64_t
GetSize(const PrintJobScript& script)
{
    return std::accumulate(
        script.begin(),
        script.end(),
        uint64_t{0},
        [](uint64_t sum, const PrintJobStep& step) { return sum + step.GetSize(); });
}

} // namespace ns3::study
