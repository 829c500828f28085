/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUEST_CLIENT_H
#define REQUEST_CLIENT_H

#include "model/tcp/socket-writer.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <functional>

namespace ns3
{

/**
 * @brief Sends commands, each as two writes, and each only after the reply to the one before.
 *
 * The text goes first and the end of the line after it, as a Telnet client's library often writes
 * them; with CommandEnd 0 a command is one write, and with a large one it is a block of data that
 * the server confirms.
 */
class RequestClient : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RequestClient();

    /**
     * @return the size of a command's first write, in bytes
     */
    uint32_t GetTextSize() const;
    /**
     * @return the size of a whole command, in bytes
     */
    uint64_t GetCommandSize() const;
    /**
     * @brief Set whom to ask.
     * @param server address and port to connect to
     * @param socket the socket to use, not connected yet
     * @param replySize what a whole reply has, an echo included [B]
     */
    void SetServer(const Address& server, Ptr<Socket> socket, uint64_t replySize);

    /// How the exchange ended.
    enum class End
    {
        FINISHED,      //!< every command has its whole reply
        NOT_CONNECTED, //!< the server never answered
        CLOSED,        //!< the server closed or reset the connection too early
        GAVE_UP        //!< the client retransmitted in vain until it gave up
    };

    /**
     * @brief Set what to call when the exchange ends.
     * @param callback called once with the way it ended
     */
    void SetEndCallback(std::function<void(End)> callback);
    /**
     * @return how many commands have their whole reply
     */
    uint32_t GetAnswered() const;
    /**
     * @return how many commands there are
     */
    uint32_t GetCommands() const;
    /**
     * @return what was received, in bytes
     */
    uint64_t GetReceived() const;

    /**
     * TracedCallback signature for an application that starts or stops working.
     *
     * @param [in] working true from the time it works on
     */
    typedef void (*WorkingTracedCallback)(bool working);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Take the time between a reply and the next command.
    void Think();
    /// Write the first part of a command.
    void WriteText();
    /// Write the second.
    void WriteEnd();
    /**
     * @brief The exchange is over: tell, and close.
     * @param end how it ended
     */
    void Finish(End end);

    /**
     * @brief The connection is made.
     * @param socket the socket
     */
    void ConnectionSucceeded(Ptr<Socket> socket);
    /**
     * @brief The server did not answer.
     * @param socket the socket
     */
    void ConnectionFailed(Ptr<Socket> socket);
    /**
     * @brief The server closed or reset the connection.
     * @param socket the socket
     */
    void ConnectionClosed(Ptr<Socket> socket);
    /**
     * @brief The client's TCP gave up.
     * @param socket the socket
     */
    void ConnectionGivenUp(Ptr<Socket> socket);
    /**
     * @brief Something of a reply has come.
     * @param socket the socket
     */
    void ReplyReceived(Ptr<Socket> socket);
    /**
     * @brief There is room in the send buffer.
     * @param socket the socket
     * @param available the room in bytes
     */
    void RoomAvailable(Ptr<Socket> socket, uint32_t available);

    uint32_t m_commands;     //!< how many
    uint32_t m_commandText;  //!< first write of a command [B]
    uint32_t m_commandEnd;   //!< second write of a command [B]
    Time m_commandWriteTime; //!< between the two
    Time m_clientTime;       //!< from a reply to the next command

    Address m_server;                    //!< where to connect
    Ptr<Socket> m_socket;                //!< the connection
    SocketWriter m_writer;               //!< writes to it
    uint64_t m_replySize{0};             //!< what a whole reply has [B]
    uint64_t m_received{0};              //!< what has come in all [B]
    uint32_t m_answered{0};              //!< commands with a whole reply
    bool m_done{false};                  //!< the exchange has ended
    EventId m_event;                     //!< the next write, or the close
    std::function<void(End)> m_end;      //!< whom to tell
    TracedCallback<bool> m_workingTrace; //!< the application is working from now on, or not
};

} // namespace ns3

#endif /* REQUEST_CLIENT_H */
