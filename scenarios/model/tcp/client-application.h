/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLIENT_APPLICATION_H
#define CLIENT_APPLICATION_H

#include "socket-writer.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3::study
{

/// An application that makes one TCP connection, uses it, and tells once how that ended.
///
/// It is given its socket, of any TCP, so that others can watch that from its SYN on. When it is
/// stopped it writes nothing more and closes; nobody is told of an end then.
class ClientApplication : public Application
{
  public:
    static TypeId GetTypeId();

    /// How it ended.
    enum class End
    {
        FINISHED,      //!< all is done
        NOT_CONNECTED, //!< the peer never answered
        CLOSED,        //!< the peer closed or reset the connection before that
        GAVE_UP,       //!< this end's TCP retransmitted unanswered until it gave up
        REFUSED        //!< the peer's answer was negative
    };

    /// Set what to call, once, with the way it ended.
    void SetEndCallback(std::function<void(End)> callback);

    /// TracedCallback signature for an application that starts or stops working.
    typedef void (*WorkingTracedCallback)(bool working);

  protected:
    void DoDispose() override;

    /// Set whom to connect to, by a socket not connected yet, from a port of this end, 0 for any.
    void SetConnection(const Address& peer, Ptr<Socket> socket, uint16_t localPort = 0);
    /// Tell whether the application has something to write from now on, before any answer.
    void Work(bool works);
    /// It is over: tell how, and then close after some time; not given, this end closes no more.
    /// Later calls change nothing.
    void Finish(End end, std::optional<Time> closeAfter = std::nullopt);
    /// @return true when it has ended or was stopped
    bool IsOver() const;

    Ptr<Socket> m_socket;  //!< the connection
    SocketWriter m_writer; //!< writes to it
    EventId m_event;       //!< what this end does next of its own accord

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// The connection is made.
    virtual void Connected() = 0;
    /// There is room in the send buffer: what does something else than to write what waits says so.
    virtual void RoomAvailable();

    /// Something has come.
    virtual void DataReceived()
    {
    }

    /// The peer has acknowledged more: so many bytes since the connection was made, however often
    /// the sequence numbers have gone round.
    virtual void Acknowledged(uint64_t /* bytes */)
    {
    }

    Address m_peer;                      //!< whom to connect to
    uint16_t m_localPort{0};             //!< of this end
    uint64_t m_numbers{0};               //!< sequence numbers acknowledged
    bool m_over{false};                  //!< it has ended, or was stopped
    std::function<void(End)> m_end;      //!< whom to tell
    TracedCallback<bool> m_workingTrace; //!< the application is working from now on, or not
};

} // namespace ns3::study

#endif /* CLIENT_APPLICATION_H */
