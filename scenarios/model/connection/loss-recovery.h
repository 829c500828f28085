/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOSS_RECOVERY_H
#define LOSS_RECOVERY_H

#include "congestion-window.h"
#include "loose-state.h"
#include "nanos.h"
#include "retransmission-timeout.h"
#include "sent-segments.h"

#include <cstdint>
#include <span>

namespace ns3::study
{

/**
 * @brief What a sender with a connection has outstanding, how it finds losses and how it recovers.
 *
 * Fast retransmit and fast recovery with SACK (RFC 6675) and without (RFC 6582), losses found by
 * time and tail loss probes (RFC 8985, RACK-TLP), and the retransmission timeout (RFC 5681, RFC
 * 6298). It has the timers of outstanding data, and says what may be sent again; the connection
 * sends it.
 *
 * Order of a sender: GetLost(), then new data for which GetRoom() has room, then GetHole(). Each
 * segment that leaves is told by Resent() or Sent(). A FIN is an octet of its segment.
 */
class LossRecovery
{
  public:
    /// Numbers it goes by.
    struct Settings
    {
        GrowthRule growth{GrowthRule::NEWRENO}; //!< of the congestion window
        uint32_t initialWindow{2};              //!< [segments]
        bool rack{false};                       //!< find losses by time where SACK is used
        RetransmissionTimeout::Settings timeout{};
        Nanos peersAckDelay{200ms}; //!< longest delayed ACK of a lone segment (RFC 8985, 7.2)

        bool operator==(const Settings&) const = default;
    };

    /// An acknowledgment in a segment that the connection accepts.
    struct Ack
    {
        uint64_t number;                               //!< all before it
        std::span<const SentSegments::Block> blocks{}; //!< of SACK
        bool data{false};                              //!< its segment carries data
        bool windowChanged{false};                     //!< it announces another window
        Nanos echoed{0};                               //!< round trip by its timestamp; 0 without
    };

    /// What it tells of.
    struct News
    {
        uint32_t delivered{0}; //!< octets that the peer is newly known to have [B]
        Nanos rtt{0};          //!< measured round trip; 0 for none
        uint32_t lost{0};      //!< octets newly believed lost [B]
        uint32_t inFlight{0};  //!< octets in flight before it [B]
    };

    /// What the ACKs have shown (RFC 5681; Linux's tcp_ca_state).
    enum class State : uint8_t
    {
        OPEN,     //!< nothing special
        DISORDER, //!< duplicate ACKs
        RECOVERY, //!< a loss is found and recovered
        LOSS      //!< the timeout has expired
    };

    /// What a timer has found.
    enum class Expired
    {
        NOTHING,    //!< too early, or moot
        REORDERING, //!< segments are lost by time
        PROBE,      //!< a tail loss probe is due: call BeginProbe()
        TIMEOUT     //!< the retransmission timeout
    };

    explicit LossRecovery(const Settings& settings);

    /// The handshake is complete.
    /// @param mss payload of a whole segment [B]
    /// @param sack both ends use SACK
    /// @param next offset of the first octet of data
    void Begin(uint32_t mss, bool sack, uint64_t next, Nanos now);

    /// An ACK has come.
    News OnAck(const Ack& ack, Nanos now);
    /// @return when OnExpire() is to be called; Nanos::max() for never
    Nanos GetDeadline() const;
    /// An instant has come.
    Expired OnExpire(Nanos now);

    /// @return the segment to send again now, or null
    const SentSegments::Segment* GetLost() const;
    /// Believe lost in a recovery, where no new data can be sent, what the peer lacks before what
    /// it has (RFC 6675, NextSeg(), rule 3). @return true if GetLost() has one now
    bool GetHole();
    /// @return the room of the congestion window for new data [B]
    uint32_t GetRoom() const;
    /// New data have left, in one segment.
    void Sent(uint32_t size, Nanos now);
    /// What GetLost() said has left.
    void Resent(Nanos now);

    /// A probe is due: let GetRoom() have room for one segment.
    void BeginProbe();
    /// No new data can be sent: believe the last segment lost, so that GetLost() has it.
    void ProbeWithTail();
    /// The probe has left.
    void EndProbe(Nanos now);

    /// @return true while a probe is leaving
    bool IsSendingProbe() const
    {
        return m_sendingProbe;
    }

    /// @return what is outstanding
    const SentSegments& GetSegments() const
    {
        return m_segments;
    }

    /// @return the offset that new data begin at
    uint64_t GetNext() const
    {
        return m_next;
    }

    /// @return true in a recovery, or after a timeout
    bool IsRecovering() const
    {
        return m_state == State::RECOVERY || m_state == State::LOSS;
    }

    /// @return true while what was lost is not all made good: without SACK a recovery goes on
    /// until more than that is acknowledged
    bool IsRepairing() const
    {
        return IsRecovering() && m_head < m_recover;
    }

    /// @return what the ACKs have shown
    State GetState() const
    {
        return m_state;
    }

    /// @return the last round trip measured
    Nanos GetLastRtt() const
    {
        return m_lastRtt;
    }

    /// @return timeouts since new data were acknowledged
    uint32_t GetTimeouts() const
    {
        return m_timeouts;
    }

    /// @return true while the retransmission timer runs
    bool IsWatching() const
    {
        return m_timerDue != Nanos::max();
    }

    /// @return true if nothing is lost, or looks so
    bool IsSettled() const
    {
        return !IsRepairing() && m_segments.GetLostOctets() == 0 &&
               m_segments.GetSackedOctets() == 0 && m_reorderingDue == Nanos::max();
    }

    /// Subtract from all instants and offsets.
    void Shift(Nanos time, uint64_t octets);

    /// Let the clock of its timers run on.
    void SkipTime(Nanos time)
    {
        m_settings.timeout.clock.Shift(time);
    }

    /// Forget what decides only under a condition. @param shortest of the round trips from now on
    LooseState Loosen(Nanos now, Nanos shortest);

    bool operator==(const LossRecovery&) const = default;

    CongestionWindow m_window;       //!< congestion window
    RetransmissionTimeout m_timeout; //!< RTO and round trip

  private:
    /// @return true if losses are found by time
    bool UsesRack() const
    {
        return m_sack && m_settings.rack;
    }

    /// Duplicate ACKs, or segments beyond a hole, that prove a loss (RFC 5681, RFC 6675: DupThresh)
    static constexpr uint32_t DUPLICATES = 3;
    /// A probe goes so long before a timeout, at most.
    static constexpr Nanos JUST_BEFORE{1};

    /// @return what Linux adds to the timers of reordering and of the tail
    Nanos GetTimerMargin() const;
    /// @return the congestion window after a pause, in the clock's ticks [B]
    uint32_t GetAfterIdle(Nanos idle) const;
    /// @return FlightSize when a loss is found (RFC 5681) [B]
    uint32_t GetFlightSize() const;
    /// Believe lost what the last ACK shows to be.
    void MarkLosses(Nanos now);
    /// See what a probe has shown (RFC 8985, 7.4). @param repeats the ACK is a duplicate
    void ProcessProbeAck(uint64_t ack, bool repeats);
    /// A duplicate ACK.
    void DuplicateAck(uint32_t delivered);
    /// A loss is found: send the first segment again (RFC 6582, 3.2; RFC 6675, 5).
    void EnterRecovery(uint32_t delivered);
    /// In a recovery, have the window follow an ACK. @param mayBeLoss unless it shows progress only
    void ReduceWindow(uint32_t delivered, bool mayBeLoss);
    /// New data are acknowledged. @param duplicate with news of what is beyond a hole
    void NewAck(uint64_t ack, uint32_t delivered, bool duplicate, Nanos now);
    /// New data are acknowledged, and the recovery or its slow start goes on.
    void PartialAck(uint64_t ack, uint32_t delivered, uint32_t segments, Nanos now);
    /// Without SACK, what was acknowledged takes duplicate ACKs with it.
    /// @param told what these said has left the network [B]
    /// @return what is news [B]
    uint32_t EatDuplicates(uint32_t acknowledged, uint32_t told);
    /// New data are acknowledged, and nothing is being recovered any more.
    void FullAck(uint64_t ack, uint32_t delivered, uint32_t segments, bool duplicate, Nanos now);
    /// Start the retransmission timer afresh.
    void StartTimer(Nanos now);
    /// Watch the tail of what is outstanding (RFC 8985, 7.2).
    void StartProbeTimer(Nanos now);
    /// The retransmission timer has expired.
    void TimeOut(Nanos now);

    Settings m_settings;                 //!< numbers it goes by
    SentSegments m_segments;             //!< what is outstanding
    State m_state{State::OPEN};          //!< what the ACKs have shown
    bool m_sack{false};                  //!< both ends use SACK
    bool m_force{false};                 //!< the first lost segment leaves whatever the windows
    bool m_recoverActive{false};         //!< nothing beyond m_recover is acknowledged
    bool m_probing{false};               //!< a probe is in flight
    bool m_sendingProbe{false};          //!< it is just leaving
    bool m_probeIsNew{true};             //!< it carries new data
    bool m_moreLost{false};              //!< the last ACK shows more losses
    uint32_t m_duplicateAcks{0};         //!< since new data were acknowledged
    uint32_t m_timeouts{0};              //!< since then
    uint32_t m_partOfSegment{0};         //!< delivered and not yet counted as a whole segment [B]
    uint64_t m_head{0};                  //!< SND.UNA
    uint64_t m_next{0};                  //!< end of all that was sent
    uint64_t m_recover{0};               //!< the same, when the last loss was found
    uint64_t m_probeEnd{0};              //!< the same, when the probe left
    Nanos m_lastRtt{0};                  //!< last round trip measured
    Nanos m_lastSent{0};                 //!< when data last left
    Nanos m_timerDue{Nanos::max()};      //!< the timeout, without ticks; max() for none
    Nanos m_timerTick{Nanos::max()};     //!< tick at which it expires
    Nanos m_probeDue{Nanos::max()};      //!< a probe
    Nanos m_reorderingDue{Nanos::max()}; //!< more is lost by time
};

} // namespace ns3::study

#endif /* LOSS_RECOVERY_H */
