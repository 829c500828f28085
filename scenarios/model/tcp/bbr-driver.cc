/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bbr-driver.h"

#include "model/core/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>

namespace ns3::study
{

TcpSocketState::TcpCongState_t
ToCongState(LossRecovery::State state)
{
    constexpr std::array same{TcpSocketState::CA_OPEN,
                              TcpSocketState::CA_DISORDER,
                              TcpSocketState::CA_RECOVERY,
                              TcpSocketState::CA_LOSS};
    return same[static_cast<std::size_t>(state)];
}

BbrDriver::BbrDriver(const tcp::ConnectionSettings& settings,
                     const tcp::Connection& connection,
                     int64_t stream)
    : m_bbr(CreateObject<TcpBbr>()),
      m_tcb(CreateObject<TcpSocketState>())
{
    if (stream >= 0)
    {
        m_bbr->SetStream(static_cast<uint32_t>(stream));
    }
#if NS3_STUDY_BBR_NEEDS_RATE_OPS
    m_bbr->SetRateOps(CreateObject<TcpRateLinux>());
#endif
    const CongestionState& window = connection.GetRecovery().m_window.Get();
    m_tcb->m_pacing = true;
    m_tcb->m_initialCWnd = settings.recovery.initialWindow;
    m_tcb->m_cWnd = window.window;
    m_tcb->m_ssThresh = m_tcb->m_initialSsThresh = window.threshold;
    m_tcb->m_congState = TcpSocketState::CA_OPEN;
    Look(connection);
    m_bbr->CongestionStateSet(m_tcb, TcpSocketState::CA_OPEN);
}

void
BbrDriver::Look(const tcp::Connection& connection)
{
    const LossRecovery& recovery = connection.GetRecovery();
    const auto toTime = [](Nanos interval) { return NanoSeconds(interval.count()); };
    const Nanos shortest = recovery.m_timeout.GetShortest();
    m_tcb->m_segmentSize = recovery.m_window.Get().mss;
    m_tcb->m_bytesInFlight = recovery.GetSegments().GetPipe();
    m_tcb->m_minRtt = shortest == Nanos::max() ? Time::Max() : toTime(shortest);
    m_tcb->m_srtt = toTime(recovery.m_timeout.GetSmoothed());
    const Nanos last = recovery.GetLastRtt(); // or else the handshake's
    m_tcb->m_lastRtt = toTime(last > 0ns ? last : recovery.m_timeout.GetSmoothed());
}

void
BbrDriver::Deliver(uint64_t begin, uint64_t end)
{
    auto each = m_inFlight.lower_bound(begin);
    while (each != m_inFlight.end() && each->second.end <= end)
    {
        const Departure& left = each->second;
        if (m_sample.m_priorDelivered == 0 || left.delivered > m_sample.m_priorDelivered)
        {
            m_sample.m_priorDelivered = static_cast<uint32_t>(left.delivered);
            m_sample.m_priorTime = left.deliveredTime;
            m_sample.m_ackElapsed = Simulator::Now() - left.deliveredTime;
            m_sample.m_sendElapsed = left.sent - left.firstSent;
            m_sample.m_isAppLimited = left.limited;
            m_rate.m_firstSentTime = left.sent;
        }
        each = m_inFlight.erase(each);
    }
}

void
BbrDriver::Heard(const tcp::Heard& heard, const tcp::Connection& connection)
{
    m_sample = {}; // each ACK has its own
    for (const auto& [begin, end] : heard.sack)
    {
        const auto toOffset = [&heard](tcp::Sequence number) {
            return heard.number + (number - tcp::Sequence{static_cast<uint32_t>(heard.number)});
        };
        Deliver(toOffset(begin), toOffset(end));
    }
    Deliver(0, heard.number);
    if (heard.delivered > 0)
    {
        m_rate.m_delivered += heard.delivered;
        m_rate.m_deliveredTime = Simulator::Now();
        m_limited = m_rate.m_delivered > m_limited ? 0 : m_limited;
    }
    m_tcb->m_lastAckedSackedBytes = heard.delivered;
    Follow(connection);
    m_sample.m_ackedSacked = heard.delivered;
    m_sample.m_bytesLoss = heard.lost;
    m_sample.m_priorInFlight = heard.inFlight;
    m_sample.m_interval = std::max(m_sample.m_sendElapsed, m_sample.m_ackElapsed);
    m_sample.m_delivered = static_cast<int32_t>(m_rate.m_delivered - m_sample.m_priorDelivered);
    if (m_sample.m_priorTime.IsZero())
    {
        m_sample.m_delivered = -1;
        m_sample.m_interval = Time(0);
    }
    else if (m_sample.m_interval < m_tcb->m_minRtt)
    {
        m_sample.m_interval = m_sample.m_priorTime = Time(0);
    }
    else
    {
        m_sample.m_deliveryRate =
            DataRate(m_sample.m_delivered * 8.0 / m_sample.m_interval.GetSeconds());
    }
    m_bbr->CongControl(m_tcb, m_rate, m_sample);
}

void
BbrDriver::Follow(const tcp::Connection& connection)
{
    using State = LossRecovery::State;
    Look(connection);
    const State now = connection.GetRecovery().GetState();
    if (now == m_state)
    {
        return;
    }
    if (m_state >= State::RECOVERY && now < State::RECOVERY)
    {
        // Linux restores the window after a timeout, too: bbr_set_cwnd_to_recover_or_restore
        m_bbr->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
    }
    const auto told = ToCongState(now);
    m_bbr->CongestionStateSet(m_tcb, told);
    m_tcb->m_congState = told;
    if (now == State::LOSS)
    {
        m_tcb->m_cWnd = m_tcb->m_segmentSize;
    }
    m_state = now;
}

void
BbrDriver::Write(const tcp::Connection& connection)
{
    const SentSegments& segments = connection.GetRecovery().GetSegments();
    const uint32_t unsent = connection.GetBuffered() - connection.GetOutstanding();
    const bool waits = segments.HasLost() || segments.GetPipe() >= m_tcb->m_cWnd;
    // A connection's first flight tells a rate: a real kernel's packets show it (tests/live).
    if (unsent < m_tcb->m_segmentSize && !waits && m_rate.m_delivered > 0)
    {
        m_limited = m_rate.m_delivered + segments.GetPipe();
    }
}

void
BbrDriver::Sent(uint64_t begin, uint32_t size, bool first)
{
    const Time now = Simulator::Now();
    if (first)
    {
        m_rate.m_firstSentTime = m_rate.m_deliveredTime = now;
        m_bbr->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_TX_START);
    }
    m_inFlight[begin] = {.end = begin + size,
                         .sent = now,
                         .firstSent = m_rate.m_firstSentTime,
                         .deliveredTime = m_rate.m_deliveredTime,
                         .delivered = m_rate.m_delivered,
                         .limited = m_limited > 0};
}

tcp::Steer
BbrDriver::Get() const
{
    return {.window = m_tcb->m_cWnd,
            .threshold = m_tcb->m_ssThresh,
            .bitsPerSecond = m_tcb->m_pacingRate.Get().GetBitRate()};
}

} // namespace ns3::study
