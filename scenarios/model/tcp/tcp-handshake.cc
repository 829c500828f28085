/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How a connection of CorrectedTcpSocket opens: what this end offers, what it honours, its SYN.
 */

#include "corrected-tcp-socket.h"
#include "delivery-rate.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("TcpHandshake");

TcpOffer
CorrectedTcpSocket::GetOffer() const
{
    return {};
}

void
CorrectedTcpSocket::Offer()
{
    const TcpOffer offer = GetOffer();
    m_timestampEnabled = offer.timestamps;
    m_winScalingEnabled = offer.windowScale != NO_SCALE;
    m_sackEnabled = offer.sack;
    m_txBuffer->SetSackEnabled(offer.sack);
    m_sndWindShift = 0;
}

void
CorrectedTcpSocket::HonourPeerMss(const TcpHeader& header, uint32_t peerMss)
{
    LearnPeerMss(peerMss);
    const uint32_t options =
        m_timestampEnabled && header.HasOption(TcpOption::TS) ? TIMESTAMPS_SIZE : 0;
    const uint32_t mss = std::min(m_mss, peerMss);
    m_negotiatedMss = std::max(mss, options + 1) - options;
    m_tcb->m_segmentSize = m_negotiatedMss;
    m_txBuffer->SetSegmentSize(m_tcb->m_segmentSize);
}

void
CorrectedTcpSocket::LearnPeerMss(uint32_t /* mss */)
{
}

void
CorrectedTcpSocket::SendSyn(uint8_t flags)
{
    NS_LOG_FUNCTION(this << TcpHeader::FlagsToString(flags));
    const bool late = m_connected || ((flags & TcpHeader::ACK) && m_state != SYN_RCVD);
    if ((m_endPoint == nullptr && m_endPoint6 == nullptr) || late)
    {
        return;
    }
    if (m_synCount == 0)
    {
        NotifyConnectionFailed();
        m_state = CLOSED;
        DeallocateEndPoint();
        return;
    }
    if (m_congestionControl->HasCongControl())
    {
        m_rateOps = CreateObject<DeliveryRate>(); // the parent's copy makes its own anew
    }
    const uint32_t attempt = m_synRetries - m_synCount;
    --m_synCount;
    m_rto = m_cnTimeout * (1 << attempt);
    const SequenceNumber32 seq = m_tcb->m_nextTxSequence;
    m_history.clear();
    UpdateRttHistory(seq, 0, false);
    // An answer to a SYN sent twice times neither, unless by its timestamp (RFC 6298, 3).
    m_history.back().retx = m_backedOff = attempt > 0;

    TcpHeader header;
    header.SetFlags(flags);
    header.SetSequenceNumber(seq);
    if (flags & TcpHeader::ACK)
    {
        header.SetAckNumber(m_tcb->m_rxBuffer->NextRxSequence());
        m_highTxAck = header.GetAckNumber();
    }
    header.SetWindowSize(AdvertisedWindowSize(false));
    m_rcvWindShift = m_winScalingEnabled ? GetOffer().GetShift() : 0;
    SynOptions{.mss = static_cast<uint16_t>(m_mss),
               .sack = m_sackEnabled,
               .timestamps = m_timestampEnabled,
               .now = TcpOptionTS::NowToTsValue(),
               .echo = m_timestampToEcho,
               .windowScale = m_winScalingEnabled,
               .shift = m_rcvWindShift}
        .AppendTo(header);

    SendHeader(header);
    m_retxEvent.Cancel();
    m_retxEvent = Simulator::Schedule(m_timerWheel ? ToTick(m_rto) : m_rto.Get(),
                                      &CorrectedTcpSocket::SendEmptyPacket,
                                      this,
                                      flags);
}

} // namespace ns3::study
