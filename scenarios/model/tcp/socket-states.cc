/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What decides the course of each socket, for the proof of cycles (CycleDetector), and what changes
 * when cycles are taken off.
 */

#include "cubic.h"
#include "device-tcp-socket.h"
#include "host-tcp-socket.h"
#include "segment-fields.h"

#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <limits>

namespace ns3::study
{

void
CorrectedTcpSocket::Describe(StateRecord& state) const
{
    const SequenceNumber32 head = m_txBuffer->HeadSequence();
    const SequenceNumber32 next = m_tcb->m_rxBuffer->NextRxSequence();
    state.Add(m_state);
    state.Add(m_closeOnEmpty);
    // what it sends
    state.Add(m_tcb->m_nextTxSequence.Get() - head);
    state.Add(m_tcb->m_highTxMark.Get() - head);
    state.Add(m_highRxAckMark.Get() - head);
    state.Add(m_txBuffer->Size());
    state.Add(m_txBuffer->Available());
    state.Add(m_scoreboard.GetPipe());
    state.Add(m_rWnd.Get());
    state.Add(m_tcb->m_segmentSize);
    state.Add(static_cast<int64_t>(m_history.size()));
    state.AddTimer(m_sendPendingDataEvent);
    // what it receives
    state.Add(m_highRxMark.Get() - next);
    state.Add(m_timestampEnabled ? m_highTxAck - next : 0); // read for timestamps alone
    state.Add(m_tcb->m_rxBuffer->Size());
    state.Add(m_tcb->m_rxBuffer->Available());
    state.Add(m_tcb->m_rxBuffer->MaxRxSequence() - next);
    state.Add(m_delAckCount);
    state.AddTimer(m_delAckEvent);
    // What it was sent with is what it runs with: each new ACK starts it afresh.
    const bool watched = m_retxEvent.IsPending();
    const Time left = watched ? Simulator::GetDelayLeft(m_retxEvent) : TimeStep(-1);
    const Time leastLeft = m_minRto - (watched ? m_rto.Get() - left : Time(0));
    state.Add(watched);
    for (const Time& time : {m_rtt->GetEstimate(), m_rtt->GetVariation(), m_rto.Get(), left})
    {
        state.AddForTimer(leastLeft, Time(0), time.GetTimeStep());
    }
    if (m_timerWheel)
    {
        state.AddForTimer(leastLeft, Time(0), GetTickPhase());
    }
    DescribeLossDetection(state);
    if (UsesRack())
    {
        DescribeProbeTimer(state, leastLeft);
    }
    state.Add(m_persistEvent.IsPending() ? m_persistTimeout.GetTimeStep() : 0);
    DescribeTickTimer(state, m_persistEvent, m_persistStarted, m_firstPersistTimeout);
    state.Add(m_backedOff);
}

void
CorrectedTcpSocket::DescribeLossDetection(StateRecord& state) const
{
    // A duplicate ACK alone may be part of a cycle, as where the same is sent in vain in each.
    state.Add(m_tcb->m_congState.Get());
    state.Add(m_dupAckCount);
    state.Add(m_scoreboard.GetLeft());
    if (IsGettingOverLoss() || m_scoreboard.GetLostOctets() > 0 ||
        m_scoreboard.GetSackedOctets() > 0)
    {
        state.SetUnsettled();
    }
    state.Add(m_recoverActive ? m_recover - m_txBuffer->HeadSequence() : -1);
    state.AddTimer(m_reorderingEvent);
    state.Add(m_probing ? m_probeEnd - m_txBuffer->HeadSequence() : -1);
    state.Add(m_probing && m_probeIsNew);
    if (m_timestampEnabled)
    {
        // What was sent again is timed by them, in milliseconds of the simulator's clock.
        const Time phase = TimeStep(Simulator::Now().GetTimeStep() % MilliSeconds(1).GetTimeStep());
        state.AddForTimer(Time(0), Simulator::Now() - m_lastResent, phase.GetTimeStep());
    }
}

void
CorrectedTcpSocket::Skip(Time time)
{
    m_skipped += time;
}

void
CorrectedTcpSocket::SkipRttSamples(const std::vector<Time>& samples, uint64_t cycles)
{
    const Time before = m_rtt->GetEstimate();
    const Time variationBefore = m_rtt->GetVariation();
    for (; cycles > 0; --cycles)
    {
        const Time estimate = m_rtt->GetEstimate();
        const Time variation = m_rtt->GetVariation();
        for (const Time& sample : samples)
        {
            m_rtt->Measurement(sample);
        }
        if (m_rtt->GetEstimate() == estimate && m_rtt->GetVariation() == variation)
        {
            break; // and so for all the cycles left
        }
    }
    if (m_rtt->GetEstimate() == before && m_rtt->GetVariation() == variationBefore)
    {
        return; // nor has the timeout changed, which may be backed off
    }
    m_rto =
        Max(m_rtt->GetEstimate() + Max(m_clockGranularity, m_rtt->GetVariation() * 4), m_minRto);
}

void
DeviceTcpSocket::Describe(StateRecord& state) const
{
    CorrectedTcpSocket::Describe(state);
    const SequenceNumber32 next = m_tcb->m_rxBuffer->NextRxSequence();
    for (const auto& arrival : m_arrivals)
    {
        state.Add(SegmentFields::Of(arrival.segment).sequence - next);
        state.Add(arrival.size);
        state.Add(arrival.news);
        state.Add(arrival.probe);
        state.Add((Simulator::Now() - arrival.arrived).GetTimeStep());
    }
    state.Add(static_cast<int64_t>(m_arrivals.size()));
    state.Add(m_arrivedUpTo - next);
    state.Add(m_sinceAnswer);
    state.Add(m_attendingBulk);
    state.Add(m_ackWanted);
    state.Add(m_mayWithhold);
    state.Add(m_largestSegment);
    state.Add(m_quickAcksLeft);
    state.Add(m_lastAck - next);
    state.Add(m_windowEdge - next);
    state.AddTimer(m_attentionEvent);
    state.AddTimer(m_ackEvent);
    state.AddTimer(m_synAckEvent);
    state.AddTimer(m_delayedAckEvent);
    if (m_delayedAckTimer == FREE_RUNNING)
    {
        // Where the timer stands does not matter to a cycle in which nobody asks it.
        state.AddForTimer(Time(0),
                          Simulator::Now() - m_delayedAckStarted,
                          GetClock().GetTimeStep() % m_delayedAckTimeout.GetTimeStep());
    }
    if (m_ackLatencySpread.IsStrictlyPositive())
    {
        state.SetUnprovable();
    }
}

void
HostTcpSocket::Describe(StateRecord& state) const
{
    CorrectedTcpSocket::Describe(state);
    state.AddInstant(m_busyUntil);
    state.AddTimer(m_nextSegmentEvent);
    state.Add(m_inBurst);
    state.Add(m_written);
    state.Add(m_largestWindow);
    m_acks.Describe(state);
    m_memory.Describe(state);
    DescribePace(state);
    DescribeBlocks(state);
    m_window.Describe(state, GetRoundTrip());
    state.Add(std::max<int64_t>(0, m_smallEnd - m_txBuffer->HeadSequence()));
    state.Add(m_burst > 0);
    state.Add(m_ofBlock);
    state.AddForTimer(Time(0), m_acks.GetSinceData(), GetAckWait().GetTimeStep());
    DescribeTickTimer(state, m_overrideEvent, m_overrideStarted, m_overrideTimeout);
    m_clock.Describe(state);
    if (m_congestionControl->HasCongControl())
    {
        state.SetUnprovable(); // it goes by measured rates, and draws its phases
    }
}

void
HostTcpSocket::DescribePace(StateRecord& state) const
{
    if (m_sendBufferRule != SendBufferRule::LINUX)
    {
        return;
    }
    const uint32_t window = m_tcb->m_cWnd;
    // The least that is ever let go together, from now on, and the most.
    const uint32_t least = GetBurst(0, Time::Max(), m_tcb->m_minRtt);
    const uint32_t most = GetBurst(200 * uint64_t{window}, GetLeastRtt(), GetLeastRtt());
    const bool whole = least == GetBurst(0, Time::Max(), Time(0)); // and no more by any window
    const bool bounded = !m_sendBufferGrows || m_memory.GetBound() == m_sendBuffer;
    state.Add(least);
    state.Add(whole && bounded ? 0 : window);
    if (!whole && most != least)
    {
        state.Add(m_tcb->m_ssThresh.Get());
        state.Add(GetRoundTrip().GetTimeStep());
        state.Add(m_tcb->m_minRtt.GetTimeStep());
        if (const auto cubic = DynamicCast<const Cubic>(m_congestionControl))
        {
            cubic->DescribeSlowStart(state, m_tcb);
        }
    }
}

void
HostTcpSocket::DescribeBlocks(StateRecord& state) const
{
    if (m_sillyWindowAvoidance != SillyWindowAvoidance::BURST)
    {
        return;
    }
    const uint32_t window = m_tcb->m_cWnd;
    const Time shortest = m_tcb->m_minRtt;
    const uint32_t least = GetBlock(0, Time::Max(), shortest);
    const uint32_t most = GetBlock(200 * uint64_t{window}, GetLeastRtt(), GetLeastRtt());
    const bool ample = window / 2 > m_largestWindow + 2 * m_tcb->m_segmentSize;
    state.Add(least);
    state.Add(ample ? 0 : window);
    if (most != least)
    {
        state.Add(m_tcb->m_ssThresh.Get());
        state.Add(GetRoundTrip().GetTimeStep());
        state.Add(shortest.GetTimeStep());
    }
}

void
HostTcpSocket::DescribeCongestionWindow(StateRecord& state, uint64_t retransmissions) const
{
    // Of New Reno the window and its threshold are all there is, of the others not.
    const bool known = m_congestion == CongestionControl::NEWRENO;
    const uint64_t shorts = m_congestionWaits + retransmissions;
    state.Add(known ? m_tcb->m_ssThresh.Get() : static_cast<int64_t>(shorts));
    if (known || !IsCongestionWindowAmple())
    {
        state.AddReserve(m_tcb->m_cWnd.Get(), shorts, m_bytesAckedNotProcessed);
    }
    else
    {
        state.AddReserve(std::numeric_limits<double>::infinity(), 0);
    }
}

bool
HostTcpSocket::LacksCongestionWindow() const
{
    const uint32_t outstanding = m_scoreboard.GetTotal();
    const uint32_t unsent = m_txBuffer->Size() - std::min(m_txBuffer->Size(), outstanding);
    return unsent > 0 &&
           m_tcb->m_cWnd.Get() < BytesInFlight() + std::min(unsent, m_tcb->m_segmentSize);
}

bool
HostTcpSocket::IsCongestionWindowAmple() const
{
    const uint64_t mss = m_negotiatedMss;
    const uint64_t last = m_sendBufferRule == SendBufferRule::LINUX ? GetWholeBlock() : mss;
    return m_tcb->m_cWnd.Get() >= std::min<uint64_t>(m_largestWindow, m_sendBuffer + last) + mss;
}

} // namespace ns3::study
