/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-socket.h"

#include "segment-header.h"

#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ConnectionSocket");

ConnectionSocket::ConnectionSocket()
    : m_connection(m_settings)
{
}

ConnectionSocket::ConnectionSocket(const ConnectionSocket& listener)
    : TcpSocket(listener),
      m_node(listener.m_node),
      m_tcp(listener.m_tcp),
      m_ipv4(listener.m_ipv4),
      m_checksums(listener.m_checksums),
      m_settings(listener.m_settings),
      m_connection(listener.m_settings),
      m_passive(true),
      m_draw(listener.m_draw),
      m_stream(listener.m_stream),
      m_tx(listener.m_tx),
      m_rx(listener.m_rx),
      m_retransmission(listener.m_retransmission),
      m_rttSample(listener.m_rttSample),
      m_ackWithheldTrace(listener.m_ackWithheldTrace),
      m_holdsTrace(listener.m_holdsTrace),
      m_limitTrace(listener.m_limitTrace),
      m_bufferTrace(listener.m_bufferTrace),
      m_delayedAck(listener.m_delayedAck)
{
    const auto nothing = MakeNullCallback<void, Ptr<Socket>>();
    SetConnectCallback(nothing, nothing);
    SetDataSentCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    SetRecvCallback(nothing);
}

ConnectionSocket::~ConnectionSocket()
{
    Release();
}

void
ConnectionSocket::Install(Ptr<Node> node, const tcp::ConnectionSettings& settings)
{
    m_node = node;
    m_tcp = node->GetObject<TcpL4Protocol>();
    m_ipv4 = node->GetObject<Ipv4>();
    m_checksums = Node::ChecksumEnabled();
    m_settings = settings;
    m_connection = tcp::Connection(settings);
}

void
ConnectionSocket::Renew()
{
    m_connection = tcp::Connection(m_settings);
    m_passive = m_shutDown = false;
    m_toSend = m_received = ByteQueue();
    m_acknowledged = 0;
    m_read = 1;
    m_available = 0;
    m_bbr.reset();
}

int64_t
ConnectionSocket::AssignStreams(int64_t stream)
{
    m_draw.SetStream(stream);
    m_stream = stream;
    return 1;
}

Nanos
ConnectionSocket::Now() const
{
    return Nanos(Simulator::Now().GetNanoSeconds());
}

void
ConnectionSocket::Skip(Time time, const std::vector<Time>& samples, uint64_t cycles)
{
    std::vector<Nanos> measured;
    for (const Time& sample : samples)
    {
        measured.emplace_back(sample.GetNanoSeconds());
    }
    m_connection.SkipTime(Nanos(time.GetNanoSeconds()));
    m_connection.MeasureCycles(measured, cycles);
}

void
ConnectionSocket::Drive(const tcp::Event& event)
{
    const Nanos now = Now();
    m_connection.On(event, now, m_actions);
    if (m_driving)
    {
        return; // whoever carries out the actions sees to these, too
    }
    const Ptr<ConnectionSocket> self(this); // what is done here may be the end
    m_driving = true;
    do
    {
        for (std::size_t i = 0; i < m_actions.size(); ++i)
        {
            const tcp::Action action = m_actions[i]; // more may come meanwhile
            std::visit([this](const auto& each) { Do(each); }, action);
        }
        m_actions.clear();
        Steer();
        m_connection.On(tcp::Resume{}, now, m_actions);
    } while (!m_actions.empty());
    m_driving = false;
    TellChanges();
    if (m_connection.GetState() == tcp::State::CLOSED)
    {
        Release();
    }
    Schedule();
}

void
ConnectionSocket::Do(const tcp::Send& send)
{
    const tcp::Segment& segment = send.segment;
    Ptr<Packet> packet;
    if (segment.payload > 0)
    {
        const uint64_t first = m_acknowledged + 1; // number 0 is the own SYN's
        const uint32_t ahead = segment.sequence.number - static_cast<uint32_t>(first);
        packet = m_toSend.Copy(first + ahead, segment.payload);
        ++m_segmentsSent;
        if (m_bbr)
        {
            const uint32_t inFlight = m_connection.GetRecovery().GetSegments().GetPipe();
            m_bbr->Sent(first + ahead, segment.payload, inFlight <= segment.payload);
        }
    }
    else
    {
        packet = Create<Packet>();
    }
    Transmit(packet, MakeTcpHeader(segment), send.again);
}

void
ConnectionSocket::Do(const tcp::Deliver& deliver)
{
    m_available += deliver.octets;
    NotifyDataRecv();
}

void
ConnectionSocket::Do(const tcp::Acknowledged& acknowledged)
{
    m_acknowledged += acknowledged.octets;
    m_toSend.DropBefore(m_acknowledged + 1);
    m_highestAck = SequenceNumber32(acknowledged.next.number);
}

void
ConnectionSocket::Do(const tcp::TellRoom& room)
{
    if (room.octets > 0)
    {
        NotifySend(room.octets);
    }
}

void
ConnectionSocket::Do(const tcp::Enter& enter)
{
    m_state = static_cast<TcpStates_t>(enter.state); // in the same order
}

void
ConnectionSocket::Do(const tcp::Tell& tell)
{
    switch (tell.news)
    {
    case tcp::News::CONNECTED:
        if (m_settings.recovery.growth == GrowthRule::EXTERNAL)
        {
            m_bbr = std::make_unique<BbrDriver>(m_settings, m_connection, m_stream);
        }
        if (m_passive)
        {
            Address peer;
            GetPeerName(peer);
            NotifyNewConnectionCreated(this, peer);
        }
        else
        {
            NotifyConnectionSucceeded();
        }
        Do(tcp::TellRoom{GetTxAvailable()});
        break;
    case tcp::News::FAILED:
        NotifyConnectionFailed();
        break;
    case tcp::News::PEER_CLOSED:
        NotifyNormalClose();
        break;
    case tcp::News::BROKEN:
        NotifyErrorClose();
        break;
    }
}

void
ConnectionSocket::Do(const tcp::WantDraw& /* want */)
{
    Drive(tcp::Drawn{m_draw.Get()});
}

void
ConnectionSocket::Do(const tcp::Note& note)
{
    switch (note.fact)
    {
    case tcp::Fact::RTT_SAMPLE:
        m_rttSample(NanoSeconds(note.value));
        break;
    case tcp::Fact::DELAYED_ACK_EXPIRED:
        m_delayedAck();
        break;
    case tcp::Fact::TIMED_OUT:
        m_clock.RetransmissionTimeout();
        break;
    case tcp::Fact::PROGRESS:
        m_clock.Progress();
        break;
    case tcp::Fact::WINDOW_PROBE:
        ++m_probes;
        break;
    }
}

void
ConnectionSocket::Do(const tcp::Heard& heard)
{
    if (m_bbr)
    {
        m_bbr->Heard(heard, m_connection);
        Steer();
    }
}

void
ConnectionSocket::Steer()
{
    if (m_bbr)
    {
        m_bbr->Follow(m_connection);
        m_connection.On(m_bbr->Get(), Now(), m_actions);
    }
}

void
ConnectionSocket::Schedule()
{
    const Nanos due = m_connection.GetDeadline();
    // An event that is early looks again. A later one stays for then: none is taken back.
    if (due == Nanos::max() || (!m_events.empty() && m_events.back().first <= due))
    {
        return;
    }
    const Nanos now = Now();
    const Time wait = NanoSeconds(std::max(due - now, 0ns).count());
    m_events.emplace_back(std::max(due, now),
                          Simulator::Schedule(wait, &ConnectionSocket::Expire, this));
}

void
ConnectionSocket::CancelEvents()
{
    for (auto& [at, event] : m_events)
    {
        event.Cancel();
    }
    m_events.clear();
}

void
ConnectionSocket::Expire()
{
    m_events.pop_back();
    Drive(tcp::Expire{}); // which does nothing if it is early
}

const tcp::Connection&
ConnectionSocket::GetConnection() const
{
    return m_connection;
}

uint64_t
ConnectionSocket::GetAcknowledged() const
{
    return m_acknowledged;
}

LimitClock&
ConnectionSocket::GetLimitClock()
{
    return m_clock;
}

uint64_t
ConnectionSocket::GetSegmentsSent() const
{
    return m_segmentsSent;
}

uint64_t
ConnectionSocket::GetSegmentsReceived() const
{
    return m_segmentsReceived;
}

uint32_t
ConnectionSocket::GetWindowProbes() const
{
    return m_probes;
}

bool
ConnectionSocket::IsRetransmitting() const
{
    return m_connection.IsRetransmitting();
}

Time
ConnectionSocket::GetDelayedAckTimeout() const
{
    return NanoSeconds(m_settings.acks.timeout.count());
}

} // namespace ns3::study
