/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOCKET_WRITER_H
#define SOCKET_WRITER_H

#include "ns3/ptr.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::study
{

/// Writes to a socket as a blocking write() does: what does not fit waits for room.
class SocketWriter
{
  public:
    /// @param socket where to write
    explicit SocketWriter(Ptr<Socket> socket = nullptr);

    /// Write so many octets.
    void Write(uint64_t size);
    /// Write what waits, as far as there is room now.
    void WriteWhatFits();

  private:
    Ptr<Socket> m_socket;  //!< where to write
    uint64_t m_waiting{0}; //!< octets not yet taken by the socket
};

} // namespace ns3::study

#endif /* SOCKET_WRITER_H */
