/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "print-server.h"

#include "model/core/rate-checker.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("PrintServer");

NS_OBJECT_ENSURE_REGISTERED(PrintServer);

TypeId
PrintServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::PrintServer")
            .SetParent<ServerApplication>()
            .SetGroupName("Study")
            .AddConstructor<PrintServer>()
            .AddAttribute("JobCommandTime",
                          "LPR: time the device's application takes to answer the receive-job "
                          "command, after its ACK [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&PrintServer::m_jobCommandTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute("CloseTime",
                          "Time from the device's ACK of the host's FIN to its own FIN [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&PrintServer::m_closeTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute("DrainLatency",
                          "Time from the ACK of data to their leaving the device's buffer; 0 if "
                          "they leave it before the ACK [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PrintServer::m_drainLatency),
                          MakeTimeChecker(Time(0), Hours(1)))
            .AddAttribute("DrainLatencySpread",
                          "Each drain takes up to this much longer, drawn uniformly [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PrintServer::m_drainLatencySpread),
                          MakeTimeChecker(Time(0), Hours(1)))
            .AddAttribute(
                "PortRate",
                "Rate at which the printer's port takes bytes from the device's buffer, in "
                "bits of data: a serial line at 115200 baud, 8N1, has 92160bps; none for "
                "a port that takes everything at once [bit/s]",
                DataRateValue(NoLimit()),
                MakeDataRateAccessor(&PrintServer::m_portRate),
                MakeRateChecker(DataRate("1bps"), DataRate("100Gbps"), "none"))
            .AddAttribute("PortChunk",
                          "Bytes the port takes at a time, each making that much room [B]",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&PrintServer::m_portChunk),
                          MakeUintegerChecker<uint32_t>(1, 65535))
            .AddAttribute(
                "DrainPauseEvery",
                "Bytes the port takes between two pauses: each begins with the chunk that "
                "reaches the next multiple; 0 for no pauses [B]",
                UintegerValue(0),
                MakeUintegerAccessor(&PrintServer::m_drainPauseEvery),
                MakeUintegerChecker<uint32_t>(0, 2000000000))
            .AddAttribute("DrainPause",
                          "How long such a pause is [s]",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&PrintServer::m_drainPause),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddTraceSource("Drained",
                            "The port has taken bytes from the device's buffer",
                            MakeTraceSourceAccessor(&PrintServer::m_drainedTrace),
                            "ns3::study::PrintServer::DrainedTracedCallback")
            .AddTraceSource("Printed",
                            "The port has taken octets of a file: not LPR's commands, and not its "
                            "control files",
                            MakeTraceSourceAccessor(&PrintServer::m_printedTrace),
                            "ns3::study::PrintServer::PrintedTracedCallback")
            .AddTraceSource("Ended",
                            "A connection is over, closed in order or lost",
                            MakeTraceSourceAccessor(&PrintServer::m_endedTrace),
                            "ns3::study::PrintServer::EndedTracedCallback");
    return tid;
}

PrintServer::PrintServer()
    : ServerApplication({LPR_PORT, RAW_PORT})
{
}

uint64_t
PrintServer::GetReceived() const
{
    return m_received;
}

Time
PrintServer::GetLongestDrain() const
{
    const Time processor = m_processor ? m_processor->GetLongest(m_portChunk) : Time();
    return m_drainLatency + m_drainLatencySpread + m_drainPause + processor +
           m_portRate.CalculateBytesTxTime(m_portChunk);
}

int64_t
PrintServer::AssignStreams(int64_t stream)
{
    m_spread.SetStream(stream);
    return 1;
}

void
PrintServer::SetProcessor(Ptr<DeviceProcessor> processor)
{
    m_processor = processor;
}

void
PrintServer::Describe(StateRecord& state) const
{
    state.AddInstant(m_portFree);
    state.Add(static_cast<int64_t>(m_dialogues.size()));
    state.Add(static_cast<int64_t>(m_peerClosed.size()));
    for (const auto& [socket, drain] : m_drains)
    {
        state.AddTimer(drain);
    }
    for (const auto& [socket, size] : m_inHand)
    {
        state.Add(size);
    }
    state.Add(static_cast<int64_t>(m_inHand.size()));
    if (m_processor)
    {
        m_processor->Describe(state);
    }
    if (m_drainLatencySpread.IsStrictlyPositive())
    {
        state.SetUnprovable(Obstacle::CHANCE);
    }
}

uint64_t
PrintServer::GetSincePause() const
{
    return m_drainPauseEvery > 0 ? m_sincePause : 0;
}

uint64_t
PrintServer::GetLeftToPause() const
{
    return m_drainPauseEvery > 0 ? m_drainPauseEvery - 1 - m_sincePause
                                 : std::numeric_limits<uint64_t>::max();
}

void
PrintServer::Skip(uint64_t bytes, uint64_t sincePause)
{
    m_received += bytes;
    m_sincePause += sincePause;
    for (auto& [socket, dialogue] : m_dialogues)
    {
        dialogue.Skip(bytes);
    }
}

void
PrintServer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_dialogues.clear();
    m_drains.clear();
    m_processor = nullptr;
    ServerApplication::DoDispose();
}

void
PrintServer::Connected(Ptr<Socket> socket)
{
    Address local;
    socket->GetSockName(local);
    if (InetSocketAddress::ConvertFrom(local).GetPort() == LPR_PORT)
    {
        LprReceiver& dialogue = m_dialogues.emplace(socket, LprReceiver()).first->second;
        if (!m_printedTrace.IsEmpty())
        {
            dialogue.SetFileListener(
                [this, socket](Ptr<const Packet> octets) { m_printedTrace(socket, octets); });
        }
    }
}

void
PrintServer::DataReceived(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const auto drain = m_drains.find(socket);
    if ((drain != m_drains.end() && drain->second.IsPending()) || m_inHand.count(socket) > 0)
    {
        return; // Drain() will find it
    }
    Time wait = m_drainLatency + std::max(m_portFree - Simulator::Now(), Time(0));
    if (m_drainLatencySpread.IsStrictlyPositive())
    {
        wait += m_drainLatencySpread * m_spread.Get();
    }
    if (wait.IsZero())
    {
        Drain(socket);
        return;
    }
    m_drains[socket] = Simulator::Schedule(wait, &PrintServer::Drain, this, socket);
}

void
PrintServer::Drain(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    if (m_portFree > Simulator::Now()) // another connection's bytes were first
    {
        m_drains[socket] =
            Simulator::Schedule(m_portFree - Simulator::Now(), &PrintServer::Drain, this, socket);
        return;
    }
    if (m_processor && socket->GetRxAvailable() > 0)
    {
        DrainByProcessor(socket);
        return;
    }
    while (socket->GetRxAvailable() > 0 && PassOn(socket, GetLargestChunk()))
    {
    }
    CloseWhenDrained(socket);
}

uint32_t
PrintServer::GetLargestChunk() const
{
    return m_drainPauseEvery > 0 ? std::min(m_portChunk, m_drainPauseEvery) : m_portChunk;
}

bool
PrintServer::PassOn(const Ptr<Socket>& socket, uint32_t size)
{
    NS_LOG_FUNCTION(this << socket << size);
    Ptr<Packet> packet = socket->Recv(size, 0);
    if (!packet || packet->GetSize() == 0)
    {
        return false;
    }
    Take(socket, packet);
    m_drainedTrace(packet->GetSize());
    if (m_portRate != NoLimit())
    {
        m_portFree = Simulator::Now() + m_portRate.CalculateBytesTxTime(packet->GetSize());
    }
    m_sincePause += packet->GetSize();
    if (m_drainPauseEvery > 0 && m_sincePause >= m_drainPauseEvery)
    {
        m_sincePause -= m_drainPauseEvery; // what was taken beyond it counts towards the next
        m_portFree = std::max(m_portFree, Simulator::Now()) + m_drainPause;
    }
    if (m_portFree > Simulator::Now() && socket->GetRxAvailable() > 0)
    {
        m_drains[socket] =
            Simulator::Schedule(m_portFree - Simulator::Now(), &PrintServer::Drain, this, socket);
    }
    return m_portFree <= Simulator::Now();
}

void
PrintServer::DrainByProcessor(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const uint32_t size = std::min(GetLargestChunk(), socket->GetRxAvailable());
    m_inHand[socket] = size;
    m_processor->Drain(size, [this, socket, size]() {
        if (m_inHand.erase(socket) == 0)
        {
            return; // the connection was lost meanwhile
        }
        const bool more = PassOn(socket, size) && socket->GetRxAvailable() > 0;
        if (more)
        {
            DrainByProcessor(socket);
            return;
        }
        CloseWhenDrained(socket);
    });
}

void
PrintServer::Take(const Ptr<Socket>& socket, const Ptr<Packet>& packet)
{
    m_received += packet->GetSize();
    const auto dialogue = m_dialogues.find(socket);
    if (dialogue == m_dialogues.end())
    {
        m_printedTrace(socket, packet);
        return;
    }
    for (const auto answered : dialogue->second.Receive(packet))
    {
        if (answered == LprReceiver::Answered::JOB_COMMAND)
        {
            Simulator::Schedule(m_jobCommandTime, &PrintServer::Reply, this, socket, answered);
        }
        else
        {
            Reply(socket, answered);
        }
    }
}

void
PrintServer::Reply(Ptr<Socket> socket, LprReceiver::Answered answered)
{
    NS_LOG_FUNCTION(this << socket << static_cast<int>(answered));
    const uint8_t octet = LprReceiver::GetReply(answered);
    socket->Send(Create<Packet>(&octet, 1));
}

void
PrintServer::PeerClosed(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_peerClosed.insert(socket);
    CloseWhenDrained(socket);
}

void
PrintServer::CloseWhenDrained(Ptr<Socket> socket)
{
    if (m_peerClosed.count(socket) > 0 && socket->GetRxAvailable() == 0)
    {
        if (m_dialogues.count(socket) == 0)
        {
            m_printedTrace(socket, nullptr);
        }
        Forget(socket);
        m_endedTrace(socket, true);
        CloseAfter(m_closeTime, socket);
        // Not forgotten at once: the host's late segments wait in it for the device's attention.
        constexpr int maximumSegmentLifetime = 2; // minutes, RFC 9293, 3.4.2
        Simulator::Schedule(m_closeTime + Minutes(maximumSegmentLifetime), [socket]() {});
    }
}

void
PrintServer::ConnectionLost(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Forget(socket);
    m_endedTrace(socket, false);
}

void
PrintServer::Forget(Ptr<Socket> socket)
{
    m_dialogues.erase(socket);
    m_drains[socket].Cancel();
    m_drains.erase(socket);
    m_inHand.erase(socket);
    m_peerClosed.erase(socket);
}

} // namespace ns3::study
