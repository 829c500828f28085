/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "request-client.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("RequestClient");

NS_OBJECT_ENSURE_REGISTERED(RequestClient);

TypeId
RequestClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::RequestClient")
            .SetParent<ClientApplication>()
            .SetGroupName("Study")
            .AddConstructor<RequestClient>()
            .AddAttribute("Commands",
                          "Number of commands, one after the other [1]",
                          UintegerValue(50),
                          MakeUintegerAccessor(&RequestClient::m_commands),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("Turns",
                          "What both ends write, one by one, in the place of commands and replies, "
                          "as in c50000:120,s30000:2000: who, how many microseconds after the "
                          "write before, or after the last byte of the other end's, and how many "
                          "bytes; none for commands and replies",
                          StringValue(""),
                          MakeStringAccessor(&RequestClient::m_turnList),
                          MakeTurnListChecker())
            .AddAttribute("CommandText",
                          "First write of a command: its text, or a block of data [B]",
                          UintegerValue(10),
                          MakeUintegerAccessor(&RequestClient::m_commandText),
                          MakeUintegerChecker<uint32_t>(1, 16777216))
            .AddAttribute("CommandEnd",
                          "Second write of a command: the end of its line; 0 for none [B]",
                          UintegerValue(2),
                          MakeUintegerAccessor(&RequestClient::m_commandEnd),
                          MakeUintegerChecker<uint32_t>(0, 16777216))
            .AddAttribute("CommandWriteTime",
                          "Time between the two writes of a command [s]",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&RequestClient::m_commandWriteTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute(
                "WriteReturns",
                "When a write of a command returns, and the next one may begin: at once, "
                "and what does not fit follows as there is room; when its last byte has "
                "found room in the send buffer; or when the server has acknowledged that",
                EnumValue(WriteReturns::SOME_FITS),
                MakeEnumAccessor<WriteReturns>(&RequestClient::m_writeReturns),
                MakeWriteReturnsChecker(
                    {WriteReturns::SOME_FITS, WriteReturns::ALL_FITS, WriteReturns::ACKNOWLEDGED}))
            .AddAttribute("WriteSize",
                          "The first write of a command is made of writes of so many bytes, each "
                          "after the return of the one before; no effect if they return at once "
                          "[B]",
                          UintegerValue(16777216),
                          MakeUintegerAccessor(&RequestClient::m_writeSize),
                          MakeUintegerChecker<uint32_t>(1, 16777216))
            .AddAttribute("ClientTime",
                          "Time the client's application takes from a reply, or from the "
                          "connection, to its next command [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RequestClient::m_clientTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)));
    return tid;
}

std::vector<Turn>
RequestClient::GetTurns() const
{
    return ReadTurns(m_turnList);
}

uint32_t
RequestClient::GetTextSize() const
{
    return m_commandText;
}

uint64_t
RequestClient::GetCommandSize() const
{
    return uint64_t{m_commandText} + m_commandEnd;
}

void
RequestClient::SetServer(const Address& server, Ptr<Socket> socket, uint64_t replySize)
{
    NS_LOG_FUNCTION(this << server << socket << replySize);
    SetConnection(server, socket);
    m_writer = SocketWriter(socket, m_writeReturns);
    m_replySize = replySize;
}

void
RequestClient::SetTurns(const TurnTaker& turns)
{
    m_turns = turns;
    m_commands = std::max(turns.CountOwn(), 1U);
}

uint32_t
RequestClient::GetAnswered() const
{
    return m_turns ? m_turns->CountOwnOver() : m_answered;
}

uint32_t
RequestClient::GetCommands() const
{
    return m_commands;
}

uint64_t
RequestClient::GetReceived() const
{
    return m_received;
}

bool
RequestClient::WaitsForAck() const
{
    return m_writer.WaitsForAck() ||
           (m_turns && m_turns->IsOver() && m_acknowledged < m_turns->GetToSay());
}

void
RequestClient::Describe(StateRecord& state) const
{
    m_writer.Describe(state);
    state.Add(m_unwritten);
    state.Add(static_cast<int64_t>(m_received - m_answered * m_replySize));
    state.Add(IsOver());
    state.AddTimer(m_event);
}

void
RequestClient::Skip(uint32_t commands)
{
    m_commands -= commands;
}

void
RequestClient::Connected()
{
    NS_LOG_FUNCTION(this);
    if (m_turns)
    {
        TakeTurn();
        return;
    }
    Think();
}

void
RequestClient::TakeTurn()
{
    if (m_event.IsPending())
    {
        return;
    }
    m_turns->Heard(m_received);
    const std::optional<Turn> turn = m_turns->Take();
    if (!turn)
    {
        Work(false);
        if (m_turns->IsOver() && m_acknowledged >= m_turns->GetToSay())
        {
            Finish(End::FINISHED, m_clientTime);
        }
        return;
    }
    Work(true);
    m_event = Simulator::Schedule(turn->wait, [this, size = turn->size]() {
        m_writer.Write(size);
        TakeTurn();
    });
}

void
RequestClient::Acknowledged(uint64_t bytes)
{
    m_acknowledged = bytes;
    if (m_turns)
    {
        TakeTurn(); // its own write may be the last
    }
}

void
RequestClient::Think()
{
    Work(true);
    m_event = Simulator::Schedule(m_clientTime, &RequestClient::WriteText, this);
}

void
RequestClient::WriteText()
{
    NS_LOG_FUNCTION(this << m_answered);
    m_unwritten = m_commandText;
    WriteNext();
}

void
RequestClient::WriteNext()
{
    const bool atOnce = m_writeReturns == WriteReturns::SOME_FITS;
    const uint32_t size = atOnce ? m_unwritten : std::min(m_unwritten, m_writeSize);
    m_unwritten -= size;
    m_writer.Write(size, [this]() { WriteReturned(); });
    if (m_writer.WaitsForAck())
    {
        Work(false);
    }
}

void
RequestClient::WriteReturned()
{
    if (m_unwritten > 0)
    {
        Work(true);
        m_event = Simulator::ScheduleNow(&RequestClient::WriteNext, this);
        return;
    }
    if (m_commandEnd > 0)
    {
        Work(true);
        m_event = Simulator::Schedule(m_commandWriteTime, [this]() {
            m_writer.Write(m_commandEnd);
            Work(false);
        });
        return;
    }
    Work(false);
}

void
RequestClient::DataReceived()
{
    NS_LOG_FUNCTION(this);
    while (Ptr<Packet> packet = m_socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            return;
        }
        m_received += packet->GetSize();
    }
    if (m_turns)
    {
        TakeTurn();
        return;
    }
    if (m_received < (m_answered + uint64_t{1}) * m_replySize)
    {
        return;
    }
    ++m_answered;
    if (m_answered == m_commands)
    {
        Finish(End::FINISHED, m_clientTime);
        return;
    }
    Think();
}

} // namespace ns3::study
