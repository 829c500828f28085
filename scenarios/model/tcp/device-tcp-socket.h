/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEVICE_TCP_SOCKET_H
#define DEVICE_TCP_SOCKET_H

#include "corrected-tcp-socket.h"
#include "receiver-view.h"
#include "shared-draw.h"

#include <deque>
#include <optional>

namespace ns3::study
{

/**
 * @brief The TCP of a constrained device: a small window, and ACKs that come late.
 *
 * Segments that want an answer (data, FIN, a reset, a window probe) queue for the device's
 * attention; data reach its application, and are acknowledged, when they have had it. Segments
 * that only acknowledge are handled at once. Two kinds of traffic are told apart, because the
 * measured devices do:
 *
 * - *interactive*: up to InteractiveBytes since the device's application last spoke. One segment
 *   after the other, each takes InteractiveAckLatency and gets its own ACK. So commands and their
 *   replies, and the first small writes of a job.
 * - *bulk*: all that comes behind these, until the device's application has answered. One ACK for
 *   all that has arrived, AckLatency after the first segment it covers, plus AckLatencyPerByte for
 *   each byte it covers.
 *
 * The trace of the Hawking H-PS1U supports the two kinds and does not say why they differ. A device
 * of which no InteractiveAckLatency is given has one kind of traffic, bulk.
 *
 * An ACK that is due may be kept back on top of that until its data have earned it (ReceiverView),
 * or else until the delayed-ACK timer: as the IMAGEN printers did, until they have consumed more
 * than AckThreshold of the window last offered; or as ordinary receivers do, until there are
 * AckFrequency full segments. These acknowledge segment by segment, also in bulk.
 *
 * The window announced is what the application has left free. WindowUpdates says which openings
 * are announced at once when it reads; with DeviceSillyWindowAvoidance a small one is announced by
 * no segment at all (RFC 1122, 4.2.3.3).
 */
class DeviceTcpSocket : public CorrectedTcpSocket
{
  public:
    static TypeId GetTypeId();

    /// When a kept-back ACK is sent.
    enum DelayedAckTimer
    {
        ONE_SHOT,    //!< DelayedAckTimeout after the first segment it is kept back for
        FREE_RUNNING //!< at the next multiple of DelayedAckTimeout, as BSD's fast and slow timers
    };

    /// TracedCallback signature for whether the buffer holds data that is not read, from now on.
    typedef void (*HoldingTracedCallback)(bool holds);

    ~DeviceTcpSocket() override;

    int Send(Ptr<Packet> packet, uint32_t flags) override;
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    int64_t AssignStreams(int64_t stream) override;
    void Describe(StateRecord& state) const override;

    /// @return for how long an ACK is kept back at most
    Time GetDelayedAckTimeout() const;

  protected:
    void NotifyConstructionCompleted() override;
    Ptr<TcpSocketBase> Fork() override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    uint16_t AdvertisedWindowSize(bool scale) const override;
    TcpOffer GetOffer() const override;

  private:
    /// A segment that waits for the device's attention.
    struct Arrival
    {
        Ptr<Packet> segment; //!< TCP header and payload
        Address from;        //!< the sender
        Address to;          //!< this end
        uint32_t size;       //!< payload [B]
        uint32_t news;       //!< of it, what had not come before [B]
        bool probe;          //!< a window probe or keep-alive: no data, but wants an ACK
        Time arrived;        //!< when it came
    };

    void LearnPeerMss(uint32_t mss) override;
    /// @return the end of the window that an ACK announces now
    SequenceNumber32 GetWindowEdge(bool scaled) const;
    /// Tell the trace whether the buffer holds data, if that has changed.
    void TellHolding();
    /// @return true if traffic is bulk now
    bool IsBulk() const;
    /// Give the queue's head, or all of it, the time it takes.
    void ScheduleAttention();
    /// Handle one segment, or in bulk all that have arrived, and acknowledge.
    void Attend();
    /// @return true if a segment is nothing but the next data: no probe, duplicate, hole or FIN,
    ///         which are acknowledged without delay (RFC 9293, 3.10.7.4; RFC 5681, 4.2)
    bool IsNextData(const Arrival& arrival) const;
    /// @return true if a segment tells its receiver not to wait for more: it has PSH, or is small
    bool EndsBurst(const Arrival& arrival) const;
    /// Acknowledge, unless the application's answer has just carried the ACK, or keep the ACK back.
    void AcknowledgeOrWithhold();
    /// Acknowledge what is handled so far, before the segments that are handled with it.
    void AcknowledgeBetween();
    /// Send the ACK that was kept back.
    void DelayedAckExpired();
    /// Note that an ACK leaves, with the window it announces.
    void AckLeaves();
    /// @return what the receiver sees now
    ReceiverView See() const;

    uint32_t m_receiveWindow;          //!< window offered [B]
    WindowScale m_windowScale;         //!< offered in the SYN-ACK
    bool m_sack;                       //!< offered too
    bool m_timestamps;                 //!< offered too
    uint32_t m_deviceMss;              //!< MSS announced; 0 follows the peer's [B]
    Time m_synAckLatency;              //!< from SYN to SYN-ACK
    Time m_ackLatency;                 //!< bulk: from the first segment covered to its ACK
    Time m_ackLatencyPerByte;          //!< bulk: more, for each byte covered
    Time m_interactiveAckLatency;      //!< interactive: for each segment; 0 for no such kind
    uint32_t m_interactiveBytes;       //!< interactive: since the application spoke, at most [B]
    Time m_ackLatencySpread;           //!< bulk: up to this much more, uniformly
    Time m_windowProbeLatency;         //!< from a window probe to its answer
    double m_ackThreshold;             //!< share of the offered window that earns an ACK
    uint32_t m_ackFrequency;           //!< every n-th full segment earns an ACK; 0 for no such rule
    uint32_t m_quickAcks;              //!< first segments acknowledged at once
    bool m_ackPushed;                  //!< acknowledge at once what ends a write or a burst
    Time m_delayedAckTimeout;          //!< how long an ACK may be kept back
    DelayedAckTimer m_delayedAckTimer; //!< when that time runs
    WindowUpdates m_windowUpdates;     //!< which openings are announced
    bool m_deviceSillyWindowAvoidance; //!< announce no small openings

    std::deque<Arrival> m_arrivals;    //!< segments that wait
    SequenceNumber32 m_arrivedUpTo;    //!< end of all that has come
    uint32_t m_sinceAnswer{0};         //!< arrived since the application spoke [B]
    bool m_attendingBulk{false};       //!< the scheduled attention is for all that has arrived
    bool m_attending{false};           //!< in Attend(): keep back the parent's ACKs
    bool m_ackWanted{false};           //!< an ACK is owed
    bool m_mayWithhold{false};         //!< it may be kept back
    bool m_pushed{false};              //!< what is handled now ends a write or a burst
    EventId m_attentionEvent;          //!< Attend()
    EventId m_ackEvent;                //!< AcknowledgeOrWithhold()
    EventId m_synAckEvent;             //!< the SYN-ACK that is due
    EventId m_delayedAckEvent;         //!< the delayed-ACK timer
    Time m_delayedAckStarted;          //!< when it last was
    uint32_t m_largestSegment{0};      //!< largest payload that has come [B]
    uint32_t m_quickAcksLeft{0};       //!< segments still to be acknowledged at once
    SequenceNumber32 m_lastAck;        //!< what the last ACK acknowledged
    SequenceNumber32 m_windowEdge;     //!< the end of the window it announced
    bool m_holds{false};               //!< the buffer holds data that is not read
    TracedCallback<bool> m_holdsTrace; //!< whether it does, from now on
    TracedCallback<> m_expiredTrace;   //!< the delayed-ACK timer has expired
    std::optional<Time> m_drawn;       //!< the spread of the next bulk ACK, once it is drawn

    /// Draws the spread of the latency, from 0 to 1, for a listening socket and its connections.
    SharedDraw m_spread;
};

} // namespace ns3::study

#endif /* DEVICE_TCP_SOCKET_H */
