/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How CorrectedTcpSocket finds losses and gets over them: fast retransmit and fast recovery, with
 * SACK (RFC 6675) and without (RFC 6582), and the retransmission timeout (RFC 5681; RFC 6298).
 */

#include "corrected-tcp-socket.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("LossRecovery");

void
CorrectedTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& header)
{
    NS_LOG_FUNCTION(this << header);
    const SequenceNumber32 ack = header.GetAckNumber();
    const SequenceNumber32 oldHead = m_txBuffer->HeadSequence();
    const bool data = packet->GetSize() > 0;
    const uint32_t priorInFlight = m_tcb->m_bytesInFlight.Get();
    const uint64_t priorDelivered = m_rateOps->GetConnectionRate().m_delivered;
    m_scoreboard.SetShortestRtt(m_tcb->m_minRtt);
    const uint32_t sacked = ReadSack(header);
    if (ack < oldHead)
    {
        if (data)
        {
            ReceivedData(packet, header);
        }
        return;
    }
    m_scoreboard.AcknowledgeUpTo(ack); // before what it points at is gone
    m_txBuffer->DiscardUpTo(ack, MakeCallback(&TcpRateOps::SkbDelivered, m_rateOps));
    const auto delivered =
        static_cast<uint32_t>(m_rateOps->GetConnectionRate().m_delivered - priorDelivered);
    m_tcb->m_lastAckedSackedBytes = delivered;
    const uint32_t priorLost = m_scoreboard.GetLostOctets();
    MarkLosses();
    m_moreLost = m_scoreboard.GetLostOctets() > priorLost;
    BytesInFlight();
    ProcessAck(ack, sacked > 0, delivered, oldHead, data);
    if (m_congestionControl->HasCongControl())
    {
        const uint32_t lost = m_scoreboard.GetLostOctets();
        const auto sample = m_rateOps->GenerateSample(delivered,
                                                      lost - std::min(lost, priorLost),
                                                      false,
                                                      priorInFlight,
                                                      m_tcb->m_minRtt);
        m_congestionControl->CongControl(m_tcb, m_rateOps->GetConnectionRate(), sample);
    }
    if (data)
    {
        ReceivedData(packet, header);
    }
    SendPendingData(m_connected);
    // What acknowledges nothing new puts no probe off (RFC 8985, 7.2).
    if (UsesRack() && (ack > oldHead || sacked > 0 || IsGettingOverLoss()))
    {
        StartProbeTimer();
    }
}

uint32_t
CorrectedTcpSocket::ReadSack(const TcpHeader& header)
{
    const auto option = m_sackEnabled ? header.GetOption(TcpOption::SACK) : nullptr;
    const auto sack = DynamicCast<const TcpOptionSack>(option);
    return sack ? m_scoreboard.Sack(sack->GetSackList(),
                                    MakeCallback(&TcpRateOps::SkbDelivered, m_rateOps))
                : 0;
}

void
CorrectedTcpSocket::ProcessAck(const SequenceNumber32& ackNumber,
                               bool scoreboardUpdated,
                               uint32_t currentDelivered,
                               const SequenceNumber32& oldHeadSequence,
                               bool receivedData)
{
    m_tcb->m_lastAckedSeq = ackNumber;
    const bool advances = ackNumber > oldHeadSequence;
    // One that only changes the window is none (RFC 5681, 2).
    const bool repeats =
        !advances && ackNumber < m_tcb->m_highTxMark && !receivedData && !m_windowChanged;
    const bool duplicate = m_sackEnabled ? scoreboardUpdated : repeats;
    ProcessProbeAck(ackNumber, repeats && !scoreboardUpdated);
    const bool partial = advances && m_tcb->m_congState == TcpSocketState::CA_RECOVERY;
    if (duplicate && !partial) // for that one is counted below
    {
        DupAck(currentDelivered);
    }
    if (!advances && ackNumber == m_tcb->m_highTxMark)
    {
        return;
    }
    if (advances)
    {
        NewDataAcknowledged(ackNumber, oldHeadSequence, currentDelivered, duplicate);
    }
    else if (ackNumber > m_tcb->m_highTxMark)
    {
        m_tcb->m_nextTxSequence = ackNumber; // it acknowledges the FIN
    }
    else if (duplicate || !m_windowChanged)
    {
        m_congestionControl->PktsAcked(m_tcb, 1, m_tcb->m_lastRtt);
    }
    UpdatePacingRate();
}

void
CorrectedTcpSocket::DupAck(uint32_t delivered)
{
    using State = TcpSocketState;
    if (m_tcb->m_congState == State::CA_LOSS)
    {
        return; // it may be for what was sent again needlessly
    }
    const uint32_t mss = m_tcb->m_segmentSize;
    if (m_tcb->m_congState == State::CA_RECOVERY)
    {
        if (!m_sackEnabled)
        {
            m_scoreboard.SetLeft(m_scoreboard.GetLeft() + mss);
            delivered = mss; // RFC 9937
        }
        ReduceWindow(delivered, true);
        return;
    }
    ++m_dupAckCount;
    if (m_tcb->m_congState == State::CA_OPEN)
    {
        m_congestionControl->CongestionStateSet(m_tcb, State::CA_DISORDER);
        m_tcb->m_congState = State::CA_DISORDER;
    }
    // Without SACK these may be for what the last recovery sent again needlessly, until something
    // beyond it is acknowledged (RFC 6582, 3.2, step 2).
    const bool news = m_sackEnabled || !m_recoverActive;
    const bool enough = !UsesRack() && m_dupAckCount >= m_retxThresh;
    if (news && (enough || m_scoreboard.HasLost()))
    {
        EnterRecovery(delivered);
    }
    else if (!m_sackEnabled && m_limitedTx && m_dupAckCount < m_retxThresh)
    {
        m_scoreboard.SetLeft(m_scoreboard.GetLeft() + mss); // RFC 3042
    }
}

void
CorrectedTcpSocket::EnterRecovery(uint32_t delivered)
{
    NS_LOG_FUNCTION(this << m_dupAckCount);
    const uint32_t flight = GetFlightSize();
    if (!UsesRack())
    {
        m_scoreboard.MarkHead();
    }
    if (!m_sackEnabled)
    {
        m_scoreboard.SetLeft(m_retxThresh * m_tcb->m_segmentSize);
    }
    BytesInFlight(); // for what follows
    m_recover = m_tcb->m_highTxMark;
    m_recoverActive = true;
    m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_RECOVERY);
    m_tcb->m_congState = TcpSocketState::CA_RECOVERY;
    m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, flight);
    if (!m_congestionControl->HasCongControl())
    {
        // Without what an earlier ACK has told of (RFC 9937).
        const uint32_t told = m_scoreboard.GetSackedOctets();
        const uint32_t outstanding = UnAckDataCount() - (told - std::min(told, delivered));
        m_recoveryOps->EnterRecovery(m_tcb, m_dupAckCount, outstanding, delivered);
    }
    RetransmitFirst();
}

void
CorrectedTcpSocket::ReduceWindow(uint32_t delivered, bool mayBeLoss)
{
    if (!m_congestionControl->HasCongControl() && delivered > 0)
    {
        BytesInFlight(); // for what follows
        m_recoveryOps->DoRecovery(m_tcb, delivered, mayBeLoss);
    }
}

void
CorrectedTcpSocket::RetransmitFirst()
{
    if (m_scoreboard.HasLost()) // or else it is on its way again, since the recovery before this
    {
        const SendScoreboard::Segment& lost = m_scoreboard.GetLost();
        m_retxEvent.Cancel(); // what runs was meant for what was sent first, as in Linux
        SendDataPacket(lost.begin, lost.size, true);
    }
}

uint32_t
CorrectedTcpSocket::GetFlightSize() const
{
    // What limited transmit has added does not count (RFC 5681, 3.2, step 2): it is what lies
    // beyond the congestion window, which nothing has lowered yet.
    return std::min(UnAckDataCount(), m_tcb->m_cWnd.Get());
}

void
CorrectedTcpSocket::NewDataAcknowledged(SequenceNumber32 ack,
                                        SequenceNumber32 oldHead,
                                        uint32_t delivered,
                                        bool duplicate)
{
    using State = TcpSocketState;
    const uint32_t mss = m_tcb->m_segmentSize;
    m_bytesAckedNotProcessed += delivered;
    uint32_t segments = m_bytesAckedNotProcessed / mss;
    m_bytesAckedNotProcessed %= mss;
    if (!duplicate)
    {
        m_dupAckCount = 0;
    }
    const State::TcpCongState_t state = m_tcb->m_congState;
    const bool partial = m_recoverActive && ack < m_recover;
    m_recoverActive = m_recoverActive && ack <= m_recover;
    if (state == State::CA_RECOVERY && partial)
    {
        if (!m_sackEnabled)
        {
            // One of them is what was sent again, the others had told of themselves.
            const auto acknowledged = static_cast<uint32_t>(ack - oldHead);
            const uint32_t told = m_scoreboard.GetLeft();
            const uint32_t left = told + mss;
            m_scoreboard.SetLeft(left - std::min(left, std::max(acknowledged, mss)));
            m_scoreboard.MarkHead();
            delivered = acknowledged - std::min(acknowledged, told);
        }
        ReduceWindow(delivered, !m_sackEnabled || m_moreLost);
        if (!m_sackEnabled)
        {
            RetransmitFirst();
        }
        m_congestionControl->PktsAcked(m_tcb, 1, m_tcb->m_lastRtt);
        NewAck(ack, true);
        return;
    }
    if (state == State::CA_LOSS && partial)
    {
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
        m_congestionControl->IncreaseWindow(m_tcb, segments);
        NewAck(ack, true);
        return;
    }
    if (!m_sackEnabled)
    {
        m_scoreboard.SetLeft(0);
    }
    if (state == State::CA_RECOVERY)
    {
        segments = static_cast<uint32_t>(ack - oldHead) / mss;
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
        m_congestionControl->CwndEvent(m_tcb, State::CA_EVENT_COMPLETE_CWR);
        m_dupAckCount = 0;
    }
    else
    {
        m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_lastRtt);
    }
    if (state != State::CA_OPEN && !(state == State::CA_DISORDER && duplicate))
    {
        m_congestionControl->CongestionStateSet(m_tcb, State::CA_OPEN);
        m_tcb->m_congState = State::CA_OPEN;
    }
    if (state == State::CA_RECOVERY)
    {
        if (!m_congestionControl->HasCongControl()) // or else it has set the window itself
        {
            m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
            m_recoveryOps->ExitRecovery(m_tcb);
        }
    }
    else if (m_tcb->m_congState == State::CA_OPEN)
    {
        m_congestionControl->IncreaseWindow(m_tcb, segments);
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
    const bool over = state == State::CA_RECOVERY || state == State::CA_LOSS;
    if (over && m_sackEnabled && m_scoreboard.GetLostOctets() > 0)
    {
        // What was lost of that which left since it began: another window (RFC 6675, 5).
        EnterRecovery(delivered);
    }
    else if (state == State::CA_RECOVERY && !m_congestionControl->HasCongControl() &&
             GetCongestionControl() != CongestionControl::NEWRENO)
    {
        m_congestionControl->IncreaseWindow(m_tcb, delivered / mss); // at once, as in Linux
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
    NewAck(ack, true);
}

void
CorrectedTcpSocket::ReTxTimeout()
{
    if (!WaitForTick())
    {
        RetransmissionTimeout();
    }
}

void
CorrectedTcpSocket::RetransmissionTimeout()
{
    NS_LOG_FUNCTION(this);
    if (m_scoreboard.IsEmpty())
    {
        RetransmitFin();
        return;
    }
    m_backedOff = true;
    if (m_dataRetrCount == 0)
    {
        NotifyErrorClose();
        DeallocateEndPoint();
        return;
    }
    --m_dataRetrCount;
    m_dupAckCount = 0;
    m_probing = false;
    m_reorderingEvent.Cancel();
    // Once for a window of data, as in Linux: a recovery has lowered it, or the timeout before.
    const bool lowered =
        m_tcb->m_congState == TcpSocketState::CA_RECOVERY ||
        (m_tcb->m_congState == TcpSocketState::CA_LOSS && m_scoreboard.GetHead().everResent);
    if (!lowered)
    {
        m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, GetFlightSize());
    }
    m_scoreboard.MarkAll();
    m_recover = m_tcb->m_highTxMark; // RFC 6582, 4
    m_recoverActive = true;
    BackOff();
    m_history.clear();
    m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_LOSS);
    m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_LOSS);
    m_tcb->m_congState = TcpSocketState::CA_LOSS;
    m_tcb->m_cWnd = m_tcb->m_segmentSize;
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    m_pacingTimer.Cancel();
    SendPendingData(m_connected);
}

void
CorrectedTcpSocket::RetransmitFin()
{
    if (!IsFinOutstanding())
    {
        return;
    }
    if (m_dataRetrCount == 0)
    {
        NotifyErrorClose();
        DeallocateEndPoint();
        return;
    }
    --m_dataRetrCount;
    m_backedOff = true;
    BackOff();
    m_history.clear();
    SendEmptyPacket(TcpHeader::FIN);
}

} // namespace ns3::study
