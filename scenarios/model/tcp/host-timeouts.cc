/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What HostTcpSocket does when one of its timers expires, and what it tells its clock and traces.
 */

#include "host-tcp-socket.h"

#include "ns3/log.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("HostTimeouts");

void
HostTcpSocket::RetransmissionTimeout()
{
    NS_LOG_FUNCTION(this);
    if (!m_scoreboard.IsEmpty())
    {
        m_clock.RetransmissionTimeout();
    }
    CorrectedTcpSocket::RetransmissionTimeout();
    Judge();
}

void
HostTcpSocket::ReorderingTimeout()
{
    CorrectedTcpSocket::ReorderingTimeout();
    Judge();
}

void
HostTcpSocket::SendProbe()
{
    m_clock.RetransmissionTimeout();
    CorrectedTcpSocket::SendProbe();
    Judge();
}

void
HostTcpSocket::DelAckTimeout()
{
    NS_LOG_FUNCTION(this);
    m_delayedAckTrace();
    CorrectedTcpSocket::DelAckTimeout();
}

void
HostTcpSocket::OverrideTimeout()
{
    NS_LOG_FUNCTION(this);
    if (IsClosed() || FindLimit() != Limit::DRAIN || !m_scoreboard.IsEmpty())
    {
        return;
    }
    m_overriding = true;
    SendPendingData(m_connected);
    m_overriding = false;
    Judge();
}

} // namespace ns3::study
