/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_RECEIVER_H
#define FILE_RECEIVER_H

#include "ns3/application.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

namespace ns3
{
class Socket;
}

namespace ns3::study
{

/**
 * @brief The client's end of a file transfer: reads all that comes at once, and closes after the
 * sender.
 */
class FileReceiver : public Application
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    static constexpr uint16_t PORT = 5001; //!< of the client, for the data

    /// TracedCallback signature for a new connection: the client's end.
    typedef void (*AcceptedTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// The server has connected.
    void ConnectionAccepted(Ptr<Socket> socket, const Address& from);

    Ptr<Socket> m_listener;                      //!< waits for the server
    TracedCallback<Ptr<Socket>> m_acceptedTrace; //!< the server has connected
};

} // namespace ns3::study

#endif /* FILE_RECEIVER_H */
