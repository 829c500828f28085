/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_APPLICATION_H
#define SERVER_APPLICATION_H

#include "ns3/application.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::study
{

/// An application that TCP connections are made to: reads all that comes at once, and closes
/// after the peer. What derives from it does something with what comes.
class ServerApplication : public Application
{
  public:
    static TypeId GetTypeId();

    /// A server that listens on these ports.
    explicit ServerApplication(std::vector<uint16_t> ports);

    /// TracedCallback signature for a new connection: the server's end.
    typedef void (*AcceptedTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;
    void StopApplication() override;

    /// Close a connection after some time, above 0: closing inside TCP's own callback would send a
    /// second FIN.
    static void CloseAfter(Time delay, Ptr<Socket> socket);

  private:
    void StartApplication() override;
    /// A peer has connected.
    void ConnectionAccepted(Ptr<Socket> socket, const Address& from);

    /// A connection is made that nobody has been told of yet.
    virtual void Connected(Ptr<Socket> /* socket */)
    {
    }

    /// Something has come.
    virtual void DataReceived(Ptr<Socket> socket);
    /// The peer has closed.
    virtual void PeerClosed(Ptr<Socket> socket);

    /// The connection is gone.
    virtual void ConnectionLost(Ptr<Socket> /* socket */)
    {
    }

    const std::vector<uint16_t> m_ports;         //!< of this end
    std::vector<Ptr<Socket>> m_listeners;        //!< one a port
    TracedCallback<Ptr<Socket>> m_acceptedTrace; //!< a peer has connected
};

} // namespace ns3::study

#endif /* SERVER_APPLICATION_H */
