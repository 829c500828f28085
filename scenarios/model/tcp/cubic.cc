/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cubic.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("Cubic");

NS_OBJECT_ENSURE_REGISTERED(Cubic);

namespace
{

constexpr double C = 0.4;                              //!< RFC 9438, 5 [segments/s^3]
constexpr double BETA = 0.7;                           //!< RFC 9438, 4.6
constexpr double ALPHA = 3 * (1 - BETA) / (1 + BETA);  //!< RFC 9438, 4.3 [segments a round trip]
constexpr double LARGEST_INCREASE = 1.0 / 2;           //!< RFC 9438, 4.2: 1.5 times a round trip
constexpr double LEAST_INCREASE_UNTIL_LOSS = 1.0 / 20; //!< Linux's, where no loss showed a plateau

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
    if (!tcb->m_isCwndLimited || segmentsAcked == 0)
    {
        return;
    }
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
    const double window = static_cast<double>(tcb->m_cWnd) / mss;
    if (!m_inEpoch)
    {
        BeginEpoch(window);
    }
    m_reno += ALPHA * segmentsAcked / window;
    m_grown += segmentsAcked * GetIncrease(window);
    m_grown = std::max(m_grown, m_reno - window); // never behind Reno (RFC 9438, 4.3)
    const double whole = std::floor(m_grown);
    tcb->m_cWnd += static_cast<uint32_t>(whole) * mss;
    m_grown -= whole;
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
Cubic::BeginEpoch(double window)
{
    m_inEpoch = true;
    m_epochStart = Simulator::Now();
    m_plateau = std::max(m_lastMax, window);
    m_k = std::cbrt((m_plateau - window) / C);
    m_reno = window;
    m_grown = 0;
}

double
Cubic::GetIncrease(double window) const
{
    // Where the window is to be in one round trip from now.
    const double t = (Simulator::Now() - m_epochStart + m_shortest).GetSeconds() - m_k;
    const double target = m_plateau + C * t * t * t;
    double increase = std::clamp((target - window) / window, 0.0, LARGEST_INCREASE);
    if (m_lastMax == 0)
    {
        increase = std::max(increase, LEAST_INCREASE_UNTIL_LOSS);
    }
    return increase;
}

uint32_t
Cubic::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t /* bytesInFlight */)
{
    const uint32_t window = tcb->GetCwndInSegments();
    // Fast convergence (RFC 9438, 4.7).
    m_lastMax = window < m_lastMax ? window * (1 + BETA) / 2 : window;
    m_inEpoch = false;
    return std::max(static_cast<uint32_t>(window * BETA), 2U) * tcb->m_segmentSize;
}

void
Cubic::CongestionStateSet(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCongState_t newState)
{
    if (newState == TcpSocketState::CA_LOSS)
    {
        m_full = m_inEpoch = false;
        m_shortest = Time(0);
        m_lastMax = 0; // RFC 9438, 4.8
        m_hystart.Reset(tcb->m_highTxMark);
    }
}

Ptr<TcpCongestionOps>
Cubic::Fork()
{
    return CopyObject<Cubic>(this);
}

} // namespace ns3::study
