/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "print-job-client.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("PrintJobClient");

NS_OBJECT_ENSURE_REGISTERED(PrintJobClient);

TypeId
PrintJobClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::PrintJobClient")
            .SetParent<ClientApplication>()
            .SetGroupName("Study")
            .AddConstructor<PrintJobClient>()
            .AddAttribute("ThinkTime",
                          "Time the host's application takes from a reply, or from the connection, "
                          "to its next write [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&PrintJobClient::m_thinkTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute("FirstWrite",
                          "First write of a file [B]",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&PrintJobClient::m_firstWrite),
                          MakeUintegerChecker<uint32_t>(1, 16777216))
            .AddAttribute("WriteSize",
                          "Later writes of a file, until the send buffer is full [B]",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&PrintJobClient::m_writeSize),
                          MakeUintegerChecker<uint32_t>(1, 16777216))
            .AddAttribute(
                "WriteReturns",
                "When a write of a file returns, and the time to the next one begins: at "
                "once, until the send buffer is full, and then as much is written as "
                "fits; when its last byte has found room there; or when the device has "
                "acknowledged that",
                EnumValue(WriteReturns::SOME_FITS),
                MakeEnumAccessor<WriteReturns>(&PrintJobClient::m_writeReturns),
                MakeWriteReturnsChecker(
                    {WriteReturns::SOME_FITS, WriteReturns::ALL_FITS, WriteReturns::ACKNOWLEDGED}))
            .AddAttribute("WriteTime",
                          "Time between two writes of a file, until the send buffer is full [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&PrintJobClient::m_writeTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)));
    return tid;
}

void
PrintJobClient::SetJob(const Address& device, Ptr<Socket> socket, const PrintJobScript& script)
{
    NS_LOG_FUNCTION(this << device << socket);
    SetConnection(device, socket);
    m_script = script;
    m_writer = SocketWriter(socket, m_writeReturns, [this](uint32_t size) { return Take(size); });
}

void
PrintJobClient::Acknowledged(uint64_t bytes)
{
    const bool noReplyToCome = m_step == m_script.size();
    if (noReplyToCome && bytes >= GetSize(m_script))
    {
        Finish(End::FINISHED, m_thinkTime);
    }
}

void
PrintJobClient::Describe(StateRecord& state) const
{
    state.Add(static_cast<int64_t>(m_step));
    state.Add(m_written == 0);
    state.Add(m_ahead);
    m_writer.Describe(state);
    state.Add(IsOver());
    state.AddTimer(m_event);
}

uint64_t
PrintJobClient::GetUnwritten() const
{
    return m_step < m_script.size() ? m_script[m_step].GetSize() - m_written : 0;
}

void
PrintJobClient::Skip(uint64_t bytes)
{
    m_written -= GetUnwritten() == 0 ? bytes : 0;
    m_script[std::min(m_step, m_script.size() - 1)].zeroOctets -= bytes;
}

void
PrintJobClient::Connected()
{
    NS_LOG_FUNCTION(this);
    Think();
}

void
PrintJobClient::DataReceived()
{
    NS_LOG_FUNCTION(this);
    while (Ptr<Packet> packet = m_socket->Recv())
    {
        if (packet->GetSize() == 0 || IsOver())
        {
            return;
        }
        uint8_t reply;
        packet->CopyData(&reply, 1);
        if (reply != 0)
        {
            Finish(End::REFUSED);
            return;
        }
        ++m_step;
        if (m_step == m_script.size())
        {
            Finish(End::FINISHED, m_thinkTime);
            return;
        }
        Think();
    }
}

void
PrintJobClient::RoomAvailable()
{
    NS_LOG_FUNCTION(this);
    if (m_ahead)
    {
        m_writer.WriteSome(GetUnwritten());
    }
    else
    {
        m_writer.WriteWhatFits();
    }
}

void
PrintJobClient::Think()
{
    m_written = 0;
    m_ahead = false;
    Work(true);
    m_event = Simulator::Schedule(m_thinkTime, &PrintJobClient::Write, this);
}

void
PrintJobClient::Write()
{
    NS_LOG_FUNCTION(this << m_step << m_written);
    const uint64_t remaining = GetUnwritten();
    const uint64_t piece = m_written == 0 ? m_firstWrite : m_writeSize;
    const uint64_t size = std::min(remaining, piece);
    if (m_writeReturns == WriteReturns::SOME_FITS && size > m_socket->GetTxAvailable())
    {
        m_ahead = true;
        m_writer.WriteSome(remaining);
        return;
    }
    const bool last = size == remaining;
    m_writer.Write(size, [this, last]() {
        if (!last)
        {
            Work(true);
            m_event = Simulator::Schedule(m_writeTime, &PrintJobClient::Write, this);
        }
    });
    if (m_writer.WaitsForAck())
    {
        Work(false);
    }
}

Ptr<Packet>
PrintJobClient::Take(uint32_t size)
{
    const PrintJobStep& step = m_script[m_step];
    const uint64_t from = std::min<uint64_t>(m_written, step.text.size());
    const uint64_t text = std::min<uint64_t>(size, step.text.size() - from);
    Ptr<Packet> packet; // of the file alone: zeros
    if (text > 0)
    {
        const auto octets = reinterpret_cast<const uint8_t*>(step.text.data()) + from;
        packet = Create<Packet>(octets, static_cast<uint32_t>(text));
        packet->AddAtEnd(Create<Packet>(static_cast<uint32_t>(size - text)));
    }
    m_written += size;
    if (m_written == step.GetSize())
    {
        m_ahead = false;
        Work(false);
        if (!step.awaitReply)
        {
            ++m_step; // the end of the script: only the ACKs are missing
        }
    }
    return packet;
}

} // namespace ns3::study
