/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGESTION_WINDOW_H
#define CONGESTION_WINDOW_H

#include "cubic-growth.h"
#include "rate-reduction.h"
#include "reno-growth.h"

#include <cstdint>
#include <variant>

namespace ns3::study
{

/// How a congestion window grows and shrinks.
enum class GrowthRule : uint8_t
{
    NEWRENO, //!< RFC 5681, and in a recovery RFC 6582
    RENO,    //!< Linux's Reno, and in a recovery PRR
    CUBIC,   //!< RFC 9438 with HyStart, and in a recovery PRR
    EXTERNAL //!< as the caller sets it
};

/**
 * @brief Congestion window of a sender: its growth, whether it is used, and what a loss leaves of
 * it.
 *
 * Except with NewReno the window grows only if it is used, as Linux counts it (tcp_cwnd_validate,
 * tcp_is_cwnd_limited): it was full in the last round trip, or in slow start at least half full.
 */
class CongestionWindow
{
  public:
    explicit CongestionWindow(GrowthRule rule);

    /// The connection begins. @param segments initial window
    void Begin(uint32_t mss, uint32_t segments, uint64_t next, Nanos now);
    /// Change the payload of a whole segment, not the window [B]
    void SetSegment(uint32_t mss);
    /// Set the window and the threshold, as the rule EXTERNAL has it [B]
    void Set(uint32_t window, uint32_t threshold);

    /// @return window and threshold
    const CongestionState& Get() const
    {
        return m_state;
    }

    /// A segment is about to leave, and nothing is in flight.
    void StartFromIdle();
    /// A pause leaves so much of the window, no more than it has [B]
    void Restart(uint32_t window);
    /// @return the window after a pause (RFC 5681, 4.1; Linux's tcp_cwnd_restart) [B]
    /// @param idle since the last segment left
    /// @param timeout of retransmission
    /// @param initial window [segments]
    uint32_t GetAfterIdle(Nanos idle, Nanos timeout, uint32_t initial) const;
    /// New data have left, in one segment.
    /// @param pipe what is in flight now [B]
    /// @param acknowledged all before it
    /// @param next what is sent next
    void Sent(uint32_t octets, uint32_t pipe, uint64_t acknowledged, uint64_t next);
    /// A segment has left again [B]
    void Resent(uint32_t octets);
    /// An ACK has come. @param rtt last round trip measured; 0 before one is
    void Sample(uint64_t acknowledged, uint64_t next, Nanos rtt, Nanos now);
    /// Some segments were acknowledged, and nothing is being recovered.
    void Grow(uint32_t segments, Nanos now);

    /// @return true if it goes as Linux's
    bool IsOfLinux() const
    {
        return !std::holds_alternative<NewRenoGrowth>(m_growth);
    }

    /// A loss is found.
    /// @param flight RFC 5681's FlightSize [B]
    void BeginRecovery(uint32_t flight);
    /// An ACK has come in the recovery. Parameters as of RateReduction::GetWindow()
    void Recover(uint32_t pipe, uint32_t delivered, bool mayBeLoss);
    /// All that was outstanding when the loss was found is acknowledged.
    void EndRecovery();
    /// A probe has made good a loss: lower the window at once (RFC 8985, 7.4.2).
    void LowerAtOnce(uint32_t flight);
    /// The retransmission timer has expired.
    /// @param lower true unless the threshold was lowered for the same data
    void Timeout(bool lower, uint32_t flight, uint64_t next, Nanos now);

    /// Subtract from all instants and offsets.
    void Shift(Nanos time, uint64_t octets);

    /// @return how often the window might have grown by its use
    uint64_t CountUses() const
    {
        return m_uses;
    }

    /// Forget the window and its use: a larger one changes nothing.
    void ForgetUse();

    bool operator==(const CongestionWindow&) const = default;

  private:
    /// @return true if the window is used
    bool IsUsed() const;
    /// A loss leaves less of the window.
    void LowerThreshold(uint32_t flight);
    /// @return true if the window is the caller's
    bool IsExternal() const;

    CongestionState m_state;       //!< window and threshold
    RateReduction m_reduction;     //!< of a recovery
    bool m_recovering{false};      //!< it goes on
    bool m_wasFull{false};         //!< the window was full since m_roundEnd was set
    uint32_t m_mostOutstanding{0}; //!< or else so much was outstanding at most [B]
    uint64_t m_uses{0};            //!< how often it might have grown by its use
    uint64_t m_roundEnd{0};        //!< an ACK beyond it ends the round trip
    std::variant<FixedGrowth, NewRenoGrowth, RenoGrowth, CubicGrowth> m_growth; //!< the rule
};

} // namespace ns3::study

#endif /* CONGESTION_WINDOW_H */
