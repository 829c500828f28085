/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transfer-run.h"

#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <array>
#include <optional>

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
                          "A transfer that takes longer is ended [s]",
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

namespace
{

/// A simulator that is clean again when the run is over, however that comes about.
struct FreshSimulator
{
    ~FreshSimulator()
    {
        Simulator::Destroy();
    }
};

} // namespace

TransferRun::TransferRun(const ParameterSet& parameters,
                         const RunFiles& files,
                         const std::string& group)
    : m_parameters(parameters),
      m_files(files),
      m_limits(parameters.Create<RunLimits>(group))
{
}

void
TransferRun::Run(JsonObject& record)
{
    RngSeedManager::SetSeed(m_limits->m_seed);
    RngSeedManager::SetRun(1);
    // As any other scheduler, it goes by time and then by the order of scheduling; it is the
    // fastest where few events are due and none is taken back.
    GlobalValue::Bind("SchedulerType", TypeIdValue(PriorityQueueScheduler::GetTypeId()));
    // A capture wants checksums.
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(!(m_files.pcap + m_files.wanPcap).empty()));
    const FreshSimulator simulator;
    Build();
    SetTimeLeft(m_limits->m_timeLimit);
    Simulator::Run();
    Report(record);
}

void
TransferRun::SetTimeLeft(Time left)
{
    m_timeLimitEvent.Cancel();
    m_timeLimitEvent = Simulator::Schedule(left, [this]() {
        End(Outcome::CUT_OFF, "the time limit was reached");
    });
}

void
TransferRun::WatchForStall(Time limit)
{
    NS_ASSERT(limit.IsStrictlyPositive());
    if (IsAtWork())
    {
        Progress();
    }
    const Time due = m_lastProgress + limit;
    if (Simulator::Now() >= due)
    {
        End(Outcome::STALLED, DescribeWait());
        return;
    }
    Simulator::Schedule(due - Simulator::Now(), &TransferRun::WatchForStall, this, limit);
}

void
TransferRun::Progress()
{
    m_lastProgress = Simulator::Now();
}

void
TransferRun::End(Outcome outcome, const std::string& reason)
{
    if (m_outcome != Outcome::NONE)
    {
        return;
    }
    m_outcome = outcome;
    m_reason = reason;
    Ended();
}

TransferRun::Outcome
TransferRun::GetOutcome() const
{
    return m_outcome;
}

void
TransferRun::AddOutcome(JsonObject& record, uint64_t bytes, Time duration) const
{
    static const std::array<std::string, 4> names{"", "finished", "stalled", "cut-off"};
    record.Add("outcome", names.at(static_cast<std::size_t>(m_outcome)));
    record.Add("reason", m_reason);
    record.Add("bytes", bytes);
    record.Add("duration_s", duration);
    record.Add("throughput_Bps",
               m_outcome == Outcome::FINISHED ? std::optional<double>(bytes / duration.GetSeconds())
                                              : std::nullopt);
}

bool
TransferRun::IsAtWork() const
{
    return false;
}

} // namespace ns3::study
