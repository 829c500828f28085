/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-fast-forward.h"

#include "ns3/simulator.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::study
{

TcpFastForward::TcpFastForward(Ptr<HostTcpSocket> host,
                               Ptr<Link> link,
                               ShareClock& clock,
                               Time timeLimit,
                               std::function<void(Time)> skipped)
    : FastForward(timeLimit, std::move(skipped)),
      m_host(host),
      m_link(link),
      m_clock(clock),
      m_skippedTotals(FIRST_OF_LINK)
{
    Watch(host, HOST_SENT, HOST_HANDLED, HOST_RTT);
    host->TraceConnectWithoutContext(
        "HighestRxAck",
        Callback<void, SequenceNumber32, SequenceNumber32>([this](auto...) { Acknowledged(); }));
}

void
TcpFastForward::SetPeer(Ptr<CorrectedTcpSocket> peer)
{
    m_peer = peer;
    Watch(peer, PEER_SENT, PEER_HANDLED, PEER_RTT);
}

uint64_t
TcpFastForward::GetSegmentsSkipped(bool ofPeer) const
{
    return m_skippedTotals[ofPeer ? PEER_SEGMENTS : SEGMENTS];
}

uint64_t
TcpFastForward::GetArrivalsSkipped() const
{
    return m_skippedTotals[ARRIVALS];
}

uint64_t
TcpFastForward::GetProbesSkipped() const
{
    return m_skippedTotals[WINDOW_PROBES];
}

uint64_t
TcpFastForward::GetBytesSkipped() const
{
    return m_skippedTotals[BYTES];
}

void
TcpFastForward::Watch(Ptr<CorrectedTcpSocket> socket, Event sent, Event handled, Event measured)
{
    const auto see = [this](Event event) {
        return CorrectedTcpSocket::SegmentListener(
            [this, event](Ptr<const Packet> packet, const TcpHeader& header, auto) {
                Seen(event, packet->GetSize(), header);
            });
    };
    socket->TraceConnectWithoutContext("Tx", see(sent));
    socket->TraceConnectWithoutContext("Rx", see(handled));
    socket->TraceConnectWithoutContext("RttSample",
                                       Callback<void, Time>([this, measured](Time sample) {
                                           auto& samples = m_rtts[measured - HOST_RTT];
                                           if (!IsLooking())
                                           {
                                               std::vector<Time>().swap(samples);
                                               return;
                                           }
                                           samples.push_back(sample);
                                           Note({measured, sample.GetTimeStep()});
                                       }));
    socket->TraceConnectWithoutContext(
        "Retransmission",
        CorrectedTcpSocket::RetransmissionListener(
            [this, sent](auto...) { Retransmitted(sent == PEER_SENT); }));
}

void
TcpFastForward::Retransmitted(bool /* byPeer */)
{
    StartAfresh();
    for (auto& samples : m_rtts)
    {
        samples.clear(); // no cycle will begin before now
    }
    Doubt();
}

void
TcpFastForward::Seen(Event event, uint32_t size, const TcpHeader& header)
{
    ++m_seen[event];
    m_data[event] += size > 0;
    if (!IsLooking() || !m_peer)
    {
        return;
    }
    SequenceNumber32 from = m_host->GetTxBuffer()->HeadSequence();
    SequenceNumber32 back = m_peer->GetTxBuffer()->HeadSequence();
    if (event == PEER_SENT || event == HOST_HANDLED)
    {
        std::swap(from, back);
    }
    Note({event,
          size,
          header.GetSequenceNumber() - from,
          header.GetAckNumber() - back,
          header.GetFlags(),
          header.GetWindowSize()});
}

void
TcpFastForward::Acknowledged()
{
    if (GetSkipped().cycles > 0 && !m_host->IsCongestionWindowAmple())
    {
        Doubt();
    }
}

bool
TcpFastForward::HasMore() const
{
    return m_peer != nullptr;
}

void
TcpFastForward::Describe(StateRecord& state) const
{
    m_host->Describe(state);
    m_peer->Describe(state);
    m_link->Describe(state);
    DescribeCongestion(state);
    state.Add(m_peer->GetRxBuffer()->NextRxSequence() - m_host->GetTxBuffer()->HeadSequence());
    state.Add(m_host->GetRxBuffer()->NextRxSequence() - m_peer->GetTxBuffer()->HeadSequence());
    state.Add(static_cast<int64_t>(m_seen[HOST_SENT] - m_seen[PEER_HANDLED]));
    state.Add(static_cast<int64_t>(m_seen[PEER_SENT] - m_seen[HOST_HANDLED]));
}

void
TcpFastForward::DescribeCongestion(StateRecord& state) const
{
    if (!m_host->IsCongestionWindowAmple())
    {
        state.SetUnsettled();
    }
}

std::vector<int64_t>
TcpFastForward::GetTotals() const
{
    std::vector<int64_t> totals(FIRST_OF_LINK);
    totals[BYTES] = m_host->GetTxBuffer()->HeadSequence().GetValue();
    totals[SEGMENTS] = static_cast<int64_t>(m_data[HOST_SENT]);
    totals[PEER_BYTES] = m_peer->GetTxBuffer()->HeadSequence().GetValue();
    totals[PEER_SEGMENTS] = static_cast<int64_t>(m_data[PEER_SENT]);
    totals[ARRIVALS] = static_cast<int64_t>(m_seen[HOST_HANDLED]);
    totals[WINDOW_PROBES] = m_host->GetWindowProbes();
    totals[RTT_SAMPLES] = static_cast<int64_t>(GetSamples(HOST_RTT).size());
    totals[PEER_RTT_SAMPLES] = static_cast<int64_t>(GetSamples(PEER_RTT).size());
    for (std::size_t i = FIRST_SHARE; i < FIRST_OF_LINK; ++i)
    {
        totals[i] = m_clock.Get(static_cast<Limit>(i - FIRST_SHARE)).GetTimeStep();
    }
    const auto counted = m_link->GetCounts();
    totals.insert(totals.end(), counted.begin(), counted.end());
    return totals;
}

std::size_t
TcpFastForward::CountOwnTotals() const
{
    return FIRST_OF_LINK + m_link->GetCounts().size();
}

const std::vector<Time>&
TcpFastForward::GetSamples(Event measured) const
{
    return m_rtts[measured - HOST_RTT];
}

bool
TcpFastForward::RepeatsPath(const CycleDetector::Cycle& cycle) const
{
    Time longest;
    for (const auto& [event, total] :
         {std::pair{HOST_RTT, RTT_SAMPLES}, std::pair{PEER_RTT, PEER_RTT_SAMPLES}})
    {
        const auto& samples = GetSamples(event);
        longest = std::accumulate(samples.end() - cycle.growth[total],
                                  samples.end(),
                                  longest,
                                  [](Time a, Time b) { return std::max(a, b); });
    }
    return longest.IsStrictlyPositive() && cycle.repeated >= longest + longest;
}

void
TcpFastForward::Skip(const CycleDetector::Cycle& cycle, uint64_t count)
{
    const auto& growth = cycle.growth;
    const auto times = static_cast<int64_t>(count);
    for (std::size_t i = 0; i < m_skippedTotals.size(); ++i)
    {
        m_skippedTotals[i] += growth[i] * times;
    }
    m_host->Skip(cycle.length * times);
    m_peer->Skip(cycle.length * times);
    const auto take = [&](Ptr<CorrectedTcpSocket> socket, Event measured, Total total) {
        const auto& samples = GetSamples(measured);
        socket->SkipRttSamples({samples.end() - growth[total], samples.end()}, count);
    };
    take(m_host, HOST_RTT, RTT_SAMPLES);
    take(m_peer, PEER_RTT, PEER_RTT_SAMPLES);
    for (std::size_t i = FIRST_SHARE; i < FIRST_OF_LINK; ++i)
    {
        m_clock.Skip(static_cast<Limit>(i - FIRST_SHARE), TimeStep(growth[i] * times));
    }
    std::vector<int64_t> counted(growth.begin() + FIRST_OF_LINK,
                                 growth.begin() + static_cast<int64_t>(CountOwnTotals()));
    for (int64_t& each : counted)
    {
        each *= times;
    }
    m_link->Count(counted);
}

} // namespace ns3::study
