/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINT_SERVER_H
#define PRINT_SERVER_H

#include "lpr-receiver.h"
#include "model/machine/device-processor.h"
#include "model/proof/state-record.h"
#include "model/tcp/server-application.h"
#include "model/tcp/shared-draw.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <map>
#include <set>

namespace ns3::study
{

/**
 * @brief The device's application: takes jobs on the LPR port (515) and on a raw port (9100).
 *
 * What its TCP has acknowledged waits in the buffer until the application passes it on to the
 * printer's port: first after DrainLatency, then PortChunk bytes at a time as PortRate allows. With
 * the defaults it is passed on at once. A port that pauses (out of paper, busy) is DrainPause after
 * every DrainPauseEvery bytes. All connections share the port. A device with a processor of its own
 * needs that for each of these chunks, too.
 *
 * A command is answered as soon as the device's TCP hands it over, so that the reply carries the
 * ACK; the receive-job command takes JobCommandTime longer. When the host has closed, the device
 * closes CloseTime after it has acknowledged.
 */
class PrintServer : public ServerApplication
{
  public:
    static TypeId GetTypeId();

    static constexpr uint16_t LPR_PORT = 515;  //!< RFC 1179, 3.1
    static constexpr uint16_t RAW_PORT = 9100; //!< the raw port of most network printers

    PrintServer();

    /// @return payload received on all connections, in bytes
    uint64_t GetReceived() const;

    /// Give the device a processor that moves the bytes to the port.
    void SetProcessor(Ptr<DeviceProcessor> processor);
    int64_t AssignStreams(int64_t stream) override;

    /// TracedCallback signature for bytes passed on to the port: how many.
    typedef void (*DrainedTracedCallback)(uint32_t size);

    /// TracedCallback signature for octets of a file that the port has taken; null when the file
    /// ends.
    typedef void (*PrintedTracedCallback)(Ptr<Socket> socket, Ptr<const Packet> octets);
    /// TracedCallback signature for a connection that is over: closed in order, or lost.
    typedef void (*EndedTracedCallback)(Ptr<Socket> socket, bool closed);

    /// @return the longest time the port can be without taking a byte that waits
    Time GetLongestDrain() const;

    /// Add what decides the port's course, but for the bytes left in a file and to a pause.
    void Describe(StateRecord& state) const;
    /// @return bytes passed on since the last pause was due, or 0 if there are no pauses
    uint64_t GetSincePause() const;
    /// @return bytes that may be passed on before the one that leads to a pause
    uint64_t GetLeftToPause() const;
    /// Take in bytes that were not simulated, all of one connection's current file, and by how many
    /// the distance from the last pause grows.
    void Skip(uint64_t bytes, uint64_t sincePause);

  protected:
    void DoDispose() override;

  private:
    void Connected(Ptr<Socket> socket) override;
    void DataReceived(Ptr<Socket> socket) override;
    void PeerClosed(Ptr<Socket> socket) override;
    void ConnectionLost(Ptr<Socket> socket) override;

    /// Pass on what the port takes now, and come back for the rest.
    void Drain(Ptr<Socket> socket);
    /// @return how much the port takes at a time, at most, so that no pause is passed over [B]
    uint32_t GetLargestChunk() const;
    /// Pass on so many bytes at most, and come back for the rest if the port is busy with them.
    /// @return true if the port takes more now, and there may be more
    bool PassOn(const Ptr<Socket>& socket, uint32_t size);
    /// Have the processor move a chunk to the port.
    void DrainByProcessor(Ptr<Socket> socket);
    /// Make what can be made of the bytes passed on.
    void Take(const Ptr<Socket>& socket, const Ptr<Packet>& packet);
    /// Send the reply to what is answered.
    void Reply(Ptr<Socket> socket, LprReceiver::Answered answered);
    /// Close a connection that the host has closed, once its bytes are passed on.
    void CloseWhenDrained(Ptr<Socket> socket);
    /// Forget a connection.
    void Forget(Ptr<Socket> socket);

    Time m_jobCommandTime;      //!< time the receive-job command takes
    Time m_closeTime;           //!< from the host's close to the device's
    Time m_drainLatency;        //!< from the ACK to the first bytes' leaving the buffer
    Time m_drainLatencySpread;  //!< up to this much more, uniformly
    DataRate m_portRate;        //!< of the printer's port
    uint32_t m_portChunk;       //!< bytes it takes at a time
    uint32_t m_drainPauseEvery; //!< bytes between two pauses; 0 for none
    Time m_drainPause;          //!< how long a pause is

    std::map<Ptr<Socket>, LprReceiver> m_dialogues; //!< the open LPR connections
    std::map<Ptr<Socket>, EventId> m_drains;        //!< connections whose bytes wait for the port
    Ptr<DeviceProcessor> m_processor;               //!< moves the bytes, if there is one
    std::map<Ptr<Socket>, uint32_t> m_inHand;       //!< how many of a connection's it moves now
    std::set<Ptr<Socket>> m_peerClosed;             //!< connections to close once drained
    TracedCallback<uint32_t> m_drainedTrace;        //!< the port has taken bytes
    TracedCallback<Ptr<Socket>, Ptr<const Packet>> m_printedTrace; //!< octets of a file, in order
    TracedCallback<Ptr<Socket>, bool> m_endedTrace;                //!< a connection is over
    Time m_portFree;                                               //!< when the port can take more
    uint64_t m_sincePause{0}; //!< bytes passed on since the last pause was due
    uint64_t m_received{0};   //!< payload received [B]

    SharedDraw m_spread; //!< draws the spread of the latency, from 0 to 1
};

} // namespace ns3::study

#endif /* PRINT_SERVER_H */
