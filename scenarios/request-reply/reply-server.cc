/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reply-server.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ReplyServer");

NS_OBJECT_ENSURE_REGISTERED(ReplyServer);

TypeId
ReplyServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::ReplyServer")
            .SetParent<ServerApplication>()
            .SetGroupName("Study")
            .AddConstructor<ReplyServer>()
            .AddAttribute("Echo",
                          "Whether the server sends the text of a command back at once",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ReplyServer::m_echo),
                          MakeBooleanChecker())
            .AddAttribute("ServerTime",
                          "Time the server's application takes from a whole command to the first "
                          "write of its reply [s]",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&ReplyServer::m_serverTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute("ReplyWrites",
                          "Number of writes a reply is made of [1]",
                          UintegerValue(2),
                          MakeUintegerAccessor(&ReplyServer::m_writes),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("ReplyWrite",
                          "Each write of a reply [B]",
                          UintegerValue(20),
                          MakeUintegerAccessor(&ReplyServer::m_writeSize),
                          MakeUintegerChecker<uint32_t>(1, 16777216))
            .AddAttribute("ReplyWriteTime",
                          "Time between two writes of a reply [s]",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&ReplyServer::m_writeTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute(
                "ReplyWriteReturns",
                "When a write of a reply returns, and the time to the next one begins: at "
                "once, and what does not fit follows as there is room; or when its last "
                "byte has found room in the send buffer",
                EnumValue(WriteReturns::SOME_FITS),
                MakeEnumAccessor<WriteReturns>(&ReplyServer::m_writeReturns),
                MakeWriteReturnsChecker({WriteReturns::SOME_FITS, WriteReturns::ALL_FITS}))
            .AddTraceSource("Working",
                            "The server's application is working, or not any more",
                            MakeTraceSourceAccessor(&ReplyServer::m_workingTrace),
                            "ns3::study::ReplyServer::WorkingTracedCallback");
    return tid;
}

ReplyServer::ReplyServer()
    : ServerApplication({PORT})
{
}

void
ReplyServer::SetCommand(uint32_t textSize, uint64_t commandSize)
{
    m_textSize = textSize;
    m_commandSize = commandSize;
}

uint64_t
ReplyServer::GetReplySize() const
{
    return (m_echo ? m_textSize : 0) + uint64_t{m_writes} * m_writeSize;
}

uint64_t
ReplyServer::GetReceived() const
{
    return m_received;
}

void
ReplyServer::Describe(StateRecord& state) const
{
    m_writer.Describe(state);
    state.Add(static_cast<int64_t>(m_ofCommand));
    state.Add(m_written);
    state.AddTimer(m_event);
}

void
ReplyServer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_writer = SocketWriter();
    ServerApplication::DoDispose();
}

void
ReplyServer::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    ServerApplication::StopApplication();
}

void
ReplyServer::Connected(Ptr<Socket> socket)
{
    m_writer = SocketWriter(socket, m_writeReturns);
    socket->SetSendCallback(MakeCallback(&ReplyServer::RoomAvailable, this));
}

void
ReplyServer::DataReceived(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const uint64_t before = std::min<uint64_t>(m_ofCommand, m_textSize);
    while (Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        m_received += packet->GetSize();
        m_ofCommand += packet->GetSize();
    }
    const uint64_t text = std::min<uint64_t>(m_ofCommand, m_textSize) - before;
    if (m_echo && text > 0)
    {
        m_writer.Write(text);
    }
    if (m_ofCommand >= m_commandSize)
    {
        m_ofCommand = 0; // no next command is under way: the client waits for the reply
        m_written = 0;
        m_workingTrace(true);
        m_event = Simulator::Schedule(m_serverTime, &ReplyServer::WriteReply, this);
    }
}

void
ReplyServer::WriteReply()
{
    NS_LOG_FUNCTION(this << m_written);
    m_writer.Write(m_writeSize, [this]() { WriteReturned(); });
}

void
ReplyServer::WriteReturned()
{
    ++m_written;
    if (m_written < m_writes)
    {
        m_event = Simulator::Schedule(m_writeTime, &ReplyServer::WriteReply, this);
        return;
    }
    m_workingTrace(false);
}

void
ReplyServer::RoomAvailable(Ptr<Socket> /* socket */, uint32_t /* available */)
{
    m_writer.WriteWhatFits();
}

void
ReplyServer::PeerClosed(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    CloseAfter(NanoSeconds(1), socket);
}

void
ReplyServer::ConnectionLost(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_workingTrace(false);
}

} // namespace ns3::study
