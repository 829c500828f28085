/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-limits.h"

#include "ns3/uinteger.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(RunLimits);

TypeId
RunLimits::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::RunLimits")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<RunLimits>()
            .AddAttribute("Seed",
                          "Seed of the random numbers: losses, and backoff on a busy Ethernet [1]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RunLimits::m_seed),
                          // RngStream takes none from its second modulus on
                          MakeUintegerChecker<uint32_t>(1, 4294944442))
            .AddAttribute("TimeLimit",
                          "A transfer that takes longer is cut off [s]",
                          TimeValue(Hours(1000)),
                          MakeTimeAccessor(&RunLimits::m_timeLimit),
                          MakeTimeChecker(NanoSeconds(1), Hours(100000)))
            .AddAttribute("StallTime",
                          "A transfer is stalled when nothing has been acknowledged for this long "
                          "and for all the configured latencies together [s]",
                          TimeValue(Minutes(10)),
                          MakeTimeAccessor(&RunLimits::m_stallTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1000)));
    return tid;
}

} // namespace ns3::study
