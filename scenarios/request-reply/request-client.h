/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUEST_CLIENT_H
#define REQUEST_CLIENT_H

#include "model/tcp/client-application.h"
#include "turn-taker.h"

#include "ns3/nstime.h"

namespace ns3::study
{

/**
 * @brief Sends commands, each as two writes, and each only after the reply to the one before.
 *
 * The text goes first and the end of the line after it, as a Telnet client's library often writes
 * them; with CommandEnd 0 a command is one write, and with a large one it is a block of data that
 * the server confirms.
 */
class RequestClient : public ClientApplication
{
  public:
    static TypeId GetTypeId();

    /// @return what both ends write, if that is a list
    std::vector<Turn> GetTurns() const;
    /// @return the size of a command's first write [B]
    uint32_t GetTextSize() const;
    /// @return the size of a whole command [B]
    uint64_t GetCommandSize() const;
    /// Set whom to ask, by a socket not connected yet, and the size of a whole reply, an echo
    /// included [B].
    void SetServer(const Address& server, Ptr<Socket> socket, uint64_t replySize);

    /// Take turns with the server as a list says, in the place of commands.
    void SetTurns(const TurnTaker& turns);

    /// @return how many commands have their whole reply
    uint32_t GetAnswered() const;
    /// @return how many commands there are
    uint32_t GetCommands() const;
    /// @return what was received [B]
    uint64_t GetReceived() const;
    /// @return true if a write waits for the ACK of all of it
    bool WaitsForAck() const;
    /// Add what decides the client's course, but for the commands left.
    void Describe(StateRecord& state) const;
    /// Do without so many of the commands left: they were not simulated.
    void Skip(uint32_t commands);

  private:
    void Connected() override;
    void DataReceived() override;
    void Acknowledged(uint64_t bytes) override;

    /// Write the next turn, if it is this end's, after its time.
    void TakeTurn();
    /// Take the time between a reply and the next command.
    void Think();
    /// Write the first part of a command.
    void WriteText();
    /// Write the next of its parts.
    void WriteNext();
    /// A write has returned: go on.
    void WriteReturned();

    std::string m_turnList;      //!< what both ends write, if that is a list
    uint32_t m_commands;         //!< how many
    uint32_t m_commandText;      //!< first write of a command [B]
    uint32_t m_commandEnd;       //!< second write of a command [B]
    Time m_commandWriteTime;     //!< between the two
    WriteReturns m_writeReturns; //!< when a write does
    uint32_t m_writeSize;        //!< parts of the first write [B]
    Time m_clientTime;           //!< from a reply to the next command

    std::optional<TurnTaker> m_turns; //!< what both ends write, if that is a list
    uint32_t m_unwritten{0};          //!< of the first write, not written yet [B]
    uint64_t m_replySize{0};          //!< what a whole reply has [B]
    uint64_t m_received{0};           //!< what has come in all [B]
    uint64_t m_acknowledged{0};       //!< of what it wrote [B]
    uint32_t m_answered{0};           //!< commands with a whole reply
};

} // namespace ns3::study

#endif /* REQUEST_CLIENT_H */
