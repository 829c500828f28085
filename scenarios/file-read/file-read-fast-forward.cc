/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-read-fast-forward.h"

#include "model/core/trace-listener.h"

#include "ns3/packet.h"

namespace ns3::study
{

FileReadFastForward::FileReadFastForward(Ptr<NetwareWorkstation> workstation,
                                         Ptr<NetwareServer> server,
                                         Ptr<FrameRelayWan> wan,
                                         LimitClock& clock,
                                         Counters counters,
                                         Time timeLimit,
                                         std::function<void(Time)> skipped)
    : FastForward(timeLimit, std::move(skipped)),
      m_workstation(workstation),
      m_server(server),
      m_wan(wan),
      m_clock(clock),
      m_counters(std::move(counters)),
      m_countSkipped(m_counters().size())
{
    Listen(workstation, "Tx", [this](NetwareWorkstation::Message message) {
        ++m_requestsSent;
        Note({WORKSTATION_SENT, static_cast<int64_t>(message)});
    });
    Listen(server, "Tx", [this](Ptr<const Packet> packet, bool again) {
        ++m_answersSent;
        Note({SERVER_SENT, packet->GetSize(), again});
    });
    Listen(workstation, "Rx", [this](uint32_t octets) {
        ++m_answersArrived;
        Note({ARRIVED, octets});
    });
    Listen(workstation, "Needless", [this]() {
        ++m_answersArrived;
        Note({NEEDLESS});
    });
    Listen(workstation, "Repair", [this](bool repairing) {
        if (!repairing)
        {
            EndStretch();
        }
    });
}

uint64_t
FileReadFastForward::GetBytesSkipped() const
{
    return m_bytesSkipped;
}

std::vector<uint64_t>
FileReadFastForward::GetCounts() const
{
    std::vector<uint64_t> counts = m_counters();
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        counts[i] += m_countSkipped[i];
    }
    return counts;
}

bool
FileReadFastForward::HasMore() const
{
    return m_workstation->GetLeft() > 0;
}

void
FileReadFastForward::Describe(StateRecord& state) const
{
    m_workstation->Describe(state);
    m_server->Describe(state, m_workstation->GetSequence());
    m_wan->Describe(state);
    m_clock.Describe(state);
    const bool allArrived =
        m_server->GetArrived() == m_requestsSent && m_answersArrived == m_answersSent;
    if (!allArrived)
    {
        state.SetUnsettled(Obstacle::RECOVERY); // and what was lost is never settled
    }
}

std::vector<int64_t>
FileReadFastForward::GetTotals() const
{
    std::vector<int64_t> totals(FIRST_COUNTER);
    totals[BYTES] = static_cast<int64_t>(m_workstation->GetReceived());
    for (std::size_t i = FIRST_SHARE; i < FIRST_COUNTER; ++i)
    {
        totals[i] = m_clock.Get(static_cast<Limit>(i - FIRST_SHARE)).GetTimeStep();
    }
    const auto counted = m_counters();
    totals.insert(totals.end(), counted.begin(), counted.end());
    const auto ofLink = m_wan->GetCounts();
    totals.insert(totals.end(), ofLink.begin(), ofLink.end());
    return totals;
}

uint64_t
FileReadFastForward::CountLeft(const CycleDetector::Cycle& cycle) const
{
    return m_workstation->GetLeft() / static_cast<uint64_t>(cycle.growth[BYTES]);
}

void
FileReadFastForward::Skip(const CycleDetector::Cycle& cycle, uint64_t count)
{
    const auto& growth = cycle.growth;
    const auto times = static_cast<int64_t>(count);
    const auto bytes = static_cast<uint64_t>(growth[BYTES]) * count;
    m_bytesSkipped += bytes;
    m_workstation->Skip(bytes);
    m_server->Skip(bytes);
    for (std::size_t i = FIRST_SHARE; i < FIRST_COUNTER; ++i)
    {
        m_clock.Skip(static_cast<Limit>(i - FIRST_SHARE), TimeStep(growth[i] * times));
    }
    auto more = growth.begin() + FIRST_COUNTER;
    for (uint64_t& counter : m_countSkipped)
    {
        counter += static_cast<uint64_t>(*more++ * times);
    }
    std::vector<int64_t> ofLink(more, growth.end());
    for (int64_t& each : ofLink)
    {
        each *= times;
    }
    m_wan->Count(ofLink);
}

} // namespace ns3::study
