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
            .AddAttribute("ServerRead",
                          "What the server's application reads of a command at a time, before it "
                          "is busy for ServerReadTime; 0 for all that has come [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ReplyServer::m_readSize),
                          MakeUintegerChecker<uint32_t>(0, 16777216))
            .AddAttribute("ServerReadTime",
                          "How long the server's application is busy with what it has read; no "
                          "effect without ServerRead [s]",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&ReplyServer::m_readTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
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
                            "ns3::study::ReplyServer::WorkingTracedCallback")
            .AddTraceSource("Replied",
                            "The last write of a reply has returned",
                            MakeTraceSourceAccessor(&ReplyServer::m_repliedTrace),
                            "ns3::study::ReplyServer::ConversationTracedCallback")
            .AddTraceSource("Ended",
                            "A client has closed, or its connection was lost",
                            MakeTraceSourceAccessor(&ReplyServer::m_endedTrace),
                            "ns3::study::ReplyServer::ConversationTracedCallback");
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

void
ReplyServer::SetText(Reader reader, Author author)
{
    m_reader = std::move(reader);
    m_author = std::move(author);
}

void
ReplyServer::SetTurns(const TurnTaker& turns)
{
    m_turns = turns;
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
    for (const auto& [socket, conversation] : m_conversations)
    {
        conversation.writer.Describe(state);
        state.Add(static_cast<int64_t>(conversation.ofCommand));
        state.Add(conversation.written);
        state.AddTimer(conversation.event);
        state.Add(static_cast<int64_t>(conversation.ofRead));
        state.AddTimer(conversation.reading);
    }
}

void
ReplyServer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    for (auto& [socket, conversation] : m_conversations)
    {
        conversation.event.Cancel();
        conversation.reading.Cancel();
    }
    m_conversations.clear();
    m_reader = nullptr;
    m_author = nullptr;
    ServerApplication::DoDispose();
}

void
ReplyServer::StopApplication()
{
    NS_LOG_FUNCTION(this);
    for (auto& [socket, conversation] : m_conversations)
    {
        conversation.event.Cancel();
        conversation.reading.Cancel();
    }
    ServerApplication::StopApplication();
}

void
ReplyServer::Connected(Ptr<Socket> socket)
{
    SocketWriter::Source source;
    if (m_author)
    {
        source = [this, socket](uint32_t size) { return TakeText(socket, size); };
    }
    m_conversations[socket].writer = SocketWriter(socket, m_writeReturns, source);
    socket->SetSendCallback(MakeCallback(&ReplyServer::RoomAvailable, this));
    if (m_turns)
    {
        m_conversations[socket].turns = m_turns;
        TakeTurn(socket);
    }
}

void
ReplyServer::DataReceived(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const auto found = m_conversations.find(socket);
    if (found == m_conversations.end())
    {
        return; // it is over
    }
    Conversation& conversation = found->second;
    const uint64_t before = std::min<uint64_t>(conversation.ofCommand, m_textSize);
    Heard heard{};
    while (Ptr<Packet> packet = Read(socket, conversation))
    {
        m_received += packet->GetSize();
        conversation.ofCommand += packet->GetSize();
        conversation.heard += packet->GetSize();
        if (m_reader)
        {
            const Heard more = m_reader(socket, packet);
            heard.echo += more.echo;
            heard.commands += more.commands;
        }
    }
    if (conversation.turns)
    {
        TakeTurn(socket);
        return;
    }
    uint64_t echo = heard.echo.size();
    if (!m_reader)
    {
        const uint64_t text = std::min<uint64_t>(conversation.ofCommand, m_textSize) - before;
        echo = m_echo ? text : 0;
        heard.commands = conversation.ofCommand >= m_commandSize ? 1 : 0;
    }
    if (echo > 0)
    {
        conversation.text += heard.echo;
        conversation.writer.Write(echo);
    }
    if (heard.commands > 0 && !conversation.reading.IsPending())
    {
        conversation.ofCommand = 0;
        conversation.ofRead = 0;
        conversation.waiting +=
            heard.commands; // more than one of a client that does not wait for replies
        if (!conversation.answers)
        {
            Answer(socket);
        }
    }
}

Ptr<Packet>
ReplyServer::Read(Ptr<Socket> socket, Conversation& conversation)
{
    // Real clients and lists of turns have commands of sizes of their own.
    if (m_readSize == 0 || m_reader || conversation.turns)
    {
        const Ptr<Packet> all = socket->Recv();
        return all && all->GetSize() > 0 ? all : nullptr;
    }
    if (conversation.reading.IsPending())
    {
        return nullptr;
    }
    const uint64_t left = m_commandSize - std::min(m_commandSize, conversation.ofCommand);
    const auto wanted =
        static_cast<uint32_t>(std::min<uint64_t>(m_readSize - conversation.ofRead, left));
    const Ptr<Packet> packet = wanted > 0 ? socket->Recv(wanted, 0) : nullptr;
    if (!packet || packet->GetSize() == 0)
    {
        return nullptr;
    }
    conversation.ofRead += packet->GetSize();
    if (conversation.ofRead == m_readSize || packet->GetSize() == left)
    {
        conversation.ofRead = 0;
        conversation.reading =
            Simulator::Schedule(m_readTime, &ReplyServer::DataReceived, this, socket);
    }
    return packet;
}

void
ReplyServer::TakeTurn(Ptr<Socket> socket)
{
    const auto found = m_conversations.find(socket);
    if (found == m_conversations.end() || found->second.event.IsPending())
    {
        return;
    }
    Conversation& conversation = found->second;
    conversation.turns->Heard(conversation.heard);
    const std::optional<Turn> turn = conversation.turns->Take();
    m_workingTrace(turn.has_value());
    if (!turn)
    {
        return;
    }
    conversation.event = Simulator::Schedule(turn->wait, [this, socket, size = turn->size]() {
        m_conversations.at(socket).writer.Write(size);
        TakeTurn(socket);
    });
}

void
ReplyServer::Answer(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Conversation& conversation = m_conversations.at(socket);
    --conversation.waiting;
    conversation.answers = true;
    conversation.written = 0;
    m_workingTrace(true);
    conversation.event = Simulator::Schedule(m_serverTime, &ReplyServer::WriteReply, this, socket);
}

void
ReplyServer::WriteReply(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    Conversation& conversation = m_conversations.at(socket);
    if (m_author)
    {
        conversation.text += m_author(socket, m_writeSize);
    }
    conversation.writer.Write(m_writeSize, [this, socket]() { WriteReturned(socket); });
}

Ptr<Packet>
ReplyServer::TakeText(Ptr<Socket> socket, uint32_t size)
{
    std::string& text = m_conversations.at(socket).text;
    Ptr<Packet> packet = Create<Packet>(reinterpret_cast<const uint8_t*>(text.data()), size);
    text.erase(0, size);
    return packet;
}

void
ReplyServer::WriteReturned(Ptr<Socket> socket)
{
    Conversation& conversation = m_conversations.at(socket);
    ++conversation.written;
    if (conversation.written < m_writes)
    {
        conversation.event =
            Simulator::Schedule(m_writeTime, &ReplyServer::WriteReply, this, socket);
        return;
    }
    conversation.answers = false;
    m_workingTrace(false);
    m_repliedTrace(socket);
    if (conversation.waiting > 0)
    {
        Answer(socket);
    }
    else if (conversation.closes)
    {
        PeerClosed(socket);
    }
}

void
ReplyServer::RoomAvailable(Ptr<Socket> socket, uint32_t /* available */)
{
    const auto found = m_conversations.find(socket);
    if (found != m_conversations.end())
    {
        found->second.writer.WriteWhatFits();
    }
}

void
ReplyServer::PeerClosed(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const auto found = m_conversations.find(socket);
    if (found != m_conversations.end() && found->second.answers)
    {
        // The peer has no more to say, but hears the reply (RFC 9293, 3.6).
        found->second.closes = true;
        return;
    }
    m_endedTrace(socket);
    CloseAfter(NanoSeconds(1), socket);
}

void
ReplyServer::ConnectionLost(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    const auto found = m_conversations.find(socket);
    if (found != m_conversations.end())
    {
        found->second.event.Cancel();
        found->second.reading.Cancel();
        m_conversations.erase(found);
    }
    m_endedTrace(socket);
    m_workingTrace(false);
}

} // namespace ns3::study
