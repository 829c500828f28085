/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_H
#define CONNECTION_H

#include "ack-policy.h"
#include "action.h"
#include "buffer-memory.h"
#include "connection-settings.h"
#include "inbox.h"
#include "linux-blocks.h"
#include "loose-state.h"
#include "loss-recovery.h"
#include "receive-queue.h"
#include "receive-window.h"
#include "receiver-round-trip.h"
#include "send-rule.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::study::tcp
{

/**
 * @brief One end of a TCP connection (RFC 9293) as a value.
 *
 * It is told what happens, and adds to the step what to do about it. It holds numbers only: no
 * simulator, no clock, no octets of payload. A copy goes on as the original would; two values that
 * compare equal have equal futures.
 *
 * Whoever has it tells it of an event, carries out the actions, and calls Resume() until that
 * brings no more. The instants it is told never go back. Streams are counted in offsets: 0 is the
 * SYN, which has the number 0, data begin at 1, and a FIN counts one.
 */
class Connection
{
  public:
    /// A closed connection. @param settings of this end
    explicit Connection(const ConnectionSettings& settings);

    /// The application connects (RFC 9293, 3.10.1, active OPEN).
    void Open(const Step& step);
    /// A segment has arrived. A new connection takes a SYN for a passive OPEN.
    void Arrive(const Segment& segment, const Step& step);
    /// The instant of GetDeadline() has come; before it, this does nothing.
    void Expire(const Step& step);
    /// The application asks how much it may write; one that finds no room waits.
    void Ask();
    /// The application has written: the octets are in the byte queue (SEND) [B]
    void Write(uint32_t octets, const Step& step);
    /// The application has read what was delivered (RECEIVE) [B]
    void Read(uint32_t octets, const Step& step);
    /// The application is done (CLOSE). Octets that have come and that nobody reads reset the
    /// connection (RFC 2525, 2.17).
    void Close(const Step& step);
    /// The application writes nothing more, and reads on.
    void CloseSending(const Step& step);
    /// The application gives the connection up (ABORT).
    void Abort(const Step& step);
    /// The congestion control outside has decided.
    void SetWindow(const Steer& steer);
    /// All actions of the event before are carried out, and the application has reacted. The caller
    /// calls this until it brings no more actions: an ACK announces the window that the
    /// application's reading leaves.
    void Resume(const Step& step);

    /// The application turns Nagle's algorithm on or off.
    void SetNagle(bool on)
    {
        m_settings.nagle = on;
    }

    /// The random number that WantDraw asked for. @param fraction from 0 to 1, uniformly
    void TakeDraw(double fraction)
    {
        m_inbox.SetDraw(fraction);
    }

    /// @return true if Resume finds something to do
    bool IsResumable() const
    {
        return m_output || m_handled || m_judge;
    }

    /// @return when Expire is due; Nanos::max() for never
    Nanos GetDeadline() const;

    /// @return the numbers of this end
    const ConnectionSettings& GetSettings() const
    {
        return m_settings;
    }

    /// @return the state
    State GetState() const
    {
        return m_state;
    }

    /// @return what the sender waits for
    Wait GetWait() const
    {
        return m_wait;
    }

    /// @return octets that the application may write [B]
    uint32_t GetSendRoom() const;
    /// @return true if so many may be written at once
    bool MayWrite(uint32_t octets) const;
    /// @return octets written and not acknowledged [B]
    uint32_t GetBuffered() const;

    /// @return octets sent and not acknowledged [B]
    uint32_t GetOutstanding() const
    {
        return m_recovery.GetSegments().GetTotal();
    }

    /// @return the window that the peer announces [B]
    uint32_t GetPeersWindow() const
    {
        return m_window;
    }

    /// @return all before this offset of its own is acknowledged
    uint64_t GetAcknowledged() const
    {
        return m_acknowledged;
    }

    /// @return all before this offset of the peer has come
    uint64_t GetReceived() const
    {
        return m_receive.GetNext();
    }

    /// @return the offset of a number in the peer's stream, near what has come
    int64_t ToOffset(Sequence theirs) const;

    /// @return the largest segment sent [B]
    uint32_t GetSegment() const
    {
        return m_segment;
    }

    /// @return SYNs sent
    uint32_t CountSyns() const
    {
        return m_settings.synRetries - m_synsLeft;
    }

    /// @return true while an ACK is withheld
    bool IsAckWithheld() const
    {
        return m_acks.GetDeadline() != Nanos::max();
    }

    /// @return true while this end will send something again, or else give up
    bool IsRetransmitting() const
    {
        return IsSet(SYN_AGAIN) || m_recovery.IsWatching();
    }

    /// @return how losses are recovered, and the congestion window
    const LossRecovery& GetRecovery() const
    {
        return m_recovery;
    }

    /// @return true if its course depends on random numbers
    bool WantsDraws() const
    {
        return m_settings.attention.spread > Nanos{0} ||
               m_settings.recovery.growth == GrowthRule::EXTERNAL;
    }

    /// @return true while data wait for the congestion window
    bool IsCongested() const;

    /**
     * @brief Count time and octets from later ones on, and forget what decides nothing any more:
     * so values of two cycles compare equal. The numbers of segments are lower by as much.
     *
     * @param time now
     * @param sent all before this octet and the next is acknowledged
     * @param received all before this octet of the peer and the next has come
     */
    void Shift(Nanos time, uint64_t sent, uint64_t received);
    /// Forget, before Shift(), what decides something under a condition only.
    /// @param shortest of the round trips from now on
    /// @param sinceResent since one of the ends has sent something again
    LooseState Loosen(Nanos now, Nanos shortest, Nanos sinceResent);
    /// @return octets written of which nothing is looked at yet: behind all that any window lets
    /// go,
    ///         and the send buffer has room [B]
    uint32_t CountFar() const;
    /// Forget, while there are such octets and nobody writes, how many are written.
    void ForgetUnsent();
    /// The last octets, of those, are not written after all.
    void TakeBack(uint32_t octets);
    /// Cycles were not simulated: let run on what goes by the time that has passed.
    /// @param time of all of them
    /// @param samples round trips that each of them would measure
    void Skip(Nanos now, Nanos time, const std::vector<Nanos>& samples, uint64_t cycles);

    bool operator==(const Connection&) const = default;

  private:
    /// What decides how much Linux sends together.
    struct Pace
    {
        bool byEstimate; //!< the round-trip time
        bool byWindow;   //!< the congestion window
    };

    /// Timers beside those of policies.
    enum Timer : uint8_t
    {
        SEND_SOON,    //!< what was written just now leaves, with what is written at that instant
        NEXT_SEGMENT, //!< the last segment is built
        PACED,        //!< the pace lets the next one go
        ACK_SOON,     //!< the ACK that what was written just now has not carried
        SYN_ANSWER,   //!< the SYN-ACK
        SYN_AGAIN,    //!< a SYN or SYN-ACK is sent again
        PERSIST,      //!< window probe
        OVERRIDE,     //!< use of a small window (RFC 1122, 4.2.3.4)
        WAIT_2MSL,    //!< end of TIME-WAIT
        N_TIMERS
    };

    void Become(State state, const Step& step);
    /// Tell the application, of the end once.
    void TellNews(News news, const Step& step);
    /// See what the sender waits for, and whether only the override timer helps.
    void Judge(const Step& step);
    Wait FindWait(Nanos now) const;
    /// @return how long a small window is left unused. @param timeout retransmission timeout
    Nanos GetOverrideWait(Nanos timeout) const;

    bool IsSet(Timer timer) const
    {
        return m_timers[timer] != Nanos::max();
    }

    void SetTimer(Timer timer, Nanos due);
    void StopTimers();

    /// @return true while data may come and go
    bool IsOpen() const
    {
        return m_state >= State::ESTABLISHED && m_state != State::TIME_WAIT;
    }

    /// @return the number of an offset in the own stream
    Sequence ToNumber(uint64_t offset) const;
    /// @return the number of an offset in the peer's stream
    Sequence ToTheirNumber(uint64_t offset) const;
    /// @return the offset of a number in the own stream, near what is acknowledged
    int64_t ToSentOffset(Sequence ours) const;

    // opening.cc
    void HandleSyn(const Segment& segment, const Step& step);
    void HandleSynAck(const Segment& segment, const Step& step);
    void AnswerSyn(const Step& step);
    void Negotiate(const Segment& segment);
    void HalveWindow();
    void SendSyn(const Step& step);
    void Establish(const Segment& segment, const Step& step);

    // arriving.cc
    bool IsOutside(const Segment& segment) const;
    void Attend(const Step& step);
    void Handle(const Segment& segment, const Step& step);
    void HandleInSynSent(const Segment& segment, const Step& step);
    void HandleSynchronized(const Segment& segment, const Step& step);
    void TakeTimestamp(const Segment& segment);
    void UpdateWindow(const Segment& segment, uint64_t acknowledged, const Step& step);
    /// @return false if the segment says nothing more
    bool HandleAck(const Segment& segment, const Step& step);
    void TakeAck(const Segment& segment, uint64_t number, bool windowChanged, const Step& step);

    // receiving.cc
    void HandleData(const Segment& segment, const Step& step);
    void Handled(const Step& step);
    void AcknowledgeOrWithhold(const Step& step);
    void AskForDraw(const Step& step);
    AckPolicy::View GetView() const;

    // sending.cc
    void SendPending(const Step& step);
    bool SendNew(const Step& step);
    void SendAgain(const SentSegments::Segment& lost, const Step& step);
    void SendData(uint64_t begin, uint32_t size, bool fin, bool again, const Step& step);
    void SendEmpty(uint8_t flags, const Step& step);
    void SendAck(const Step& step);
    void Transmit(Segment segment, bool again, const Step& step);
    bool HoldsSmallSegment() const;
    bool Pushes(uint64_t end, uint32_t size) const;
    void BoundSegment();
    SendRule GetSendRule() const;
    uint32_t GetWindowRoom() const;

    // shifting.cc
    Pace GetPace(Nanos shortest) const;

    // send-memory.cc
    LinuxBlocks GetBlocks() const;
    /// @return how what is written now would leave
    BufferMemory::Course GetCourse() const;
    /// @return octets written and not sent yet [B]
    uint32_t GetUnsent() const;
    void NoteBurst(uint32_t size);
    void NoteWrite(uint32_t octets, Nanos now);
    uint32_t NoteLeaving();
    void FreeMemory(const Step& step);

    // closing.cc
    void SendLoneFin(const Step& step);
    void SentFin(const Step& step);
    void FinAcknowledged(const Step& step);
    void HandleFin(int64_t place, const Step& step);
    void TakeFin(const Step& step);
    /// @param place offset of the reset in the peer's stream
    void HandleReset(int64_t place, const Step& step);
    void EnterTimeWait(const Step& step);
    void End(News news, const Step& step);

    // expiring.cc
    void Fire(Timer timer, const Step& step);
    void RecoveryTimeout(const Step& step);
    void ProbeWindow(const Step& step);
    /// Start the persist timer where the peer's window is closed and it does not run yet.
    void StartPersist(const Step& step);
    void SetPersist(Nanos interval, Nanos now);

    ConnectionSettings m_settings;        //!< of this end
    State m_state{State::CLOSED};         //!< RFC 9293, 3.3.2
    std::array<Nanos, N_TIMERS> m_timers; //!< when each expires; Nanos::max() for never
    Nanos m_firstTimer;                   //!< the first of them
    Inbox m_inbox;                        //!< segments that wait
    ReceiveQueue m_receive;               //!< what has come
    ReceiveWindow m_receiveWindow;        //!< size of its buffer
    ReceiverRoundTrip m_roundTrip;        //!< by which that grows
    BufferMemory m_memory;                //!< what the send buffer takes in Linux
    AckPolicy m_acks;                     //!< when to acknowledge
    LossRecovery m_recovery;              //!< what is outstanding

    // Options
    Sequence m_theirs;          //!< number of the peer's
    uint32_t m_mss;             //!< announced [B]
    uint32_t m_wholeSegment{0}; //!< payload of a whole segment [B]
    uint32_t m_segment{0};      //!< largest segment made now [B]
    bool m_sack{false};         //!< both ends use SACK
    bool m_timestamps{false};   //!< both use timestamps
    bool m_scales{false};       //!< both scale windows
    uint8_t m_sendShift{0};     //!< of the peer's windows
    uint8_t m_receiveShift{0};  //!< of the own ones
    uint32_t m_echo{0};         //!< TS.Recent (RFC 7323, 4.3)

    // Handshake
    uint32_t m_synsLeft{0};   //!< SYNs that may be sent
    uint32_t m_firstStamp{0}; //!< timestamp of the first one
    Nanos m_synSent{0};       //!< when the last one was sent

    // Sender
    uint64_t m_acknowledged{0};            //!< SND.UNA
    uint64_t m_written{1};                 //!< end of what the application has written
    bool m_closing{false};                 //!< it writes no more
    uint32_t m_window{0};                  //!< of the peer, SND.WND [B]
    uint32_t m_largestWindow{0};           //!< the largest it has announced [B]
    uint64_t m_highestSequence{0};         //!< highest offset of a segment that updates the window
    Nanos m_persistInterval{0};            //!< of the next window probe
    Nanos m_persistStarted{Nanos::min()};  //!< when that timer was last started
    Nanos m_overrideStarted{Nanos::min()}; //!< when the override timer was
    Nanos m_busyUntil{Nanos::min()};       //!< the next segment is not built before
    uint64_t m_pace{0};                    //!< [bit/s]; 0 for none
    uint64_t m_smallEnd{0};                //!< end of the last small segment
    uint32_t m_ofBlock{0};                 //!< segments let go together since one arrived
    bool m_wroteSince{false};              //!< what leaves was written since then
    uint32_t m_burst{0};          //!< segments sent since one arrived or the application wrote
    bool m_inBurst{false};        //!< a whole segment left since one arrived
    bool m_overriding{false};     //!< the override timer has just expired
    Wait m_wait{Wait::HANDSHAKE}; //!< what the sender waits for

    // Handling of a segment, between events
    uint32_t m_toAttend{0};  //!< segments still to be handled together with it
    bool m_attending{false}; //!< it came out of the inbox
    bool m_handled{false};   //!< it is taken in, and not answered yet
    bool m_output{false};    //!< something may be sent
    bool m_judge{false};     //!< the sender may wait for something else now
    bool m_toldEnd{false};   //!< the application knows of the end
};

} // namespace ns3::study::tcp

#endif /* CONNECTION_H */
