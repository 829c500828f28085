/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIVE_SERVER_H
#define LIVE_SERVER_H

#include "command-reader.h"
#include "live-end.h"
#include "model/tcp/configured-tcp-factory.h"
#include "request-reply/reply-server.h"

#include <deque>
#include <map>

namespace ns3::study
{

/// The server of request-reply, whose replies a real client can read.
///
/// Where a command ends says CommandReader. What begins as a request of HTTP is answered in HTTP;
/// the size of a reply is the scenario's.
class LiveServer : public LiveEnd
{
  public:
    void AddParameters(ParameterSet& parameters) const override;
    void Install(const ParameterSet& parameters, Ptr<Node> node) override;
    JsonObject Describe() const override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    /// What is known of a client.
    struct Client
    {
        uint64_t number{0};            //!< of its connection
        CommandReader reader;          //!< of what it sends
        std::deque<std::string> asked; //!< whole commands without a reply
        std::string reply;             //!< what is left to write of the current reply
    };

    /// A client has connected.
    void Accepted(Ptr<Socket> socket);
    /// Something of a command has come. @return what it comes to
    ReplyServer::Heard Read(Ptr<Socket> socket, Ptr<const Packet> packet);
    /// @return so many of the next octets of a reply
    std::string Write(Ptr<Socket> socket, uint32_t size);
    /// A reply is written.
    void Replied(Ptr<Socket> socket);
    /// A connection is over.
    void Ended(Ptr<Socket> socket);

    Ptr<ConfiguredTcpFactory> m_tcp;         //!< the server's
    Ptr<ReplyServer> m_server;               //!< its application
    bool m_echo{false};                      //!< it echoes
    CommandReader m_reader;                  //!< a new client's
    uint64_t m_replySize{0};                 //!< of a reply, without the echo [B]
    std::map<Ptr<Socket>, Client> m_clients; //!< those who are connected
    uint64_t m_accepted{0};                  //!< how many there have been
};

} // namespace ns3::study

#endif /* LIVE_SERVER_H */
