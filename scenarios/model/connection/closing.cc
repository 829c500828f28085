/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How a connection ends: FIN, reset and TIME-WAIT (RFC 9293, 3.6 and 3.10.4 to 3.10.7).
 */

#include "connection.h"

namespace ns3::study::tcp
{

void
Connection::Close(const Step& step)
{
    const bool open = m_state == State::ESTABLISHED || m_state == State::CLOSE_WAIT;
    if (open && m_receive.GetUnread() > 0)
    {
        Abort(step);
        return;
    }
    CloseSending(step);
}

void
Connection::CloseSending(const Step& step)
{
    switch (m_state)
    {
    case State::SYN_SENT:
        End(News::PEER_CLOSED, step);
        break;
    case State::SYN_RECEIVED:
        m_closing = true;
        break;
    case State::ESTABLISHED:
    case State::CLOSE_WAIT:
        m_closing = true;
        if (!IsSet(SEND_SOON))
        {
            SendPending(step); // what Nagle's algorithm held
        }
        SendLoneFin(step);
        break;
    default:
        break;
    }
}

void
Connection::SendLoneFin(const Step& step)
{
    if (m_closing && m_recovery.GetNext() == m_written)
    {
        SendData(m_written, 0, true, false, step);
    }
}

void
Connection::SentFin(const Step& step)
{
    if (m_state == State::ESTABLISHED)
    {
        Become(State::FIN_WAIT_1, step);
    }
    else if (m_state == State::CLOSE_WAIT)
    {
        Become(State::LAST_ACK, step);
    }
}

void
Connection::FinAcknowledged(const Step& step)
{
    switch (m_state)
    {
    case State::FIN_WAIT_1:
        Become(State::FIN_WAIT_2, step);
        break;
    case State::CLOSING:
        EnterTimeWait(step);
        break;
    case State::LAST_ACK:
        End(News::PEER_CLOSED, step);
        break;
    default:
        break;
    }
}

void
Connection::HandleFin(int64_t place, const Step& step)
{
    m_acks.OnQuestion();
    if (m_state == State::TIME_WAIT && place + 1 == static_cast<int64_t>(m_receive.GetNext()))
    {
        SetTimer(WAIT_2MSL, step.now + m_settings.timeWait);
    }
    TakeFin(step);
}

void
Connection::TakeFin(const Step& step)
{
    if (!m_receive.IsFinished())
    {
        return;
    }
    m_acks.OnQuestion();
    switch (m_state)
    {
    case State::ESTABLISHED:
        Become(State::CLOSE_WAIT, step);
        TellNews(News::PEER_CLOSED, step);
        break;
    case State::FIN_WAIT_1:
        Become(State::CLOSING, step);
        break;
    case State::FIN_WAIT_2:
        EnterTimeWait(step);
        break;
    default:
        break;
    }
}

void
Connection::HandleReset(int64_t place, const Step& step)
{
    const auto next = static_cast<int64_t>(m_receive.GetNext());
    if (place != next)
    {
        // RFC 9293, 3.10.7.4: a challenge, or outside the window nothing
        if (place > next && place < static_cast<int64_t>(m_receive.GetEdge()))
        {
            SendAck(step);
        }
        return;
    }
    if (m_state <= State::SYN_RECEIVED)
    {
        End(News::FAILED, step); // refused
        return;
    }
    const bool breaksOff = m_state <= State::CLOSE_WAIT || m_state == State::FIN_WAIT_1 ||
                           m_state == State::FIN_WAIT_2;
    End(breaksOff ? News::BROKEN : News::PEER_CLOSED, step);
}

void
Connection::Abort(const Step& step)
{
    const bool bothClosed =
        m_state == State::CLOSING || m_state == State::LAST_ACK || m_state == State::TIME_WAIT;
    if (m_state >= State::SYN_RECEIVED && !bothClosed) // RFC 9293, 3.10.5
    {
        SendEmpty(RST, step);
    }
    End(News::BROKEN, step);
}

void
Connection::EnterTimeWait(const Step& step)
{
    StopTimers();
    Become(State::TIME_WAIT, step);
    TellNews(News::PEER_CLOSED, step);
    SetTimer(WAIT_2MSL, step.now + m_settings.timeWait);
}

void
Connection::End(News news, const Step& step)
{
    TellNews(news, step);
    StopTimers();
    Become(State::CLOSED, step);
}

} // namespace ns3::study::tcp
