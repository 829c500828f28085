/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINT_SERVER_H
#define PRINT_SERVER_H

#include "lpr-receiver.h"

#include "ns3/application.h"
#include "ns3/nstime.h"

#include <map>
#include <vector>

namespace ns3
{

class Socket;

/**
 * @brief The device's application: takes jobs on the LPR port (515) and on a raw port (9100).
 *
 * A command is answered as soon as the device's TCP hands it over, so that the reply carries the
 * ACK; the receive-job command takes JobCommandTime longer. When the host has closed, the device
 * closes CloseTime after it has acknowledged.
 */
class PrintServer : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    static constexpr uint16_t LPR_PORT = 515;  //!< RFC 1179, 3.1
    static constexpr uint16_t RAW_PORT = 9100; //!< the raw port of most network printers

    PrintServer();

    /**
     * @return payload received on all connections, in bytes
     */
    uint64_t GetReceived() const;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /**
     * @brief Listen on a port.
     * @param port the port
     */
    void Listen(uint16_t port);
    /**
     * @brief A host has connected.
     * @param socket the connection
     * @param from the host
     */
    void ConnectionAccepted(Ptr<Socket> socket, const Address& from);
    /**
     * @brief Data have arrived.
     * @param socket the connection
     */
    void DataReceived(Ptr<Socket> socket);
    /**
     * @brief Send a reply.
     * @param socket the connection
     * @param answered what it answers
     */
    void Reply(Ptr<Socket> socket, LprReceiver::Answered answered);
    /**
     * @brief The host has closed.
     * @param socket the connection
     */
    void PeerClosed(Ptr<Socket> socket);
    /**
     * @brief The connection is gone.
     * @param socket the connection
     */
    void ConnectionLost(Ptr<Socket> socket);

    Time m_jobCommandTime; //!< time the receive-job command takes
    Time m_closeTime;      //!< from the host's close to the device's

    std::vector<Ptr<Socket>> m_listeners;           //!< one a port
    std::map<Ptr<Socket>, LprReceiver> m_dialogues; //!< the open LPR connections
    uint64_t m_received{0};                         //!< payload received [B]
};

} // namespace ns3

#endif /* PRINT_SERVER_H */
