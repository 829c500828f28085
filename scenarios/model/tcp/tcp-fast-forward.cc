/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-fast-forward.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::study
{

TcpFastForward::TcpFastForward(Ptr<ConnectionSocket> host,
                               Ptr<Link> link,
                               ShareClock& clock,
                               Time timeLimit,
                               std::function<void(Time)> skipped)
    : FastForward(timeLimit, std::move(skipped)),
      m_host{host},
      m_link(link),
      m_clock(clock),
      m_skippedTotals(FIRST_OF_LINK)
{
    Watch(m_host, HOST_SENT, HOST_HANDLED, HOST_RTT);
    host->TraceConnectWithoutContext(
        "HighestRxAck",
        Callback<void, SequenceNumber32, SequenceNumber32>([this](auto...) { Acknowledged(); }));
}

void
TcpFastForward::SetPeer(Ptr<ConnectionSocket> peer)
{
    m_peer.socket = peer;
    Watch(m_peer, PEER_SENT, PEER_HANDLED, PEER_RTT);
}

int64_t
TcpFastForward::GetSkipped(Total total) const
{
    return m_skippedTotals[total];
}

void
TcpFastForward::Watch(End& end, Event sent, Event handled, Event measured)
{
    const auto see = [this, &end](Event event) {
        return ConnectionSocket::SegmentListener(
            [this, &end, event](Ptr<const Packet> packet, const TcpHeader& header, auto) {
                end.shorts += end.socket->GetConnection().IsCongested();
                Seen(event, packet->GetSize(), header);
            });
    };
    end.socket->TraceConnectWithoutContext("Tx", see(sent));
    end.socket->TraceConnectWithoutContext("Rx", see(handled));
    end.socket->TraceConnectWithoutContext(
        "RttSample",
        Callback<void, Time>([this, &end, measured](Time sample) {
            if (m_detector.HasGivenUp())
            {
                std::vector<Nanos>().swap(end.samples);
                return;
            }
            end.samples.emplace_back(sample.GetNanoSeconds());
            end.shortest = std::min(end.shortest, end.samples.back());
            Note({measured, sample.GetTimeStep()});
        }));
    end.socket->TraceConnectWithoutContext(
        "Retransmission",
        ConnectionSocket::RetransmissionListener([this, &end](auto...) { Retransmitted(end); }));
}

void
TcpFastForward::Retransmitted(End& end)
{
    ++end.shorts; // its window is smaller for it
    end.resent = TracedSocket::GetNow();
    if (!MayResend())
    {
        m_detector.Reset();
        m_host.samples.clear(); // no cycle will begin before now
        m_peer.samples.clear();
        Doubt();
    }
}

void
TcpFastForward::Seen(Event event, uint32_t size, const TcpHeader& header)
{
    ++m_seen[event];
    m_data[event] += size > 0;
    if (m_detector.HasGivenUp() || !m_peer.socket)
    {
        return;
    }
    const bool fromPeer = event == PEER_SENT || event == HOST_HANDLED;
    End& from = fromPeer ? m_peer : m_host;
    const End& to = fromPeer ? m_host : m_peer;
    const Flying segment{header.GetSequenceNumber().GetValue(),
                         header.GetAckNumber().GetValue(),
                         size,
                         header.GetWindowSize(),
                         header.GetFlags(),
                         Simulator::Now()};
    if (event == HOST_SENT || event == PEER_SENT)
    {
        from.flying.push_back(segment);
        from.sentSum += segment.sent.GetTimeStep();
    }
    else
    {
        // They arrive in order, so those before it are lost.
        bool isFound = false;
        while (!from.flying.empty() && !isFound)
        {
            isFound = from.flying.front().IsSame(segment);
            from.sentSum -= from.flying.front().sent.GetTimeStep();
            from.flying.pop_front();
        }
    }
    Note({event,
          size,
          segment.sequence - static_cast<uint32_t>(from.socket->GetConnection().GetAcknowledged()),
          segment.ack - static_cast<uint32_t>(to.socket->GetConnection().GetAcknowledged()),
          segment.flags,
          segment.window});
}

bool
TcpFastForward::Flying::IsSame(const Flying& other) const
{
    return std::tie(sequence, ack, size, window, flags) ==
           std::tie(other.sequence, other.ack, other.size, other.window, other.flags);
}

bool
TcpFastForward::HasMore() const
{
    return m_peer.socket != nullptr;
}

void
TcpFastForward::Describe(StateRecord& state) const
{
    state.Add(IsDraining());
    DescribeOutline(state, m_host, IsDraining());
    DescribeOutline(state, m_peer, false);
    m_host.socket->GetLimitClock().Describe(state);
    m_link->Describe(state);
    // Nobody counts what is lost in the cycles taken off, so one that loses something is none.
    state.Add(static_cast<int64_t>(m_seen[HOST_SENT] - m_seen[PEER_HANDLED]));
    state.Add(static_cast<int64_t>(m_seen[PEER_SENT] - m_seen[HOST_HANDLED]));
}

void
TcpFastForward::DescribeInFlight(StateRecord& state) const
{
    DescribeEnd(state, m_host, m_peer, IsDraining());
    DescribeEnd(state, m_peer, m_host, false);
    if (state.CanRepeat())
    {
        DescribeFlying(state, m_host, m_peer);
        DescribeFlying(state, m_peer, m_host);
    }
}

std::size_t
TcpFastForward::CountInFlight() const
{
    return m_host.flying.size() + m_peer.flying.size();
}

void
TcpFastForward::DescribeOutline(StateRecord& state, const End& end, bool drains)
{
    const tcp::Connection& connection = end.socket->GetConnection();
    if (connection.WantsDraws())
    {
        state.SetUnprovable(Obstacle::CHANCE);
    }
    if (connection.GetAcknowledged() == 0)
    {
        state.SetUnsettled(Obstacle::SHORT);
    }
    else if (!connection.GetRecovery().IsSettled())
    {
        state.SetUnsettled(Obstacle::RECOVERY);
    }
    state.Add(connection.GetOutstanding());
    // A buffer that is filled in larger pieces than leave has its own, longer cycle.
    state.Add(drains ? 0 : connection.GetBuffered());
    const uint64_t flying = end.flying.size();
    const uint64_t now = Simulator::Now().GetTimeStep();
    state.Add(static_cast<int64_t>(flying));
    state.Add(static_cast<int64_t>(now * flying - end.sentSum));
}

void
TcpFastForward::DescribeFlying(StateRecord& state, const End& end, const End& peer)
{
    const auto place = static_cast<uint32_t>(end.socket->GetConnection().GetAcknowledged());
    const auto ofPeer = static_cast<uint32_t>(peer.socket->GetConnection().GetAcknowledged());
    const auto join = [](uint32_t high, uint32_t low) {
        return static_cast<int64_t>(uint64_t{high} << 32 | low);
    };
    for (const Flying& segment : end.flying)
    {
        state.Add((Simulator::Now() - segment.sent).GetTimeStep());
        state.Add(join(segment.sequence - place, segment.ack - ofPeer));
        state.Add(join(segment.size, uint32_t{segment.window} << 16 | segment.flags));
    }
}

void
TcpFastForward::DescribeEnd(StateRecord& state, const End& end, const End& peer, bool drains)
{
    tcp::Connection connection = end.socket->GetConnection();
    const LossRecovery& recovery = connection.GetRecovery();
    const uint64_t acknowledged = connection.GetAcknowledged();
    const uint64_t ofPeer = peer.socket->GetConnection().GetAcknowledged();
    const double window = recovery.m_window.Get().window;
    const uint64_t shorts = end.shorts + recovery.m_window.CountUses();
    if (!state.CanRepeat())
    {
        state.AddReserve(window, shorts);
        return;
    }
    const Nanos now = TracedSocket::GetNow();
    const Nanos resent = std::max(end.resent, peer.resent);
    const LooseState loose =
        connection.Loosen(now, end.shortest, resent == Nanos::min() ? Nanos::max() : now - resent);
    for (const auto& timer : loose.timers)
    {
        for (const int64_t value : timer.values)
        {
            state.AddForTimer(TracedSocket::ToTime(timer.leastLeft),
                              TracedSocket::ToTime(timer.sinceStart),
                              value);
        }
    }
    state.AddReserve(window, shorts, loose.partOfSegment);
    if (drains)
    {
        connection.ForgetUnsent();
    }
    connection.Shift(now, acknowledged - 1, ofPeer - 1);
    // For the hash: what differs often.
    state.Add(connection.GetDeadline().count());
    const std::size_t segments = connection.GetOutstanding() / connection.GetSegment() + 1;
    const std::size_t octets = sizeof(tcp::Connection) + segments * sizeof(SentSegments::Segment);
    state.AddValue(std::move(connection), octets / sizeof(int64_t));
}

std::vector<int64_t>
TcpFastForward::GetTotals() const
{
    std::vector<int64_t> totals(FIRST_OF_LINK);
    totals[BYTES] = static_cast<int64_t>(m_host.socket->GetAcknowledged());
    totals[SEGMENTS] = static_cast<int64_t>(m_data[HOST_SENT]);
    totals[PEER_BYTES] = static_cast<int64_t>(m_peer.socket->GetAcknowledged());
    totals[PEER_SEGMENTS] = static_cast<int64_t>(m_data[PEER_SENT]);
    totals[ARRIVALS] = static_cast<int64_t>(m_seen[HOST_HANDLED]);
    totals[WINDOW_PROBES] = m_host.socket->GetCounts().probes;
    totals[RTT_SAMPLES] = static_cast<int64_t>(m_host.samples.size());
    totals[PEER_RTT_SAMPLES] = static_cast<int64_t>(m_peer.samples.size());
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

void
TcpFastForward::Skip(const CycleDetector::Cycle& cycle, uint64_t count)
{
    const auto& growth = cycle.growth;
    const auto times = static_cast<int64_t>(count);
    for (std::size_t i = 0; i < m_skippedTotals.size(); ++i)
    {
        m_skippedTotals[i] += growth[i] * times;
    }
    const auto take = [&](const End& end, Total total) {
        const auto& samples = end.samples;
        end.socket->Skip(cycle.length * times,
                         {samples.end() - growth[total], samples.end()},
                         count);
    };
    take(m_host, RTT_SAMPLES);
    take(m_peer, PEER_RTT_SAMPLES);
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
