/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "print-server.h"

#include "configured-tcp-factory.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("PrintServer");

NS_OBJECT_ENSURE_REGISTERED(PrintServer);

TypeId
PrintServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PrintServer")
            .SetParent<Application>()
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
                          MakeTimeChecker(NanoSeconds(1), Hours(1)));
    return tid;
}

PrintServer::PrintServer()
{
    NS_LOG_FUNCTION(this);
}

uint64_t
PrintServer::GetReceived() const
{
    return m_received;
}

void
PrintServer::DoDispose()
{
    m_listeners.clear();
    m_dialogues.clear();
    Application::DoDispose();
}

void
PrintServer::StartApplication()
{
    Listen(LPR_PORT);
    Listen(RAW_PORT);
}

void
PrintServer::StopApplication()
{
    for (const auto& listener : m_listeners)
    {
        listener->Close();
    }
}

void
PrintServer::Listen(uint16_t port)
{
    Ptr<Socket> socket = Socket::CreateSocket(GetNode(), ConfiguredTcpFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    socket->Listen();
    socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                              MakeCallback(&PrintServer::ConnectionAccepted, this));
    m_listeners.push_back(socket);
}

void
PrintServer::ConnectionAccepted(Ptr<Socket> socket, const Address& /* from */)
{
    Address local;
    socket->GetSockName(local);
    if (InetSocketAddress::ConvertFrom(local).GetPort() == LPR_PORT)
    {
        m_dialogues.emplace(socket, LprReceiver());
    }
    socket->SetRecvCallback(MakeCallback(&PrintServer::DataReceived, this));
    socket->SetCloseCallbacks(MakeCallback(&PrintServer::PeerClosed, this),
                              MakeCallback(&PrintServer::ConnectionLost, this));
}

void
PrintServer::DataReceived(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            return; // the end of the stream; PeerClosed() deals with it
        }
        m_received += packet->GetSize();
        const auto dialogue = m_dialogues.find(socket);
        if (dialogue == m_dialogues.end())
        {
            continue;
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
}

void
PrintServer::Reply(Ptr<Socket> socket, LprReceiver::Answered answered)
{
    const uint8_t octet = LprReceiver::GetReply(answered);
    socket->Send(Create<Packet>(&octet, 1));
}

void
PrintServer::PeerClosed(Ptr<Socket> socket)
{
    m_dialogues.erase(socket);
    // Closing inside this callback would send a second FIN.
    Simulator::Schedule(m_closeTime, [socket]() { socket->Close(); });
}

void
PrintServer::ConnectionLost(Ptr<Socket> socket)
{
    m_dialogues.erase(socket);
}

} // namespace ns3
