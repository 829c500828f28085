/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What drives a connection: segments and timers; and what it does.
 */

#include "connection-socket.h"

#include "segment-header.h"

#include "ns3/abort.h"
#include "ns3/ipv4.h"
#include "ns3/make-event.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(ConnectionSocket);

TypeId
ConnectionSocket::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::ConnectionSocket")
                            .SetParent<TracedSocket>()
                            .SetGroupName("Study")
                            .AddConstructor<ConnectionSocket>();
    return tid;
}

ConnectionSocket::ConnectionSocket(const ConnectionSocket& listener)
    : TracedSocket(listener),
      m_passive(true),
      m_draw(listener.m_draw),
      m_stream(listener.m_stream)
{
    Install(listener.m_node, m_connection.GetSettings());
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
    NS_ABORT_MSG_UNLESS(Time::GetResolution() == Time::NS, "this TCP counts nanoseconds");
    m_node = node;
    m_tcp = node->GetObject<TcpL4Protocol>();
    m_ipv4 = node->GetObject<Ipv4>();
    m_checksums = Node::ChecksumEnabled();
    m_connection = tcp::Connection(settings);
}

int64_t
ConnectionSocket::AssignStreams(int64_t stream)
{
    m_draw.SetStream(stream);
    m_stream = stream;
    return 1;
}

void
ConnectionSocket::Skip(Time time, const std::vector<Nanos>& samples, uint64_t cycles)
{
    m_connection.Skip(GetNow(), Nanos(time.GetNanoSeconds()), samples, cycles);
}

uint32_t
ConnectionSocket::CountFar() const
{
    return static_cast<uint32_t>(
        std::min<uint64_t>(m_connection.CountFar(), m_toSend.CountZeros()));
}

void
ConnectionSocket::TakeBack(uint32_t octets)
{
    m_connection.TakeBack(octets);
    m_toSend.DropZeros(octets);
}

void
ConnectionSocket::Take(Ptr<Packet> packet, const tcp::Segment& segment)
{
    ++m_counts.received;
    const bool carries = segment.payload > 0 && !segment.Has(tcp::SYN | tcp::RST);
    if (carries && m_connection.GetState() >= tcp::State::SYN_RECEIVED)
    {
        Keep(packet, segment);
    }
    Drive(&tcp::Connection::Arrive, segment);
}

void
ConnectionSocket::Keep(Ptr<Packet> packet, const tcp::Segment& segment)
{
    const uint64_t next = m_read + m_available;
    const int64_t ahead = m_connection.ToOffset(segment.sequence) - static_cast<int64_t>(next);
    const auto size = static_cast<int64_t>(segment.payload);
    if (ahead + size <= 0 || ahead > static_cast<int64_t>(m_connection.GetSettings().window))
    {
        return; // it was delivered, or nobody has asked for it
    }
    const auto before = static_cast<uint32_t>(std::max<int64_t>(-ahead, 0));
    packet->RemoveAtStart(packet->GetSize() - segment.payload + before);
    m_received.Insert(next + static_cast<uint64_t>(std::max<int64_t>(ahead, 0)), packet);
}

void
ConnectionSocket::CarryOut()
{
    if (m_driving)
    {
        return; // whoever carries out the actions sees to these, too
    }
    const Nanos now = GetNow();
    const Ptr<ConnectionSocket> self(this); // what is done here may be the end
    const auto goesOn = [this]() { return !m_actions.empty() || m_connection.IsResumable(); };
    const bool changes = goesOn() || m_bbr;
    m_driving = true;
    for (bool more = changes; more; more = goesOn())
    {
        while (!m_actions.empty())
        {
            m_carriedOut.swap(m_actions); // more may come meanwhile
            for (const tcp::Action& action : m_carriedOut)
            {
                std::visit([this](const auto& each) { Do(each); }, action);
            }
            m_carriedOut.clear();
        }
        if (m_bbr)
        {
            Steer();
        }
        m_connection.Resume({now, m_actions});
    }
    m_driving = false;
    TellChanges(changes, m_available > 0, m_clock);
    if (m_connection.GetState() == tcp::State::CLOSED)
    {
        Release();
    }
    Schedule(now);
}

void
ConnectionSocket::Do(const tcp::Send& send)
{
    const tcp::Segment& segment = send.segment;
    const uint32_t size = segment.payload;
    Ptr<Packet> packet = size > 0 ? nullptr : Create<Packet>();
    if (size > 0)
    {
        const uint64_t first = m_acknowledged + 1; // number 0 is the own SYN's
        const uint32_t behind = segment.sequence.number - static_cast<uint32_t>(first);
        const uint64_t place = first + behind;
        packet = m_toSend.Copy(place, size);
        ++m_counts.sent;
        if (m_bbr)
        {
            const bool alone = m_connection.GetRecovery().GetSegments().GetPipe() <= size;
            m_bbr->Sent(place, size, alone);
        }
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
        if (const auto& settings = m_connection.GetSettings();
            settings.recovery.growth == GrowthRule::EXTERNAL)
        {
            m_bbr = std::make_unique<BbrDriver>(settings, m_connection, m_stream);
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
    m_connection.TakeDraw(m_draw.Get());
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
        ++m_counts.probes;
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
    m_bbr->Follow(m_connection);
    m_connection.SetWindow(m_bbr->Get());
}

void
ConnectionSocket::Schedule(Nanos now)
{
    const Nanos due = m_connection.GetDeadline();
    // An event that is early looks again. A later one stays for then: none is taken back.
    if (due == Nanos::max() || (!m_events.empty() && m_events.back() <= due))
    {
        return;
    }
    if (m_events.empty()) // one that was canceled stays so
    {
        m_expire = Ptr<EventImpl>(MakeEvent([this]() { Expire(); }), false);
    }
    m_events.push_back(std::max(due, now));
    Simulator::Schedule(ToTime(m_events.back() - now), m_expire);
}

void
ConnectionSocket::Expire()
{
    m_events.pop_back();
    Drive(&tcp::Connection::Expire); // which does nothing if it is early
}

} // namespace ns3::study
