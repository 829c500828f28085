/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "print-job-script.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <numeric>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(PrintJob);

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

TypeId
PrintJob::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::PrintJob")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<PrintJob>()
            .AddAttribute("Protocol",
                          "How the job is sent: LPR (RFC 1179) or raw",
                          EnumValue(LPR),
                          MakeEnumAccessor<Protocol>(&PrintJob::m_protocol),
                          MakeEnumChecker(LPR, "lpr", RAW, "raw"))
            .AddAttribute("JobSize",
                          "Size of the file to print, without LPR's dialogue around it [B]",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&PrintJob::m_jobSize),
                          MakeUintegerChecker<uint64_t>(1, 2000000000));
    return tid;
}

} // namespace ns3::study
