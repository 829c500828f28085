/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CORRECTED_TCP_SOCKET_H
#define CORRECTED_TCP_SOCKET_H

#include "congestion-control.h"
#include "model/program/ns3-version.h"
#include "model/program/parameter-set.h"
#include "model/proof/state-record.h"
#include "send-scoreboard.h"
#include "tcp-options.h"

#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/traced-callback.h"

#include <vector>

namespace ns3::study
{

/**
 * @brief ns-3's TCP with the corrections that both ends of this study need.
 *
 * - The SYN carries the MSS option and the peer's is honoured (RFC 9293, 3.7.1).
 * - The persist timer starts afresh with every closed window, probes with an empty
 *   segment just below SND.UNA, and is harmless when there is nothing left to send
 *   (RFC 9293, 3.8.6.1; RFC 1122, 4.2.2.17).
 * - The retransmission timer does not run while nothing is outstanding (RFC 6298, 5.2),
 *   runs whenever something is, and stays backed off until a segment that was sent once
 *   has been timed (RFC 6298, 5.5 to 5.7: Karn's algorithm), whatever is sent meanwhile. What it
 *   resends is not subject to Nagle's algorithm. After a SYN that was sent twice the timeout is 3 s
 *   (5.7), or what a timestamp tells. A FIN is sent again like data (RFC 1122, 4.2.3.5).
 * - A SYN that comes again on a connection is answered and changes nothing (RFC 9293, 3.10.7.4).
 * - A FIN that comes again is acknowledged again, a connection lasts until its own FIN is
 *   acknowledged, and a listening socket resets who speaks of a connection that is gone
 *   (RFC 9293, 3.10.7).
 * - An ACK that only changes the window is no duplicate ACK (RFC 5681, 2).
 * - Window scaling, SACK and timestamps are offered by those who are told to, and used where both
 *   ends offer them; the twelve octets of timestamps come off the segment's payload. Round-trip
 *   times are still those of the simulator's clock, not of the milliseconds of ns-3's timestamps.
 *
 * What its attributes and its children's say wins over TcpSocket's and TcpSocketBase's: those of
 * sizes and timers here, and no default of Timestamp, Sack, WindowScaling or DataRetries counts.
 * A connection inherits the listeners of the trace sources declared here and in the children from
 * the listening socket.
 */
class CorrectedTcpSocket : public TcpSocketBase
{
  public:
    static TypeId GetTypeId();
#if !NS3_STUDY_OBJECT_TELLS_TYPE
    TypeId GetInstanceTypeId() const override;
#endif

    ~CorrectedTcpSocket() override;

    int Send(Ptr<Packet> packet, uint32_t flags) override;

    /// Fix the streams of the random numbers that the socket and its connections draw.
    /// @return how many there are from the first one on
    virtual int64_t AssignStreams(int64_t stream);

    /// @return the congestion control that the socket is to be given
    virtual CongestionControl GetCongestionControl() const;

    /// @return the number of window probes sent since the socket was made
    uint32_t GetWindowProbes() const;

    /// Add what decides the socket's course.
    virtual void Describe(StateRecord& state) const;
    /// Go on as if some time had passed: timers that follow the clock keep their phase.
    void Skip(Time time);
    /// Take in the round-trip times of cycles that were not simulated, given those of one.
    void SkipRttSamples(const std::vector<Time>& samples, uint64_t cycles);

    /// Listens to the trace sources Tx and Rx.
    using SegmentListener =
        Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>;
    /// Listens to the trace source Retransmission.
    using RetransmissionListener = Callback<void,
                                            Ptr<const Packet>,
                                            const TcpHeader&,
                                            const Address&,
                                            const Address&,
                                            Ptr<const TcpSocketBase>>;

    /// TracedCallback signature for whether this end keeps back an ACK, from now on.
    typedef void (*AckWithheldTracedCallback)(bool withheld);

  protected:
    void NotifyConstructionCompleted() override;
    Ptr<TcpSocketBase> Fork() override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t AvailableWindow() const final;
    uint32_t BytesInFlight() const override;
    void UpdateRttHistory(const SequenceNumber32& seq,
                          uint32_t size,
                          bool isRetransmission) override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& header) override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override;
    void ProcessAck(const SequenceNumber32& ackNumber,
                    bool scoreboardUpdated,
                    uint32_t currentDelivered,
                    const SequenceNumber32& oldHeadSequence,
                    bool receivedData) override;
    void NewAck(const SequenceNumber32& seq, bool resetRTO) override;
    Time CalculateRttSample(const TcpHeader& tcpHeader, const RttHistory& sent) override;
    void EstimateRtt(const TcpHeader& tcpHeader) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ReTxTimeout() override;
    void PersistTimeout() override;
    /// The retransmission timer has expired, also by its granularity.
    virtual void RetransmissionTimeout();

    /// Send what is due: first what is believed lost, then new data. The parent's does nothing.
    /// @return how many segments left
    uint32_t SendPendingData(bool withAck);
    /// @return true if the next segment can be built now
    virtual bool MaySend() const;
    /// @return true if a small segment would wait under Nagle's algorithm (RFC 896)
    virtual bool HoldsSmallSegment() const;
    /// @return true if a segment carries PSH
    /// @param seq where it begins
    /// @param size its payload [B]
    virtual bool Pushes(SequenceNumber32 seq, uint32_t size) const;
    /// @return how much new data both windows have room for; what is less than one segment and may
    ///         be filled counts as one [B]
    virtual uint32_t GetRoom() const;

    /// @return true if losses are found by time where SACK is used (RFC 8985)
    virtual bool DetectsByTime() const;
    /// @return how long the peer may keep back the ACK of a lone segment before its tail is probed
    virtual Time GetPeersAckDelay() const;
    /// Send again what has had its time to come out of order (RFC 8985, 6.3).
    virtual void ReorderingTimeout();
    /// Send a tail loss probe (RFC 8985, 7.3).
    virtual void SendProbe();
    /// @return true in a recovery, or after a timeout
    bool IsGettingOverLoss() const;

    /// Tell the trace whether this end keeps back an ACK, if that has changed.
    void TellAckWithheld(bool withheld);

    /// @return what this end offers in its SYN
    virtual TcpOffer GetOffer() const;
    /// @return the window that a header's field announces, of this end [B]
    uint32_t ToWindow(uint16_t field, bool scaled) const;

    /// Send a SYN or a SYN-ACK with its options.
    void SendSyn(uint8_t flags);
    /// Send a segment without payload; the connection's ports are filled in.
    void SendHeader(TcpHeader header);

    /// @return how long a timer for an interval runs if it starts now, given its granularity
    Time ToTick(Time interval) const;
    /// @return the same for a timer that never expires early
    Time ToNextTick(Time interval) const;
    /// @return the same for a timer of this sender that is started now
    Time StartTicking(Time interval);
    /// @return which is the coarsest beat that a timer has ended at, and where in it the clock
    /// stands [ns]
    int64_t GetTickPhase() const;
    /// @return how much later than asked for a timer ends at most
    Time GetMostRounding() const;
    /// @return the time as timers that follow the clock see it: the simulator's, and what was
    /// skipped
    Time GetClock() const;
    /// Add what decides how losses are found, while nothing is lost.
    void DescribeLossDetection(StateRecord& state) const;
    /// Add what decides when the tail is probed. @param rtoLeft least time to a timeout
    void DescribeProbeTimer(StateRecord& state, Time rtoLeft) const;
    /// @return the shortest round trip measured so far; the estimate if there is none
    Time GetLeastRtt() const;
    /// Add what decides when a timer of ToTick() expires, asked to run an interval at least.
    void DescribeTickTimer(StateRecord& state,
                           const EventId& timer,
                           Time started,
                           Time interval) const;

    /// @return true if the socket has no connection any more
    bool IsClosed() const;

    /// Flags of an attribute that counts only when the socket is made.
    static constexpr uint32_t AT_BIRTH = TypeId::ATTR_GET | TypeId::ATTR_CONSTRUCT;

    uint32_t m_mss;              //!< MSS announced [B]
    SendScoreboard m_scoreboard; //!< what is outstanding
    uint32_t m_negotiatedMss{0}; //!< payload of a whole segment, once the peer's SYN is in [B]

  private:
    /// Offer anew what this end offers.
    void Offer();
    /// Lower the segment size to what the peer's SYN allows.
    /// @param peerMss what it announces, with RFC 9293's default
    void HonourPeerMss(const TcpHeader& header, uint32_t peerMss);
    /// Get to know the MSS that the peer announces, before this end answers.
    virtual void LearnPeerMss(uint32_t mss);
    /// Send the next of what is believed lost, if the congestion window has room. @return true if
    /// so
    bool SendLost(bool withAck);
    /// Send the next of what was never sent, if there is room. @return true if so
    bool SendNew(bool withAck);
    /// In a recovery with no new data to send: send what the peer lacks before what it has (RFC
    /// 6675, NextSeg's third rule). @return true if so
    bool SendHole(bool withAck);
    /// Fill in and send a segment with data.
    void SendData(Ptr<Packet> data, SequenceNumber32 seq, bool withAck, bool again);
    /// Send a segment; the connection's ports are filled in.
    void SendSegment(Ptr<Packet> data, TcpHeader header, bool again);
    /// Send on when the pacing timer has expired.
    void Paced();

    /// Take in what an ACK tells of what the peer has. @return the octets of it that are news [B]
    uint32_t ReadSack(const TcpHeader& header);
    /// @return true if losses are found by time on this connection
    bool UsesRack() const;
    /// @return what Linux adds to the timers for what is reordered and for the tail
    Time GetTimerMargin() const;
    /// Believe lost what the last ACK shows to be.
    void MarkLosses();
    /// Watch the tail of what is outstanding (RFC 8985, 7.2).
    void StartProbeTimer();
    /// @return true if a tail loss probe is to go
    bool IsProbeDue() const;
    /// Probe, unless the timer was put off or stopped meanwhile.
    void ProbeTimeout();
    /// See what a probe has shown (RFC 8985, 7.4). @param repeats the ACK is a duplicate
    void ProcessProbeAck(SequenceNumber32 ack, bool repeats);
    /// A duplicate ACK.
    void DupAck(uint32_t delivered);
    /// A loss is found: send the first segment again (RFC 6582, 3.2; RFC 6675, 5).
    void EnterRecovery(uint32_t delivered);
    /// In a recovery, have the window follow an ACK. @param mayBeLoss unless it shows progress only
    void ReduceWindow(uint32_t delivered, bool mayBeLoss);
    /// Send the first segment that is believed lost, whatever the windows, and watch it.
    void RetransmitFirst();
    /// New data are acknowledged. @param duplicate with news of what is beyond a hole
    void NewDataAcknowledged(SequenceNumber32 ack,
                             SequenceNumber32 oldHead,
                             uint32_t delivered,
                             bool duplicate);
    /// @return what was outstanding when a loss is found, RFC 5681's FlightSize [B]
    uint32_t GetFlightSize() const;

    /// Until a segment has been timed the timeout stays at least what it was.
    void KeepBackedOff(Time rto);
    /// @return true if this end's FIN has left and is not acknowledged
    bool IsFinOutstanding() const;
    /// A FIN without data is not acknowledged: send it again (RFC 1122, 4.2.3.5).
    void RetransmitFin();
    /// Handle a segment of a connection that is about to end, or gone, where the parent errs.
    /// @return true if nothing is left to do
    bool HandleAtEnd(Ptr<Packet> packet, const Address& from, const Address& to);
    /// Reset whoever speaks of a connection that a listening socket does not have. @return true
    bool Refuse(Ptr<const Packet> packet, const Address& from, const Address& to);
    /// Tell the trace Rx of a segment that the parent does not see. @return its header
    TcpHeader TraceReceived(Ptr<const Packet> packet);
    /// Note the peer's FIN where this end has sent its own. @return true if it cannot be one
    bool HandleFinInFinWait(Ptr<Packet> packet);
    /// Acknowledge a FIN of a peer whose FIN has come.
    void AcknowledgeFinAgain(Ptr<const Packet> packet);
    /// Take in an ACK while this end's FIN is outstanding and the peer's has come.
    /// @return false if it is left to the parent
    bool HandleLastAcks(Ptr<const Packet> packet);
    /// Start the retransmission timer if something is outstanding and no timer watches it.
    void WatchOutstandingData();

    /// Let the persist timer run, at its granularity.
    void StartPersistTimer();

    /// @return when a timer for an interval ends that never expires early
    Time GetTickEnd(Time start, Time interval) const;
    /// @return how many ticks an interval takes, rounded up
    int64_t GetTicks(Time interval) const;
    /// Note how coarse a timer for an interval is.
    void NoteTicks(Time interval);
    /// Let a retransmission timer that has expired run on to its tick. @return true if so
    bool WaitForTick();
    /// It has: time out, unless a probe is due just now or later, which goes first.
    void TickTimeout();
    /// Double the retransmission timeout; in the wheel it is whole ticks that double.
    void BackOff();

    Time m_firstPersistTimeout;              //!< first interval of the persist timer
    Time m_longestPersistTimeout;            //!< longest interval of the persist timer
    Time m_timerTick;                        //!< beat of the clock that timers go by
    bool m_timerWheel;                       //!< timers end as in Linux's timer wheel
    int64_t m_coarsest{1};                   //!< ticks of the coarsest beat one has ended at
    bool m_windowChanged{false};             //!< the segment being handled announces another window
    bool m_moreLost{false};                  //!< the ACK being handled tells of more losses
    EventId m_reorderingEvent;               //!< more is lost by then
    EventId m_probeEvent;                    //!< a tail loss probe may be due
    Time m_probeDue;                         //!< one is due; 0 for none
    bool m_probing{false};                   //!< one is under way
    bool m_sendingProbe{false};              //!< and is just leaving
    bool m_probeIsNew{false};                //!< it carries new data
    SequenceNumber32 m_probeEnd;             //!< all that was sent when it left
    bool m_backedOff{false};                 //!< no segment has been timed since the last timeout
    uint32_t m_windowProbes{0};              //!< window probes sent
    Time m_lastResent;                       //!< when something last was sent again
    Time m_lastEager;                        //!< when a probe last was for more than one segment
    Time m_leastRtt{Time::Max()};            //!< shortest round trip measured
    Time m_skipped;                          //!< time that was not simulated
    Time m_persistStarted;                   //!< when the persist timer last was
    bool m_ackWithheld{false};               //!< this end keeps back an ACK
    TracedCallback<Time> m_rttSampleTrace;   //!< a round-trip time is measured
    TracedCallback<bool> m_ackWithheldTrace; //!< whether an ACK is kept back, from now on
};

/// Refuse ticks too short for Linux's timer wheel, at an end that has its timers there.
/// @throw ParameterError if there is one
void CheckTimerWheels(const ParameterSet& parameters);

} // namespace ns3::study

#endif /* CORRECTED_TCP_SOCKET_H */
