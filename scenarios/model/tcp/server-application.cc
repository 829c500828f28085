/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-application.h"

#include "configured-tcp-factory.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ServerApplication");

NS_OBJECT_ENSURE_REGISTERED(ServerApplication);

TypeId
ServerApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::ServerApplication")
            .SetParent<Application>()
            .SetGroupName("Study")
            .AddTraceSource("Accepted",
                            "A peer has connected",
                            MakeTraceSourceAccessor(&ServerApplication::m_acceptedTrace),
                            "ns3::study::ServerApplication::AcceptedTracedCallback");
    return tid;
}

ServerApplication::ServerApplication(std::vector<uint16_t> ports)
    : m_ports(std::move(ports))
{
}

void
ServerApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_listeners.clear();
    Application::DoDispose();
}

void
ServerApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    for (const uint16_t port : m_ports)
    {
        Ptr<Socket> socket = Socket::CreateSocket(GetNode(), ConfiguredTcpFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        socket->Listen();
        socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&ServerApplication::ConnectionAccepted, this));
        m_listeners.push_back(socket);
    }
}

void
ServerApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    for (const auto& listener : m_listeners)
    {
        listener->Close();
    }
}

void
ServerApplication::ConnectionAccepted(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    Connected(socket);
    m_acceptedTrace(socket);
    socket->SetRecvCallback(MakeCallback(&ServerApplication::DataReceived, this));
    socket->SetCloseCallbacks(MakeCallback(&ServerApplication::PeerClosed, this),
                              MakeCallback(&ServerApplication::ConnectionLost, this));
}

void
ServerApplication::CloseAfter(Time delay, Ptr<Socket> socket)
{
    Simulator::Schedule(delay, [socket]() { socket->Close(); });
}

void
ServerApplication::DataReceived(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            return;
        }
    }
}

void
ServerApplication::PeerClosed(Ptr<Socket> socket)
{
    CloseAfter(MicroSeconds(100), socket);
}

} // namespace ns3::study
