/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("Cubic");

NS_OBJECT_ENSURE_REGISTERED(Cubic);

namespace
{

constexpr double C = 0.4;             //!< RFC 9438, 5 [segments/s^3]
constexpr uint32_t BETA = 717;        //!< RFC 9438, 4.6: 0.7 ...
constexpr uint32_t BETA_SCALE = 1024; //!< ... of so many
/// Eighths of a window that, acknowledged, are a segment of Reno's growth:
/// 8 (1 + beta) / (3 (1 - beta)) (RFC 9438, 4.3), rounded down.
constexpr uint32_t RENO_EIGHTHS = 8 * (BETA_SCALE + BETA) / 3 / (BETA_SCALE - BETA);
static_assert(RENO_EIGHTHS == 15);
constexpr uint32_t LEAST_PACE = 2;            //!< RFC 9438, 4.2: 1.5 times a round trip
constexpr uint32_t PACE_UNTIL_LOSS = 20;      //!< where no loss showed a plateau, at most that
constexpr uint32_t ROUND_TRIPS_AT_REST = 100; //!< for a segment, where the window is to stay
constexpr double FARTHEST = 1e9;              //!< that a target is from the plateau [segments]
const Time LONGEST_PACE = Seconds(1) / 32;    //!< a pace is seen to again

} // namespace

TypeId
Cubic::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::Cubic")
                            .SetParent<TcpCongestionOps>()
                            .SetGroupName("Study")
                            .AddConstructor<Cubic>();
    return tid;
}

std::string
Cubic::GetName() const
{
    return "Cubic";
}

void
Cubic::Init(Ptr<TcpSocketState> tcb)
{
    m_hystart.Reset(tcb->m_highTxMark);
}

void
Cubic::PktsAcked(Ptr<TcpSocketState> tcb, uint32_t /* segmentsAcked */, const Time& rtt)
{
    if (!rtt.IsStrictlyPositive())
    {
        return; // it acknowledges nothing that was timed
    }
    m_shortest = m_shortest.IsZero() ? rtt : std::min(m_shortest, rtt);
    const bool slowStart = tcb->m_cWnd < tcb->m_ssThresh;
    if (slowStart && !m_full &&
        m_hystart.IsFull(tcb->m_lastAckedSeq, tcb->m_highTxMark, rtt, tcb->GetCwndInSegments()))
    {
        NS_LOG_LOGIC("the path is full at " << tcb->m_cWnd);
        m_full = true;
        tcb->m_ssThresh = tcb->m_cWnd.Get();
    }
}

void
Cubic::IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked)
{
    if (segmentsAcked == 0)
    {
        return;
    }
    if (!tcb->m_isCwndLimited)
    {
        m_paused = true;
        return;
    }
    LeaveOutPause();
    const uint32_t mss = tcb->m_segmentSize;
    if (tcb->m_cWnd < tcb->m_ssThresh)
    {
        const uint32_t missing = (tcb->m_ssThresh - tcb->m_cWnd + mss - 1) / mss;
        const uint32_t step = std::min(segmentsAcked, missing);
        tcb->m_cWnd += step * mss;
        segmentsAcked -= step;
    }
    if (segmentsAcked == 0)
    {
        return;
    }
    UpdatePace(tcb->GetCwndInSegments(), segmentsAcked);
    tcb->m_cWnd += m_growth.Add(segmentsAcked, m_pace) * mss;
}

void
Cubic::DescribeSlowStart(StateRecord& state, Ptr<const TcpSocketState> tcb) const
{
    const bool slowStart = !m_full && tcb->m_cWnd < tcb->m_ssThresh;
    state.Add(slowStart);
    if (slowStart)
    {
        m_hystart.Describe(state, tcb->m_lastAckedSeq);
    }
}

void
Cubic::BeginEpoch(uint32_t window)
{
    m_inEpoch = true;
    m_epochStart = Simulator::Now();
    m_plateau = std::max(m_lastMax, window);
    m_k = std::cbrt((m_plateau - window) / C);
    m_reno = window;
    m_towardsReno = 0;
}

void
Cubic::LeaveOutPause()
{
    const Time now = Simulator::Now();
    if (m_paused)
    {
        m_epochStart += now - std::max(m_lastUsed, m_epochStart);
        m_pacedWindow = 0; // the pace was one for the pause's time
    }
    m_paused = false;
    m_lastUsed = now;
}

void
Cubic::UpdatePace(uint32_t window, uint32_t acknowledged)
{
    window = std::max(window, 1U); // after the MSS has grown, it may be less than a segment
    m_towardsReno += acknowledged;
    const Time now = Simulator::Now();
    if (window == m_pacedWindow && now - m_pacedAt <= LONGEST_PACE)
    {
        return;
    }
    m_pacedWindow = window;
    m_pacedAt = now;
    if (!m_inEpoch)
    {
        BeginEpoch(window);
        m_towardsReno = acknowledged;
    }
    const uint32_t target = GetTarget();
    constexpr uint64_t slowest = std::numeric_limits<uint32_t>::max();
    const uint64_t atRest = std::min(uint64_t{window} * ROUND_TRIPS_AT_REST, slowest);
    m_pace = target > window ? window / (target - window) : static_cast<uint32_t>(atRest);
    if (m_lastMax == 0)
    {
        m_pace = std::min(m_pace, PACE_UNTIL_LOSS);
    }
    // Never behind Reno (RFC 9438, 4.3).
    const uint64_t step = uint64_t{window} * RENO_EIGHTHS / 8;
    const uint64_t grown = m_towardsReno > step ? (m_towardsReno - 1) / step : 0; // only when past
    m_towardsReno -= grown * step;
    m_reno += static_cast<uint32_t>(grown);
    if (m_reno > window)
    {
        m_pace = std::min(m_pace, window / (m_reno - window));
    }
    m_pace = std::max(m_pace, LEAST_PACE);
}

uint32_t
Cubic::GetTarget() const
{
    const double t = (Simulator::Now() - m_epochStart + m_shortest).GetSeconds() - m_k;
    const auto distance = static_cast<uint32_t>(std::min(C * std::abs(t * t * t), FARTHEST));
    if (t < 0)
    {
        return m_plateau - std::min(m_plateau, distance);
    }
    return m_plateau + distance;
}

uint32_t
Cubic::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t /* bytesInFlight */)
{
    const uint64_t window = tcb->GetCwndInSegments();
    // Fast convergence (RFC 9438, 4.7).
    const bool fast = window < m_lastMax;
    m_lastMax =
        static_cast<uint32_t>(fast ? window * (BETA_SCALE + BETA) / (2 * BETA_SCALE) : window);
    m_inEpoch = false;
    m_growth.Reset();
    const auto left = static_cast<uint32_t>(window * BETA / BETA_SCALE);
    return std::max(left, 2U) * tcb->m_segmentSize;
}

void
Cubic::CongestionStateSet(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCongState_t newState)
{
    if (newState == TcpSocketState::CA_LOSS)
    {
        m_full = m_inEpoch = false;
        m_growth.Reset();
        m_pacedWindow = 0;
        m_towardsReno = 0;
        m_shortest = Time(0);
        m_lastMax = 0; // RFC 9438, 4.8
        m_hystart.Reset(tcb->m_highTxMark);
    }
}

void
Cubic::CwndEvent(Ptr<TcpSocketState> /* tcb */, const TcpSocketState::TcpCAEvent_t event)
{
    // The first segment after nothing was under way; before the first one nothing is counted.
    m_paused = m_paused || event == TcpSocketState::CA_EVENT_TX_START;
}

Ptr<TcpCongestionOps>
Cubic::Fork()
{
    return CopyObject<Cubic>(this);
}

} // namespace ns3::study
