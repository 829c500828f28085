/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIVE_SERVER_H
#define LIVE_SERVER_H

#include "live-end.h"
#include "model/tcp/configured-tcp-factory.h"
#include "request-reply/reply-server.h"

#include <deque>
#include <map>

namespace ns3::study
{

/// The server of request-reply, whose replies a real client can read.
///
/// A command ends with a line's end where the server echoes, as in Telnet, and else with an empty
/// line, as HTTP's requests do; or when as many octets have come as the scenario's command has.
/// What begins as a request of HTTP is answered in HTTP; the size of a reply is the scenario's.
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
        std::string command;           //!< the beginning of the current one
        uint64_t size{0};              //!< of the current one, as far as it has come [B]
        uint32_t last{0};              //!< its last four octets, the very last one lowest
        bool isText{false};            //!< it ends where its text does, not after a size
        std::string heard;             //!< what has come last, for its echo
        std::deque<std::string> asked; //!< whole commands without a reply
        std::string reply;             //!< what is left to write of the current reply
        bool echoes{false};            //!< what is written now is an echo
    };

    /// A client has connected.
    void Accepted(Ptr<Socket> socket);
    /// Something of a command has come. @return how many commands end in it
    uint32_t Read(Ptr<Socket> socket, Ptr<const Packet> packet);
    /// @return the next octets of an echo or a reply
    Ptr<Packet> Write(Ptr<Socket> socket, uint32_t size);
    /// A reply is written.
    void Replied(Ptr<Socket> socket);
    /// A connection is over.
    void Ended(Ptr<Socket> socket);

    Ptr<ConfiguredTcpFactory> m_tcp;         //!< the server's
    Ptr<ReplyServer> m_server;               //!< its application
    bool m_echo{false};                      //!< it echoes
    uint64_t m_commandSize{0};               //!< of a command that is no text [B]
    uint64_t m_replySize{0};                 //!< of a reply, without the echo [B]
    std::map<Ptr<Socket>, Client> m_clients; //!< those who are connected
    uint64_t m_accepted{0};                  //!< how many there have been
};

} // namespace ns3::study

#endif /* LIVE_SERVER_H */
