/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "request-reply-fast-forward.h"

#include "model/core/trace-listener.h"

namespace ns3::study
{

RequestReplyFastForward::RequestReplyFastForward(Ptr<ConnectionSocket> socket,
                                                 Ptr<RequestClient> client,
                                                 Ptr<ReplyServer> server,
                                                 Ptr<Link> link,
                                                 ExchangeClock& clock,
                                                 Counters counters,
                                                 Time timeLimit,
                                                 std::function<void(Time)> skipped)
    : TcpFastForward(socket, link, clock, timeLimit, std::move(skipped)),
      m_client(client),
      m_server(server),
      m_exchangeClock(clock),
      m_counters(std::move(counters)),
      m_countSkipped(m_counters().size())
{
    Listen(server, "Accepted", [this](Ptr<Socket> accepted) {
        SetPeer(DynamicCast<ConnectionSocket>(accepted));
    });
    Listen(client, "Working", [this](bool working) {
        if (working)
        {
            EndStretch(); // the reply is still being handled
        }
    });
}

uint64_t
RequestReplyFastForward::GetCommandsSkipped() const
{
    return m_commandsSkipped;
}

std::vector<uint64_t>
RequestReplyFastForward::GetCounts() const
{
    std::vector<uint64_t> counts = m_counters();
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        counts[i] += m_countSkipped[i];
    }
    return counts;
}

void
RequestReplyFastForward::Acknowledged()
{
}

bool
RequestReplyFastForward::MayResend() const
{
    return true;
}

bool
RequestReplyFastForward::HasMore() const
{
    return TcpFastForward::HasMore() && m_client->GetCommands() > m_client->GetAnswered();
}

void
RequestReplyFastForward::Describe(StateRecord& state) const
{
    TcpFastForward::Describe(state);
    m_client->Describe(state);
    m_server->Describe(state);
    m_exchangeClock.Describe(state);
}

std::vector<int64_t>
RequestReplyFastForward::GetTotals() const
{
    std::vector<int64_t> totals = TcpFastForward::GetTotals();
    totals.push_back(m_client->GetAnswered());
    const auto counted = m_counters();
    totals.insert(totals.end(), counted.begin(), counted.end());
    return totals;
}

uint64_t
RequestReplyFastForward::CountLeft(const CycleDetector::Cycle& cycle) const
{
    const int64_t answered = cycle.growth[CountOwnTotals()];
    return answered > 0 ? (m_client->GetCommands() - m_client->GetAnswered()) / answered : 0;
}

void
RequestReplyFastForward::Skip(const CycleDetector::Cycle& cycle, uint64_t count)
{
    TcpFastForward::Skip(cycle, count);
    const int64_t* own = &cycle.growth[CountOwnTotals()];
    m_commandsSkipped += *own * count;
    m_client->Skip(static_cast<uint32_t>(*own * count));
    for (uint64_t& counter : m_countSkipped)
    {
        counter += static_cast<uint64_t>(*++own) * count;
    }
}

} // namespace ns3::study
