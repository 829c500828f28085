/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOCKET_WRITER_H
#define SOCKET_WRITER_H

#include "connection-socket.h"
#include "model/proof/state-record.h"

#include "ns3/attribute.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::study
{

/// When a write to a socket returns, and its writer goes on.
enum class WriteReturns
{
    SOME_FITS,   //!< at once: there is room for some of it, and the rest follows as there is more
    ALL_FITS,    //!< when the last octet has found room in the send buffer, as a blocking write()
    ACKNOWLEDGED //!< when the peer has acknowledged the last octet
};

/// @return what lets an attribute be one of these, by their names: some-fits, all-fits,
/// acknowledged
Ptr<const AttributeChecker> MakeWriteReturnsChecker(const std::vector<WriteReturns>& allowed);

/// Writes to a socket: what does not fit waits for room. Whoever has it tells it of room, and of
/// what is acknowledged.
class SocketWriter
{
  public:
    /// Makes so many of the next octets to write; null for zeros.
    using Source = std::function<Ptr<Packet>(uint32_t)>;

    /// @param socket where to write, zero octets unless there is a source
    explicit SocketWriter(Ptr<Socket> socket = nullptr,
                          WriteReturns returns = WriteReturns::SOME_FITS,
                          Source source = nullptr);

    /// Write so many octets, and call when that returns: the write before has returned, or nobody
    /// waits for this one.
    void Write(uint64_t size, std::function<void()> returned = nullptr);
    /// Write what fits of so many octets, and forget the rest. @return how many these are
    uint64_t WriteSome(uint64_t size);
    /// There is room: write what waits, as far as it goes.
    void WriteWhatFits();
    /// The peer has acknowledged so many octets since the connection was made.
    void Acknowledged(uint64_t octets);
    /// @return true while a write has not returned whose octets all are in the send buffer
    bool WaitsForAck() const;

    /// Add what decides the writer's course, but for what it calls.
    void Describe(StateRecord& state) const;

  private:
    /// The write returns, if it does by now.
    void ReturnIfDone();

    Ptr<Socket> m_socket;             //!< where to write
    Ptr<ConnectionSocket> m_own;      //!< the same if it is this study's, which takes zeros
    WriteReturns m_returns;           //!< when a write does
    Source m_source;                  //!< makes the octets
    uint64_t m_waiting{0};            //!< octets not yet taken by the socket
    uint64_t m_written{0};            //!< octets that it has taken
    uint64_t m_acknowledged{0};       //!< of these, octets that the peer has acknowledged
    std::function<void()> m_returned; //!< what to call when the write returns
};

} // namespace ns3::study

#endif /* SOCKET_WRITER_H */
