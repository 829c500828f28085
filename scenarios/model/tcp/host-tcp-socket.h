/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_TCP_SOCKET_H
#define HOST_TCP_SOCKET_H

#include "corrected-tcp-socket.h"
#include "growing-window.h"
#include "host-acks.h"
#include "send-memory.h"
#include "sender-view.h"

#include "ns3/traced-callback.h"

namespace ns3::study
{

/**
 * @brief The TCP of a host: a sender that knows why it waits.
 *
 * Beyond its parent it has
 * - the sender's rule against the silly window syndrome as written (RFC 1122, 4.2.3.4): a window
 *   below one MSS is used when it is at least half the largest one the peer ever offered, and
 *   an override timer sends into any window when nothing else would;
 * - its own rule for delaying ACKs (RFC 1122, 4.2.3.2; RFC 5681, 4.2), which HostAcks has; what is
 *   not acknowledged at once is when the host has something to send, or when a timer expires. Data
 *   that wait carry an ACK that is due;
 * - Nagle's algorithm as written (RFC 896) or with Minshall's change, which holds a small segment
 *   only while another small one is not acknowledged;
 * - the host's own time to handle an arriving segment and to build the next one;
 * - a clock that splits the time by what the sender waits for (LimitClock);
 * - the reset with which the measured Linux host ends a connection nobody owns any more.
 */
class HostTcpSocket : public CorrectedTcpSocket
{
  public:
    static TypeId GetTypeId();

    /// The largest segment the sender makes.
    enum SegmentBound
    {
        MSS,        //!< the MSS, whatever the window
        HALF_WINDOW //!< at most half the largest window seen, as Linux since 2.4
    };

    /// What the delayed-ACK timer runs from.
    enum AckTimer
    {
        ONE_SHOT, //!< from the first segment not yet acknowledged
        HEARTBEAT //!< freely: it expires at the multiples of its period
    };

    /// What the least retransmission timeout bounds.
    enum RtoRule
    {
        RFC6298,  //!< the whole of it (2.4)
        LINUX_RTO //!< what it adds to the smoothed round-trip time
    };

    /// What a small segment waits for under Nagle's algorithm.
    enum NagleRule
    {
        RFC896,  //!< until nothing is outstanding
        MINSHALL //!< until no small segment is outstanding
    };

    /// How the sender finds losses.
    enum LossDetection
    {
        RFC6675, //!< by duplicate ACKs and what lies above a hole, and then by the timeout
        RACK_TLP //!< by time, and by probes (RFC 8985)
    };

    ~HostTcpSocket() override;

    int Connect(const Address& address) override;
    int Send(Ptr<Packet> packet, uint32_t flags) override;
    uint32_t GetTxAvailable() const override;

    /// @return true while the host will send again of its own accord, or else give up
    bool IsRetransmitting() const;
    /// @return true from a fast retransmission or a timeout until all that was out is acknowledged
    bool IsRecovering() const;
    /// @return the clock that splits this connection's time
    LimitClock& GetLimitClock();
    /// @return one sentence on what the sender waits for, with the numbers that show it
    std::string DescribeWait() const;

    CongestionControl GetCongestionControl() const override;
    int64_t AssignStreams(int64_t stream) override;

    void Describe(StateRecord& state) const override;
    /// @return true if no wait of the sender can be for the congestion window as long as nothing is
    ///         lost: there is always room for one segment more than window or send buffer allow
    bool IsCongestionWindowAmple() const;

    /// Add the congestion window where it need not be ample: the same as before, or growing without
    /// ever having been too small.
    /// @param retransmissions of both ends, so far
    void DescribeCongestionWindow(StateRecord& state, uint64_t retransmissions) const;

    /// TracedCallback signature for what the sender waits for from now on.
    typedef void (*LimitTracedCallback)(Limit limit);
    /// TracedCallback signature for what the send buffer holds from now on [B]
    typedef void (*BufferTracedCallback)(uint32_t held);

  protected:
    void NotifyConstructionCompleted() override;
    Ptr<TcpSocketBase> Fork() override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    bool MaySend() const override;
    bool HoldsSmallSegment() const override;
    bool Pushes(SequenceNumber32 seq, uint32_t size) const override;
    uint32_t GetRoom() const override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void RetransmissionTimeout() override;
    void DelAckTimeout() override;
    bool DetectsByTime() const override;
    Time GetPeersAckDelay() const override;
    void ReorderingTimeout() override;
    void SendProbe() override;
    TcpOffer GetOffer() const override;

  private:
    /// Handle a segment, the host's reply time after it arrived.
    void HandleSegment(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);
    /// @return how long the ACK of a segment that has just arrived may wait
    Time GetAckWait() const;
    /// Send on after the time that building the last segment took.
    void SendNextSegment();
    /// Send into whatever window there is (RFC 1122, 4.2.3.4, the override timeout).
    void OverrideTimeout();
    /// Bound the segment to half the largest window, where the host does.
    void BoundSegment();
    /// Begin with an empty send buffer.
    void BeginSendBuffer();
    /// @return true if there is no room for a writer
    bool IsSendBufferFull() const;
    /// Take note of a segment that leaves: whether the rest of a window may follow it.
    void NoteBurst(uint32_t size);
    /// @return how much data Linux puts into one block of its send buffer, at most [B]
    uint32_t GetWholeBlock() const;
    /// @return what leaves as one block of a window, at most [B]
    uint32_t GetBlock() const;
    /// @return the same at a rate, as below
    uint32_t GetBlock(uint64_t hundredths, Time roundTrip, Time shortest) const;
    /// @return at which Linux paces, in hundredths of bytes in a round trip
    uint64_t GetPace() const;
    /// @return what leaves together at a rate of so many hundredths of bytes in a round trip, over
    /// a path whose shortest one is as given, before any bound [B]
    uint64_t GetRate(uint64_t hundredths, Time roundTrip, Time shortest) const;
    /// @return how much data leaves as one block [B]
    uint32_t GetBurst() const;
    /// @return how much would, at a rate of so many hundredths of bytes in a round trip, over a
    /// path whose shortest one is as given [B]
    uint32_t GetBurst(uint64_t hundredths, Time roundTrip, Time shortest) const;
    /// @return what the send buffer bounds once it has grown to the congestion window [B]
    uint32_t GetGrownBuffer() const;
    /// @return the smoothed round-trip time, 0 before one is measured
    Time GetRoundTrip() const;
    /// Take note of the data that are let go by now, however long each segment takes.
    /// @return how much that is [B]
    uint32_t NoteLeaving();
    /// A segment was handled: tell a writer that waited if there is room now.
    void TellRoom();
    /// Find out what the sender waits for now, and tell the clock and the trace.
    void Judge();
    /// Tell clock and trace what the sender waits for, if it is something else than before.
    void SetLimit(Limit limit);
    /// @return what the sender waits for now
    Limit FindLimit() const;
    /// @return true if the congestion window has no room for the next segment, whatever else has
    bool LacksCongestionWindow() const;
    /// @return what a sender with a connection sees now
    SenderView See() const;
    /// Add what decides how Linux joins segments and lets its send buffer grow.
    void DescribePace(StateRecord& state) const;
    /// Add what decides how much Linux sends as one block.
    void DescribeBlocks(StateRecord& state) const;

    /// Turn Nagle's algorithm on or off.
    void SetNagle(bool nagle);
    /// @return true if Nagle's algorithm is on
    bool GetNagle() const;

    uint32_t m_hostWindow;                       //!< receive window of this end [B]
    uint32_t m_firstWindow;                      //!< with which it begins [B]; 0 for the same
    WindowScale m_windowScale;                   //!< offered in the SYN
    bool m_sack;                                 //!< offered too
    bool m_timestamps;                           //!< offered too
    uint32_t m_sendBuffer;                       //!< send buffer [B]
    SendBufferRule m_sendBufferRule;             //!< what it bounds
    bool m_sendBufferGrows;                      //!< it begins small
    uint32_t m_sendBufferOverhead;               //!< of a block, beyond its data [B]
    bool m_nagle;                                //!< Nagle's algorithm
    NagleRule m_nagleRule;                       //!< which one
    bool m_push;                                 //!< PSH ends a write and a burst
    Time m_initialRto;                           //!< first timeout of a SYN
    HostAcks::Rule m_ackRule;                    //!< which segments are acknowledged at once
    LossDetection m_lossDetection;               //!< how losses are found
    CongestionControl m_congestion;              //!< how the congestion window grows and shrinks
    uint32_t m_initialWindow;                    //!< congestion window at the start [segments]
    Time m_minimumRto;                           //!< lower bound of the retransmission timeout
    RtoRule m_rtoRule;                           //!< of which part of it
    Time m_delayedAckTimeout;                    //!< longest delay of this end's own ACKs
    uint32_t m_ackFrequency;                     //!< every n-th segment is acknowledged at once
    AckTimer m_ackTimer;                         //!< what the delayed-ACK timer runs from
    uint32_t m_quickAcks;                        //!< first data segments acknowledged at once
    Time m_replyTime;                            //!< from a segment's arrival to the first reaction
    Time m_segmentTime;                          //!< between two segments sent back to back
    SillyWindowAvoidance m_sillyWindowAvoidance; //!< rule for windows below one MSS
    SegmentBound m_segmentBound;                 //!< the largest segment made
    Time m_overrideTimeout; //!< longest wait with data, a small window and no ACK to come
    bool m_resetOnFinAck;   //!< reset instead of waiting for the peer's FIN

    uint32_t m_largestWindow{0};            //!< largest window the peer has offered [B]
    Time m_busyUntil;                       //!< the next segment is not built before
    bool m_inBurst{false};                  //!< a whole segment left since the last one arrived
    bool m_written{false};                  //!< and what leaves was written since then
    uint32_t m_ofBlock{0};                  //!< segments let go together since then
    bool m_overriding{false};               //!< the override timer has just expired
    EventId m_nextSegmentEvent;             //!< the next segment is built
    EventId m_overrideEvent;                //!< the override timer
    Time m_overrideStarted;                 //!< when it last was
    uint64_t m_congestionWaits{0};          //!< how often the congestion window had too little room
    LimitClock m_clock;                     //!< what the sender waited for
    TracedCallback<Limit> m_limitTrace;     //!< what the sender waits for from now on
    uint32_t m_buffered{0};                 //!< what the send buffer holds [B]
    TracedCallback<uint32_t> m_bufferTrace; //!< what it holds from now on [B]

    GrowingWindow m_window;             //!< receive window of this end
    HostAcks m_acks;                    //!< which segments are acknowledged at once
    SequenceNumber32 m_smallEnd;        //!< end of the last small segment sent
    mutable SendMemory m_memory;        //!< what the send buffer takes in Linux
    bool m_handling{false};             //!< a segment is being handled
    uint32_t m_burst{0};                //!< segments sent since the last one arrived or was written
    bool m_handlingData{false};         //!< a data segment is being handled
    bool m_ackDue{false};               //!< and is to be acknowledged at once
    TracedCallback<> m_delayedAckTrace; //!< the delayed-ACK timer has expired
};

} // namespace ns3::study

#endif /* HOST_TCP_SOCKET_H */
