/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPLY_SERVER_H
#define REPLY_SERVER_H

#include "model/tcp/server-application.h"
#include "model/tcp/socket-writer.h"
#include "turn-taker.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <map>
#include <string>

namespace ns3::study
{

/// Takes commands on the Telnet port, echoes their text at once, and answers a whole command
/// after ServerTime in small writes. A slow reader takes ServerRead at a time, and ServerReadTime
/// for it.
///
/// The echo carries the ACK of what it echoes (RFC 1122, 4.2.3.2 names Telnet's echo as the case).
class ReplyServer : public ServerApplication
{
  public:
    static TypeId GetTypeId();

    static constexpr uint16_t PORT = 23; //!< Telnet (RFC 854)

    ReplyServer();

    /// Set the size of a command: the part that is echoed, and all of it [B].
    void SetCommand(uint32_t textSize, uint64_t commandSize);

    /// What a piece of a client's octets comes to.
    struct Heard
    {
        std::string echo;  //!< to send back at once
        uint32_t commands; //!< that end in it, which their size then does not tell
    };

    /// Sees what a client sends.
    using Reader = std::function<Heard(Ptr<Socket>, Ptr<const Packet>)>;
    /// Makes so many of the next octets of a reply.
    using Author = std::function<std::string(Ptr<Socket>, uint32_t)>;
    /// Let real clients have something to read: by default nobody looks at a command, and echoes
    /// and replies are of zeros.
    void SetText(Reader reader, Author author);
    /// Take turns with every client as a list says, in the place of replies.
    void SetTurns(const TurnTaker& turns);
    /// @return what a client receives for a command, the echo included, in bytes
    uint64_t GetReplySize() const;
    /// @return what was received, in bytes
    uint64_t GetReceived() const;
    /// Add what decides the server's course.
    void Describe(StateRecord& state) const;

    /// TracedCallback signature for an application that starts or stops working.
    typedef void (*WorkingTracedCallback)(bool working);
    /// TracedCallback signature for a reply that is written, or a connection that is over.
    typedef void (*ConversationTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;
    void StopApplication() override;

  private:
    /// What is going on with a client.
    struct Conversation
    {
        SocketWriter writer;            //!< writes to the connection
        std::optional<TurnTaker> turns; //!< what both ends write, if that is a list
        uint64_t heard{0};              //!< what has come from this client [B]
        uint64_t ofCommand{0};          //!< what has come of the current command [B]
        uint32_t written{0};            //!< writes of the current reply already made
        EventId event;                  //!< the next write of a reply
        uint32_t ofRead{0};             //!< what is read of what it reads at a time [B]
        EventId reading;                //!< the end of its being busy with that
        bool answers{false};            //!< a reply is outstanding
        uint32_t waiting{0};            //!< whole commands whose replies are not begun
        bool closes{false};             //!< the client has closed its side
        std::string text;               //!< what is to be written, if somebody reads it
    };

    void Connected(Ptr<Socket> socket) override;
    void DataReceived(Ptr<Socket> socket) override;
    void PeerClosed(Ptr<Socket> socket) override;
    void ConnectionLost(Ptr<Socket> socket) override;

    /// Write the next turn, if it is this end's, after its time.
    void TakeTurn(Ptr<Socket> socket);
    /// @return what it reads now; null if nothing has come, or it is busy
    Ptr<Packet> Read(Ptr<Socket> socket, Conversation& conversation);
    /// Begin with the reply to the first command that waits for it.
    void Answer(Ptr<Socket> socket);
    /// Write the next part of a reply.
    void WriteReply(Ptr<Socket> socket);
    /// @return so many of the next octets that are to be written
    Ptr<Packet> TakeText(Ptr<Socket> socket, uint32_t size);
    /// A write of a reply has returned.
    void WriteReturned(Ptr<Socket> socket);
    /// There is room in the send buffer.
    void RoomAvailable(Ptr<Socket> socket, uint32_t available);

    bool m_echo;                 //!< echo the text of a command
    uint32_t m_readSize;         //!< read at a time; 0 for all that has come [B]
    Time m_readTime;             //!< busy with that
    Time m_serverTime;           //!< from a whole command to the first write of its reply
    uint32_t m_writes;           //!< writes of a reply
    uint32_t m_writeSize;        //!< each of them [B]
    Time m_writeTime;            //!< between two
    WriteReturns m_writeReturns; //!< when a write does

    std::optional<TurnTaker> m_turns; //!< what both ends write, if that is a list
    uint32_t m_textSize{0};           //!< the part of a command that is echoed [B]
    uint64_t m_commandSize{0};        //!< a whole command [B]
    Reader m_reader;                  //!< sees commands, if somebody does
    Author m_author;                  //!< writes replies, if somebody does
    uint64_t m_received{0};           //!< what has come in all [B]
    std::map<Ptr<Socket>, Conversation> m_conversations; //!< with every client
    TracedCallback<Ptr<Socket>> m_repliedTrace;          //!< a reply is written whole
    TracedCallback<Ptr<Socket>> m_endedTrace;            //!< a connection is over
    TracedCallback<bool> m_workingTrace; //!< the application is working, or not any more
};

} // namespace ns3::study

#endif /* REPLY_SERVER_H */
