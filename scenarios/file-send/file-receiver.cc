/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-receiver.h"

#include "model/tcp/configured-tcp-factory.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("FileReceiver");

NS_OBJECT_ENSURE_REGISTERED(FileReceiver);

TypeId
FileReceiver::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::FileReceiver")
                            .SetParent<Application>()
                            .SetGroupName("Study")
                            .AddConstructor<FileReceiver>()
                            .AddTraceSource("Accepted",
                                            "The server has connected",
                                            MakeTraceSourceAccessor(&FileReceiver::m_acceptedTrace),
                                            "ns3::study::FileReceiver::AcceptedTracedCallback");
    return tid;
}

void
FileReceiver::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_listener = nullptr;
    Application::DoDispose();
}

void
FileReceiver::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_listener = Socket::CreateSocket(GetNode(), ConfiguredTcpFactory::GetTypeId());
    m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&FileReceiver::ConnectionAccepted, this));
}

void
FileReceiver::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (m_listener)
    {
        m_listener->Close();
    }
}

void
FileReceiver::ConnectionAccepted(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    m_acceptedTrace(socket);
    socket->SetRecvCallback(Callback<void, Ptr<Socket>>([](Ptr<Socket> each) {
        while (Ptr<Packet> packet = each->Recv())
        {
            if (packet->GetSize() == 0)
            {
                return;
            }
        }
    }));
    // Not at once: closing inside TCP's own callback would send a second FIN.
    const Callback<void, Ptr<Socket>> closed([](Ptr<Socket> each) {
        Simulator::Schedule(MicroSeconds(100), [each]() { each->Close(); });
    });
    socket->SetCloseCallbacks(closed, Callback<void, Ptr<Socket>>([](Ptr<Socket>) {}));
}

} // namespace ns3::study
