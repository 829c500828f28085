/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "print-job-fast-forward.h"

#include "model/core/trace-listener.h"

#include <algorithm>

namespace ns3::study
{

PrintJobFastForward::PrintJobFastForward(Ptr<ConnectionSocket> host,
                                         Ptr<PrintJobClient> client,
                                         Ptr<PrintServer> server,
                                         Ptr<Link> link,
                                         Time timeLimit,
                                         std::function<void(Time)> skipped)
    : TcpFastForward(host, link, host->GetLimitClock(), timeLimit, std::move(skipped)),
      m_host(host),
      m_client(client),
      m_server(server)
{
    Listen(server, "Accepted", [this](Ptr<Socket> socket) {
        SetPeer(DynamicCast<ConnectionSocket>(socket));
    });
}

void
PrintJobFastForward::Acknowledged()
{
    EndStretch(); // the ACK is still being handled
}

bool
PrintJobFastForward::HasMore() const
{
    return TcpFastForward::HasMore() && (m_client->GetUnwritten() > 0 || IsDraining());
}

bool
PrintJobFastForward::IsDraining() const
{
    return m_client->GetUnwritten() == 0 && m_host->CountFar() > 0;
}

void
PrintJobFastForward::Describe(StateRecord& state) const
{
    TcpFastForward::Describe(state);
    m_client->Describe(state);
    m_server->Describe(state);
}

std::vector<int64_t>
PrintJobFastForward::GetTotals() const
{
    std::vector<int64_t> totals = TcpFastForward::GetTotals();
    totals.push_back(-static_cast<int64_t>(m_client->GetUnwritten()));
    totals.push_back(static_cast<int64_t>(m_server->GetSincePause()));
    return totals;
}

uint64_t
PrintJobFastForward::CountLeft(const CycleDetector::Cycle& cycle) const
{
    const auto bytes = static_cast<uint64_t>(cycle.growth[BYTES]);
    const auto* const own = &cycle.growth[CountOwnTotals()];
    const bool pauses = own[SINCE_PAUSE] != cycle.growth[BYTES]; // within the cycle, or never
    const bool drains = IsDraining();
    const int64_t written = drains ? 0 : cycle.growth[BYTES];
    if (bytes == 0 || own[WRITTEN] != written || (pauses && own[SINCE_PAUSE] != 0))
    {
        return 0;
    }
    const uint64_t count = (drains ? m_host->CountFar() : m_client->GetUnwritten()) / bytes;
    return pauses ? count : std::min(count, m_server->GetLeftToPause() / bytes);
}

void
PrintJobFastForward::Skip(const CycleDetector::Cycle& cycle, uint64_t count)
{
    const auto bytes = static_cast<uint64_t>(cycle.growth[BYTES]);
    const auto sincePause = static_cast<uint64_t>(cycle.growth[CountOwnTotals() + SINCE_PAUSE]);
    if (IsDraining())
    {
        m_host->TakeBack(static_cast<uint32_t>(count * bytes));
    }
    TcpFastForward::Skip(cycle, count);
    m_client->Skip(count * bytes);
    m_server->Skip(count * bytes, count * sincePause);
}

} // namespace ns3::study
