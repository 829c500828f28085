/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How CorrectedTcpSocket finds losses by time (RFC 8985, RACK-TLP): what left before something that
 * has come is lost, at once or after a time for packets that change their order; and a probe is
 * sent when the tail of a flight brings no ACK.
 */

#include "corrected-tcp-socket.h"

#include "ns3/log.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("RackTlp");

namespace
{

/// How long a peer may keep back the ACK of a single segment (RFC 8985, 7.2: TLP.max_ack_delay).
const Time LONGEST_ACK_DELAY = MilliSeconds(200);
constexpr int TICKS = 2;               //!< Linux once added so many beats to both timers
const Time AT_LEAST = MilliSeconds(2); //!< and since late 2023 this, in its stable kernels too

} // namespace

Time
CorrectedTcpSocket::GetTimerMargin() const
{
    return m_timerWheel ? AT_LEAST : TICKS * m_timerTick;
}

bool
CorrectedTcpSocket::DetectsByTime() const
{
    return false;
}

Time
CorrectedTcpSocket::GetPeersAckDelay() const
{
    return LONGEST_ACK_DELAY;
}

bool
CorrectedTcpSocket::UsesRack() const
{
    return m_sackEnabled && DetectsByTime();
}

bool
CorrectedTcpSocket::IsGettingOverLoss() const
{
    return m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
           m_tcb->m_congState == TcpSocketState::CA_LOSS;
}

void
CorrectedTcpSocket::MarkLosses()
{
    if (!UsesRack())
    {
        m_scoreboard.MarkHoles(m_retxThresh, m_tcb->m_segmentSize);
        return;
    }
    // On a path that keeps the order no reordering is ever seen (RFC 8985, 6.2, step 4).
    const bool sure = IsGettingOverLoss() || m_scoreboard.GetSackedSegments() >= m_retxThresh;
    const Time reordering = sure ? Time(0) : std::min(m_tcb->m_minRtt / 4, m_tcb->m_srtt.Get());
    const Time wait = m_scoreboard.MarkOvertaken(reordering);
    m_reorderingEvent.Cancel();
    if (wait.IsStrictlyPositive())
    {
        NoteTicks(wait + GetTimerMargin());
        m_reorderingEvent = Simulator::Schedule(ToNextTick(wait + GetTimerMargin()),
                                                &CorrectedTcpSocket::ReorderingTimeout,
                                                this);
    }
}

void
CorrectedTcpSocket::ReorderingTimeout()
{
    NS_LOG_FUNCTION(this);
    if (IsClosed() || m_scoreboard.IsEmpty())
    {
        return;
    }
    MarkLosses();
    if (m_scoreboard.HasLost())
    {
        if (!IsGettingOverLoss())
        {
            EnterRecovery(0);
        }
        SendPendingData(m_connected);
    }
}

void
CorrectedTcpSocket::StartProbeTimer()
{
    // The SYN-ACK's sender learns of SACK before it has data to watch.
    if (!UsesRack() || !m_connected || m_scoreboard.IsEmpty() || IsGettingOverLoss() ||
        m_scoreboard.GetSackedSegments() > 0 || m_probing) // one at a time; the timeout watches it
    {
        m_probeDue = Time(0);
        return;
    }
    const uint32_t mss = m_tcb->m_segmentSize;
    Time wait = m_rtt->GetNSamples() > 0 ? 2 * m_rtt->GetEstimate() : Seconds(1);
    const bool single = m_scoreboard.GetTotal() <= mss;
    wait += single ? GetPeersAckDelay() : GetTimerMargin();
    m_lastEager = single ? m_lastEager : Simulator::Now();
    // The probe goes before the timeout, which it starts afresh.
    const bool watched = m_retxEvent.IsPending();
    const Time left = watched ? Simulator::GetDelayLeft(m_retxEvent) : Time::Max();
    if (m_timerWheel)
    {
        wait = std::min(wait, left);
        NoteTicks(wait);
        wait = ToNextTick(wait); // for which the timeout waits
    }
    else
    {
        wait = std::min(ToNextTick(wait), left - TimeStep(1));
    }
    m_probeDue = Simulator::Now() + std::max(wait, TimeStep(0));
    // Most often it is put off again before it expires: one event serves them all.
    if (m_probeEvent.IsPending() &&
        Simulator::Now() + Simulator::GetDelayLeft(m_probeEvent) > m_probeDue)
    {
        m_probeEvent.Cancel();
    }
    if (!m_probeEvent.IsPending())
    {
        m_probeEvent = Simulator::Schedule(wait, &CorrectedTcpSocket::ProbeTimeout, this);
    }
}

void
CorrectedTcpSocket::DescribeProbeTimer(StateRecord& state, Time rtoLeft) const
{
    // Each starts with the estimate, which may come down to the shortest round trip, and ends at a
    // tick, wherever that is in later cycles.
    const Time estimate = m_rtt->GetEstimate();
    const Time shortest = std::min(estimate, GetLeastRtt());
    const bool runs = !m_probeDue.IsZero();
    const Time left = runs ? m_probeDue - Simulator::Now() : TimeStep(-1);
    Time least = std::min(2 * shortest + GetPeersAckDelay(), rtoLeft - TimeStep(1));
    if (runs)
    {
        least = std::min(least, left - 2 * (estimate - shortest) - GetMostRounding());
    }
    for (const int64_t value : {estimate.GetTimeStep(), left.GetTimeStep(), GetTickPhase()})
    {
        state.AddForTimer(least, Time(0), value);
        state.AddForTimer(2 * shortest, Simulator::Now() - m_lastEager, value);
    }
}

Time
CorrectedTcpSocket::GetLeastRtt() const
{
    return std::min(m_leastRtt, m_rtt->GetEstimate());
}

bool
CorrectedTcpSocket::IsProbeDue() const
{
    return m_probeEvent.IsPending() && !m_probeDue.IsZero() && !m_probing && !IsGettingOverLoss();
}

void
CorrectedTcpSocket::ProbeTimeout()
{
    NS_LOG_FUNCTION(this);
    if (m_probeDue.IsZero() || IsClosed() || m_scoreboard.IsEmpty() || IsGettingOverLoss())
    {
        return;
    }
    if (m_probeDue > Simulator::Now())
    {
        m_probeEvent = Simulator::Schedule(m_probeDue - Simulator::Now(),
                                           &CorrectedTcpSocket::ProbeTimeout,
                                           this);
        return;
    }
    SendProbe();
}

void
CorrectedTcpSocket::SendProbe()
{
    m_probing = m_sendingProbe = true;
    m_probeIsNew = SendNew(m_connected);
    if (!m_probeIsNew)
    {
        const SendScoreboard::Segment& tail = m_scoreboard.MarkTail();
        SendDataPacket(tail.begin, tail.size, m_connected);
    }
    m_sendingProbe = false;
    m_probeEnd = m_tcb->m_highTxMark;
    m_probeDue = Time(0);
    m_retxEvent.Cancel();
    m_retxEvent = Simulator::Schedule(m_rto, &CorrectedTcpSocket::ReTxTimeout, this);
}

void
CorrectedTcpSocket::ProcessProbeAck(SequenceNumber32 ack, bool repeats)
{
    if (!m_probing || ack < m_probeEnd)
    {
        return;
    }
    if (m_probeIsNew || repeats)
    {
        m_probing = false; // nothing was lost, or both have come
    }
    else if (ack > m_probeEnd)
    {
        m_probing = false;
        if (!m_congestionControl->HasCongControl() && !IsGettingOverLoss())
        {
            // It has made good a loss of which nothing else tells (RFC 8985, 7.4.2).
            m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, GetFlightSize());
            m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
            m_tcb->m_cWndInfl = m_tcb->m_cWnd;
        }
    }
}

} // namespace ns3::study
