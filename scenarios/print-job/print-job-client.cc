/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "print-job-client.h"

#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PrintJobClient");

NS_OBJECT_ENSURE_REGISTERED(PrintJobClient);

TypeId
PrintJobClient::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PrintJobClient")
            .SetParent<Application>()
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
            .AddAttribute("WriteTime",
                          "Time between two writes of a file, until the send buffer is full [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&PrintJobClient::m_writeTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)));
    return tid;
}

PrintJobClient::PrintJobClient()
{
    NS_LOG_FUNCTION(this);
}

void
PrintJobClient::SetJob(const Address& device, Ptr<Socket> socket, const PrintJobScript& script)
{
    m_device = device;
    m_socket = socket;
    m_script = script;
}

void
PrintJobClient::SetEndCallback(std::function<void(End)> callback)
{
    m_end = std::move(callback);
}

void
PrintJobClient::Acknowledged(uint64_t bytes)
{
    const bool noReplyToCome = m_step == m_script.size();
    if (noReplyToCome && bytes >= GetSize(m_script))
    {
        Finish(End::FINISHED);
    }
}

void
PrintJobClient::Describe(StateRecord& state) const
{
    state.Add(static_cast<int64_t>(m_step));
    state.Add(m_written == 0);
    state.Add(m_ahead);
    state.Add(m_done);
    state.AddTimer(m_writeEvent);
}

uint64_t
PrintJobClient::GetUnwritten() const
{
    return m_step < m_script.size() ? m_script[m_step].GetSize() - m_written : 0;
}

void
PrintJobClient::Skip(uint64_t bytes)
{
    m_script[m_step].zeroOctets -= bytes;
}

void
PrintJobClient::DoDispose()
{
    m_socket = nullptr;
    m_end = nullptr;
    Application::DoDispose();
}

void
PrintJobClient::StartApplication()
{
    m_socket->SetConnectCallback(MakeCallback(&PrintJobClient::ConnectionSucceeded, this),
                                 MakeCallback(&PrintJobClient::ConnectionFailed, this));
    m_socket->SetCloseCallbacks(MakeCallback(&PrintJobClient::ConnectionClosed, this),
                                MakeCallback(&PrintJobClient::ConnectionGivenUp, this));
    m_socket->SetRecvCallback(MakeCallback(&PrintJobClient::ReplyReceived, this));
    m_socket->SetSendCallback(MakeCallback(&PrintJobClient::RoomAvailable, this));
    m_socket->Bind();
    m_socket->Connect(m_device);
}

void
PrintJobClient::StopApplication()
{
    m_writeEvent.Cancel();
}

void
PrintJobClient::ConnectionSucceeded(Ptr<Socket> /* socket */)
{
    Think();
}

void
PrintJobClient::ConnectionFailed(Ptr<Socket> /* socket */)
{
    Finish(End::NOT_CONNECTED);
}

void
PrintJobClient::ConnectionClosed(Ptr<Socket> /* socket */)
{
    Finish(End::CLOSED);
}

void
PrintJobClient::ConnectionGivenUp(Ptr<Socket> /* socket */)
{
    Finish(End::GAVE_UP);
}

void
PrintJobClient::ReplyReceived(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0 || m_done)
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
            Finish(End::FINISHED);
            return;
        }
        Think();
    }
}

void
PrintJobClient::RoomAvailable(Ptr<Socket> /* socket */, uint32_t /* available */)
{
    if (m_ahead && !m_done)
    {
        WriteWhatFits();
    }
}

void
PrintJobClient::Think()
{
    m_written = 0;
    m_ahead = false;
    m_writeEvent = Simulator::Schedule(m_thinkTime, &PrintJobClient::Write, this);
}

void
PrintJobClient::Write()
{
    const uint64_t remaining = m_script[m_step].GetSize() - m_written;
    const uint64_t piece = m_written == 0 ? m_firstWrite : m_writeSize;
    const uint64_t size = std::min(remaining, piece);
    if (size > m_socket->GetTxAvailable())
    {
        m_ahead = true;
        WriteWhatFits();
        return;
    }
    WriteOctets(size);
    if (size < remaining)
    {
        m_writeEvent = Simulator::Schedule(m_writeTime, &PrintJobClient::Write, this);
    }
}

void
PrintJobClient::WriteWhatFits()
{
    const uint64_t remaining = m_script[m_step].GetSize() - m_written;
    const uint64_t size = std::min<uint64_t>(remaining, m_socket->GetTxAvailable());
    if (size > 0)
    {
        WriteOctets(size);
    }
}

void
PrintJobClient::WriteOctets(uint64_t size)
{
    const PrintJobStep& step = m_script[m_step];
    const uint64_t from = std::min<uint64_t>(m_written, step.text.size());
    const uint64_t text = std::min<uint64_t>(size, step.text.size() - from);
    Ptr<Packet> packet = Create<Packet>(reinterpret_cast<const uint8_t*>(step.text.data()) + from,
                                        static_cast<uint32_t>(text));
    packet->AddAtEnd(Create<Packet>(static_cast<uint32_t>(size - text)));
    m_written += size;
    if (m_written == step.GetSize())
    {
        m_ahead = false;
        if (!step.awaitReply)
        {
            ++m_step; // the end of the script: only the ACKs are missing
        }
    }
    m_socket->Send(packet);
}

void
PrintJobClient::Finish(End end)
{
    if (m_done)
    {
        return;
    }
    m_done = true;
    m_ahead = false;
    m_writeEvent.Cancel();
    if (m_end)
    {
        m_end(end);
    }
    if (end == End::FINISHED)
    {
        m_writeEvent = Simulator::Schedule(m_thinkTime, [this]() { m_socket->Close(); });
    }
}

} // namespace ns3
