/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "live-printer.h"

#include "event-stream.h"
#include "model/machine/device-processor.h"
#include "model/tcp/device-tcp.h"

#include "ns3/inet-socket-address.h"

namespace ns3::study
{

void
LivePrinter::AddParameters(ParameterSet& parameters) const
{
    parameters.AddTypes<DeviceTcp, PrintServer, DeviceProcessor>("device");
}

void
LivePrinter::Install(const ParameterSet& parameters, Ptr<Node> node)
{
    m_tcp = ConfiguredTcpFactory::Install(node,
                                          parameters.GetFactory(DeviceTcp::GetTypeId(), "device"));
    m_server = parameters.Create<PrintServer>("device");
    m_server->TraceConnectWithoutContext("Accepted", MakeCallback(&LivePrinter::Accepted, this));
    m_server->TraceConnectWithoutContext("Printed", MakeCallback(&LivePrinter::Printed, this));
    m_server->TraceConnectWithoutContext("Ended", MakeCallback(&LivePrinter::Ended, this));
    const auto processor = parameters.Create<DeviceProcessor>("device");
    if (processor->IsOn())
    {
        processor->Install(node);
        m_server->SetProcessor(processor);
    }
    node->AddApplication(m_server);
}

JsonObject
LivePrinter::Describe() const
{
    JsonObject ports;
    ports.Add("lpd", uint64_t{PrintServer::LPR_PORT});
    ports.Add("socket", uint64_t{PrintServer::RAW_PORT});
    return ports;
}

int64_t
LivePrinter::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    stream += m_tcp->AssignStreams(stream);
    stream += m_server->AssignStreams(stream);
    return stream - first;
}

void
LivePrinter::Accepted(Ptr<Socket> socket)
{
    m_connections[socket] = ++m_accepted;
    JsonObject event = EventStream::MakeEvent("opened", m_accepted);
    Address address;
    socket->GetSockName(address);
    event.Add("port", uint64_t{InetSocketAddress::ConvertFrom(address).GetPort()});
    socket->GetPeerName(address);
    event.Add("peer_port", uint64_t{InetSocketAddress::ConvertFrom(address).GetPort()});
    EventStream::Tell(event);
}

void
LivePrinter::Printed(Ptr<Socket> socket, Ptr<const Packet> octets)
{
    const auto found = m_connections.find(socket);
    if (found == m_connections.end())
    {
        return; // it was lost: what comes after that is no part of a job
    }
    const uint64_t connection = found->second;
    if (octets)
    {
        EventStream::Tell(EventStream::MakeEvent("printed", connection), octets);
        return;
    }
    EventStream::Tell(EventStream::MakeEvent("whole", connection));
}

void
LivePrinter::Ended(Ptr<Socket> socket, bool closed)
{
    const auto found = m_connections.find(socket);
    if (found != m_connections.end()) // else it was told before
    {
        EventStream::Tell(EventStream::MakeEvent(closed ? "closed" : "lost", found->second));
        m_connections.erase(found);
    }
}

} // namespace ns3::study
