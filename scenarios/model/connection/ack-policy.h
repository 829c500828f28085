/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACK_POLICY_H
#define ACK_POLICY_H

#include "loose-state.h"
#include "nanos.h"
#include "timer-clock.h"

#include <cstdint>

namespace ns3::study
{

/// What a receiver counts for an ACK that waits for no timer.
enum class AckCount : uint8_t
{
    SEGMENTS, //!< every n-th segment of any size, as Windows' TcpAckFrequency
    OCTETS,   //!< octets of full segments: at least every n-th (RFC 5681, 4.2)
    ADAPTIVE  //!< as Linux: more than a full segment, and what its rules below say
};

/// Which openings of its window a receiver announces of its own accord, by a window update.
enum class WindowUpdate : uint8_t
{
    EVERY_OPENING, //!< each one
    RFC1122,       //!< one MSS or half the buffer at least (RFC 1122, 4.2.3.3)
    BSD,           //!< two segments or 35 % of the buffer at least, as 4.3BSD's tcp_output(); it
                   //!< then waits for no delayed ACK
    FROM_ZERO      //!< only that a closed window is open again
};

/// When a delayed ACK leaves.
enum class DelayedAck : uint8_t
{
    ONE_SHOT,    //!< the timeout after the first segment it is withheld for, at a tick
    FREE_RUNNING //!< at the next multiple of the timeout, as BSD's fast timer
};

/**
 * @brief When one end acknowledges, and which window it announces.
 *
 * An ACK of data may be withheld until a timer expires, or until data earn it: by number, or by the
 * part of the announced window that they take. What has a hole before or behind it earns one at
 * once, so does a FIN or a window probe (RFC 9293, 3.10.7.4; RFC 5681, 4.2).
 *
 * ADAPTIVE is what Linux does. The first segments earn one (quick ACKs, at most half the window),
 * so do those with which the window grows, whatever makes more than a full segment wait, and a
 * segment that ends a burst (PSH, or its size) once the application has read it, for the sender may
 * be waiting. When this end has answered data with data it takes the connection for an interactive
 * one: then an ACK waits for data to carry it, or for a second small segment. Reading that doubles
 * what is left of the window is told at once.
 *
 * Offsets are those of the peer's stream.
 */
class AckPolicy
{
  public:
    /// Numbers it goes by.
    struct Settings
    {
        AckCount count{AckCount::OCTETS}; //!< what earns an ACK
        uint32_t frequency{0};            //!< n; 0 for no such rule
        double threshold{0};              //!< part of the announced window; 0 for no such rule
        uint32_t quickAcks{0};            //!< first data segments that earn one each, at most
        bool pushed{false};               //!< the end of a burst does, once it is read
        Nanos timeout{500ms};             //!< longest time an ACK is withheld
        DelayedAck timer{DelayedAck::ONE_SHOT};
        TimerClock clock{}; //!< by which that timer runs
        WindowUpdate updates{WindowUpdate::EVERY_OPENING};
        bool sillyWindowAvoidance{false}; //!< announce no small opening, by whatever segment

        bool operator==(const Settings&) const = default;
    };

    /// A data segment, in sequence or not.
    struct Data
    {
        uint32_t payload; //!< [B]
        bool pushed;      //!< PSH
        bool plain;       //!< no hole before or behind it, no FIN, nothing that had come before
        bool grown;       //!< the receive window has grown with it
    };

    /// What the receiver has.
    struct View
    {
        uint64_t next;   //!< RCV.NXT
        uint32_t room;   //!< octets that the application has left free [B]
        uint32_t buffer; //!< the window when all is read [B]
        bool unread;     //!< octets wait for the application
    };

    explicit AckPolicy(const Settings& settings);

    /// The handshake has announced a first window.
    /// @param mss payload of a whole segment [B]
    /// @param next RCV.NXT
    /// @param window first window [B]
    void Begin(uint32_t mss, uint64_t next, uint32_t window);

    /// A data segment is handled.
    void OnData(const Data& data, Nanos now);
    /// Something that is always answered has come: a window probe, a duplicate, a FIN.
    void OnQuestion();

    /// @return what the last ACK acknowledged, Last.ACK.sent
    uint64_t GetLastAck() const
    {
        return m_lastAck;
    }

    /// @return the largest payload that has come [B]
    uint32_t GetLargest() const
    {
        return m_largest;
    }

    /// @return true if an ACK is owed
    bool IsOwed() const
    {
        return m_owed;
    }

    /// @return true if it is owed and waits for no timer
    bool IsDue(const View& view) const;
    /// An owed ACK is withheld: let the timer run, unless it does.
    void Withhold(Nanos now);

    /// @return when a withheld ACK leaves; Nanos::max() for none
    Nanos GetDeadline() const
    {
        return m_due;
    }

    /// @return true if an application that has read makes a window update leave now
    bool IsUpdateDue(const View& view) const;

    /// @return what was announced and has not come [B]
    uint32_t GetLeft(const View& view) const;
    /// @return the window to announce [B]
    uint32_t GetWindow(const View& view) const;
    /// An ACK has left, alone or with data.
    /// @param next what it acknowledges
    /// @param window what it announces, as the peer takes it [B]
    void AckLeft(uint64_t next, uint32_t window);
    /// Data have left.
    void DataLeft(Nanos now);

    /// Subtract from all instants and offsets. @param time now
    void Shift(Nanos time, uint64_t octets);
    /// Let the clock of its timer run on.
    void SkipTime(Nanos time);
    /// Forget what decides only when its timer expires.
    void Loosen(Nanos now, LooseState& loose);

    bool operator==(const AckPolicy&) const = default;

  private:
    /// @return true if it does as Linux
    bool IsAdaptive() const
    {
        return m_settings.count == AckCount::ADAPTIVE;
    }

    /// @return what passes for a full segment [B]
    uint32_t GetFullSegment() const;

    /// @return by how much the window's edge could move [B]
    uint32_t GetOpening(const View& view) const;
    /// @return one MSS or half the buffer (RFC 1122, 4.2.3.3) [B]
    uint32_t GetLeastOpening(const View& view) const;
    /// @return true if the window has opened as far as an update announces
    bool EarnsUpdate(const View& view) const;
    /// Linux's rules for a segment that has come.
    void Adapt(const Data& data);

    Settings m_settings;              //!< numbers it goes by
    uint32_t m_mss{0};                //!< payload of a whole segment [B]
    uint64_t m_lastAck{0};            //!< what the last ACK acknowledged
    uint64_t m_windowEdge{0};         //!< the end of the window it announced
    uint32_t m_largest{0};            //!< largest payload that has come [B]
    uint32_t m_quickAcks{0};          //!< segments that still earn one each
    uint32_t m_segments{0};           //!< data segments since the last ACK
    uint32_t m_octets{0};             //!< octets since then [B]
    bool m_owed{false};               //!< an ACK is
    bool m_atOnce{false};             //!< it waits for nothing
    bool m_endsBurst{false};          //!< the last segment did
    bool m_someEnded{false};          //!< one since the last ACK did
    bool m_interactive{false};        //!< data were answered with data
    bool m_begun{false};              //!< data have come
    Nanos m_lastData{Nanos::min()};   //!< when they last did; min() when no answer to them can be
    Nanos m_due{Nanos::max()};        //!< when a withheld ACK leaves
    Nanos m_withheldAt{Nanos::min()}; //!< when the timer was last started
    Nanos m_ahead{0};                 //!< the time of a timer that runs freely, less the caller's
};

} // namespace ns3::study

#endif /* ACK_POLICY_H */
