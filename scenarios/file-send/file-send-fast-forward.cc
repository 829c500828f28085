/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-send-fast-forward.h"

#include "model/core/trace-listener.h"

namespace ns3::study
{

namespace
{

constexpr auto STAGES = static_cast<std::size_t>(CpuStage::IDLE); //!< those that are counted

} // namespace

FileSendFastForward::FileSendFastForward(Ptr<ConnectionSocket> host,
                                         Ptr<FileServer> server,
                                         Ptr<ServerApplication> client,
                                         const Machine& machine,
                                         Ptr<Link> link,
                                         Time timeLimit,
                                         std::function<void(Time)> skipped)
    : TcpFastForward(host, link, host->GetLimitClock(), timeLimit, std::move(skipped)),
      m_server(server),
      m_machine(machine)
{
    Listen(client, "Accepted", [this](Ptr<Socket> socket) {
        SetPeer(DynamicCast<ConnectionSocket>(socket));
    });
}

void
FileSendFastForward::Acknowledged()
{
    // Only at an ACK, which starts the retransmission timer afresh; and not at each, as a cycle has
    // many of them.
    const uint64_t halves = m_server->CountHalves();
    if (halves == m_halves)
    {
        return;
    }
    m_halves = halves;
    ++m_stretches;
    // A cycle that has not shown by now is as long as all before, and several of it prove it.
    constexpr uint64_t enough = 16;
    const uint64_t left = m_server->GetUnread() / m_server->GetFileBuffer();
    if (m_stretches > enough && !m_detector.IsRepeating() && left < m_stretches)
    {
        m_detector.GiveUp(Obstacle::SHORT); // a cycle would not pay
    }
    EndStretch(); // the ACK is still being handled
}

bool
FileSendFastForward::HasMore() const
{
    return TcpFastForward::HasMore() && m_server->GetUnread() > 0;
}

void
FileSendFastForward::Describe(StateRecord& state) const
{
    TcpFastForward::Describe(state);
    m_server->Describe(state);
    m_machine.disk->Describe(state);
    m_machine.driver->Describe(state);
}

std::vector<int64_t>
FileSendFastForward::GetTotals() const
{
    std::vector<int64_t> totals = TcpFastForward::GetTotals();
    totals.push_back(-static_cast<int64_t>(m_server->GetUnread()));
    for (std::size_t i = 0; i < STAGES; ++i)
    {
        totals.push_back(m_machine.cpu->GetBusy(static_cast<CpuStage>(i)).GetTimeStep());
    }
    return totals;
}

uint64_t
FileSendFastForward::CountLeft(const CycleDetector::Cycle& cycle) const
{
    const int64_t bytes = cycle.growth[BYTES];
    const int64_t read = cycle.growth[CountOwnTotals() + READ];
    if (bytes <= 0 || read != bytes)
    {
        return 0;
    }
    return m_server->GetUnread() / static_cast<uint64_t>(bytes);
}

void
FileSendFastForward::Skip(const CycleDetector::Cycle& cycle, uint64_t count)
{
    TcpFastForward::Skip(cycle, count);
    m_server->Skip(static_cast<uint64_t>(cycle.growth[BYTES]) * count);
    const auto times = static_cast<int64_t>(count);
    for (std::size_t i = 0; i < STAGES; ++i)
    {
        const int64_t grown = cycle.growth[CountOwnTotals() + FIRST_STAGE + i];
        m_machine.cpu->Skip(static_cast<CpuStage>(i), TimeStep(grown * times));
    }
}

} // namespace ns3::study
