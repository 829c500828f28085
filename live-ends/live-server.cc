/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "live-server.h"

#include "event-stream.h"
#include "model/tcp/host-tcp.h"
#include "request-reply/request-client.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"

namespace ns3::study
{

namespace
{

/// @return a reply of a size, in HTTP where that is asked for and fits
std::string
MakeReply(const std::string& command, uint64_t size)
{
    const std::string before = "HTTP/1.1 200 OK\r\nContent-Length: ";
    const std::string behind = "\r\n\r\n";
    constexpr std::size_t digits = 10; // with zeros in front (RFC 9110, 8.6: 1*DIGIT)
    const std::size_t head = before.size() + digits + behind.size();
    std::string reply;
    if (command.find(" HTTP/1.") != std::string::npos && size > head)
    {
        const std::string body = std::to_string(size - head);
        reply = before + std::string(digits - body.size(), '0') + body + behind;
    }
    reply.append(size - reply.size(), '.');
    reply.back() = '\n';
    return reply;
}

} // namespace

void
LiveServer::AddParameters(ParameterSet& parameters) const
{
    parameters.AddTypes<RequestClient, ReplyServer>("exchange");
    parameters.AddTypes<HostTcp, TcpEnd>("server", "Server");
}

void
LiveServer::Install(const ParameterSet& parameters, Ptr<Node> node)
{
    m_tcp =
        ConfiguredTcpFactory::Install(node, parameters.GetFactory(HostTcp::GetTypeId(), "server"));
    const auto client = parameters.Create<RequestClient>("exchange");
    m_server = parameters.Create<ReplyServer>("exchange");
    m_server->SetCommand(client->GetTextSize(), client->GetCommandSize());
    BooleanValue echo;
    m_server->GetAttribute("Echo", echo);
    m_echo = echo.Get();
    m_reader = CommandReader(m_echo ? client->GetTextSize() : 0, client->GetCommandSize());
    m_replySize = m_server->GetReplySize() - (m_echo ? client->GetTextSize() : 0);
    m_server->SetText([this](auto socket, auto packet) { return Read(socket, packet); },
                      [this](auto socket, auto size) { return Write(socket, size); });
    m_server->TraceConnectWithoutContext("Accepted", MakeCallback(&LiveServer::Accepted, this));
    m_server->TraceConnectWithoutContext("Replied", MakeCallback(&LiveServer::Replied, this));
    m_server->TraceConnectWithoutContext("Ended", MakeCallback(&LiveServer::Ended, this));
    node->AddApplication(m_server);
}

JsonObject
LiveServer::Describe() const
{
    JsonObject ports;
    ports.Add(m_echo ? "telnet" : "http", uint64_t{ReplyServer::PORT});
    return ports;
}

int64_t
LiveServer::AssignStreams(int64_t stream)
{
    return m_tcp->AssignStreams(stream);
}

void
LiveServer::Accepted(Ptr<Socket> socket)
{
    m_clients[socket] = {++m_accepted, m_reader, {}, ""};
    JsonObject event = EventStream::MakeEvent("opened", m_accepted);
    event.Add("port", uint64_t{ReplyServer::PORT});
    Address address;
    socket->GetPeerName(address);
    event.Add("peer_port", uint64_t{InetSocketAddress::ConvertFrom(address).GetPort()});
    EventStream::Tell(event);
}

ReplyServer::Heard
LiveServer::Read(Ptr<Socket> socket, Ptr<const Packet> packet)
{
    std::string octets(packet->GetSize(), '\0');
    packet->CopyData(reinterpret_cast<uint8_t*>(octets.data()), packet->GetSize());
    Client& client = m_clients[socket];
    const CommandReader::Heard heard = client.reader.Read(octets);
    client.asked.insert(client.asked.end(), heard.commands.begin(), heard.commands.end());
    return {heard.echo, static_cast<uint32_t>(heard.commands.size())};
}

std::string
LiveServer::Write(Ptr<Socket> socket, uint32_t size)
{
    Client& client = m_clients[socket];
    if (client.reply.empty())
    {
        client.reply = MakeReply(client.asked.front(), m_replySize);
        client.asked.pop_front();
    }
    const std::string text = client.reply.substr(0, size);
    client.reply.erase(0, size);
    return text;
}

void
LiveServer::Replied(Ptr<Socket> socket)
{
    EventStream::Tell(EventStream::MakeEvent("replied", m_clients[socket].number));
}

void
LiveServer::Ended(Ptr<Socket> socket)
{
    const auto found = m_clients.find(socket);
    if (found != m_clients.end())
    {
        EventStream::Tell(EventStream::MakeEvent("closed", found->second.number));
        m_clients.erase(found);
    }
}

} // namespace ns3::study
