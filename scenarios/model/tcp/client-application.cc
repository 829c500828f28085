/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "client-application.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/sequence-number.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/trace-source-accessor.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ClientApplication");

NS_OBJECT_ENSURE_REGISTERED(ClientApplication);

TypeId
ClientApplication::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::ClientApplication")
            .SetParent<Application>()
            .SetGroupName("Study")
            .AddTraceSource("Working",
                            "The application is working, or has nothing to do before an answer",
                            MakeTraceSourceAccessor(&ClientApplication::m_workingTrace),
                            "ns3::study::ClientApplication::WorkingTracedCallback");
    return tid;
}

void
ClientApplication::SetEndCallback(std::function<void(End)> callback)
{
    m_end = std::move(callback);
}

void
ClientApplication::SetConnection(const Address& peer, Ptr<Socket> socket, uint16_t localPort)
{
    NS_LOG_FUNCTION(this << peer << socket << localPort);
    m_peer = peer;
    m_socket = socket;
    m_localPort = localPort;
}

void
ClientApplication::Work(bool works)
{
    m_workingTrace(works);
}

bool
ClientApplication::IsOver() const
{
    return m_over;
}

void
ClientApplication::Finish(End end, std::optional<Time> closeAfter)
{
    NS_LOG_FUNCTION(this << static_cast<int>(end));
    if (m_over)
    {
        return;
    }
    m_over = true;
    m_event.Cancel();
    if (m_end)
    {
        m_end(end);
    }
    if (closeAfter)
    {
        m_event = Simulator::Schedule(*closeAfter, [this]() { m_socket->Close(); });
    }
}

void
ClientApplication::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_writer = SocketWriter();
    m_socket = nullptr;
    m_end = nullptr;
    Application::DoDispose();
}

void
ClientApplication::StartApplication()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_UNLESS(m_socket, GetInstanceTypeId() << " was not told whom to connect to");
    const auto ends = [this](End end) {
        return Callback<void, Ptr<Socket>>([this, end](Ptr<Socket>) { Finish(end); });
    };
    const auto unlessOver = [this](void (ClientApplication::*then)()) {
        if (!m_over)
        {
            (this->*then)();
        }
    };
    m_socket->SetConnectCallback(Callback<void, Ptr<Socket>>([unlessOver](Ptr<Socket>) {
                                     unlessOver(&ClientApplication::Connected);
                                 }),
                                 ends(End::NOT_CONNECTED));
    m_socket->SetCloseCallbacks(ends(End::CLOSED), ends(End::GAVE_UP));
    m_socket->SetRecvCallback(Callback<void, Ptr<Socket>>(
        [unlessOver](Ptr<Socket>) { unlessOver(&ClientApplication::DataReceived); }));
    m_socket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>(
        [unlessOver](auto...) { unlessOver(&ClientApplication::RoomAvailable); }));
    const bool watched = m_socket->TraceConnectWithoutContext(
        "HighestRxAck",
        Callback<void, SequenceNumber32, SequenceNumber32>(
            [this](SequenceNumber32 before, SequenceNumber32 now) {
                m_numbers += now - before;
                if (!m_over)
                {
                    m_writer.Acknowledged(m_numbers - 1); // the SYN takes the first number
                    Acknowledged(m_numbers - 1);
                }
            }));
    NS_ABORT_MSG_UNLESS(watched, GetInstanceTypeId() << " needs a TCP socket");
    m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_localPort));
    m_socket->Connect(m_peer);
}

void
ClientApplication::StopApplication()
{
    NS_LOG_FUNCTION(this);
    if (!m_over && m_socket)
    {
        m_event.Cancel();
        m_socket->Close();
    }
    m_over = true;
}

void
ClientApplication::RoomAvailable()
{
    m_writer.WriteWhatFits();
}

} // namespace ns3::study
