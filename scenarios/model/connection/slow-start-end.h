/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLOW_START_END_H
#define SLOW_START_END_H

#include "nanos.h"

#include <cstdint>

namespace ns3::study
{

/**
 * @brief When slow start has filled the path: HyStart (Ha and Rhee, Taming the elephants: New TCP
 *        slow start, Computer Networks 55, 2011), with Linux's constants.
 *
 * Once a round trip, from the ACK of what was sent first in it:
 * - a train of ACKs as long as half of the shortest round trip was sent by a window that fills the
 *   one-way delay;
 * - a round trip whose first eight samples are all an eighth longer than the shortest one, or 4 to
 *   16 ms, goes through a queue.
 * ns-3's TcpCubic waits for a train of the whole round trip.
 */
class SlowStartEnd
{
  public:
    /// Begin afresh. @param next what is sent next
    void Reset(uint64_t next, Nanos now);
    /// An ACK has come in slow start.
    /// @param acknowledged all before it
    /// @param next what is sent next
    /// @param rtt the round trip that it measures
    /// @param window congestion window [segments]
    /// @return true if the path is full
    bool IsFull(uint64_t acknowledged, uint64_t next, Nanos rtt, uint32_t window, Nanos now);

    /// Slow start is over for now: forget the round, not the shortest round trip.
    void Forget();

    /// Subtract from all instants and offsets.
    void Shift(Nanos time, uint64_t octets);

    bool operator==(const SlowStartEnd&) const = default;

  private:
    /// A round begins.
    void BeginRound(uint64_t next, Nanos now);

    uint64_t m_roundEnd{0};           //!< an ACK beyond it begins the next round
    Nanos m_roundStart{Nanos::min()}; //!< when this one began
    Nanos m_trainEnd{Nanos::min()};   //!< when the last ACK of its train came
    Nanos m_shortest{Nanos::max()};   //!< shortest round trip ever
    Nanos m_current{Nanos::max()};    //!< shortest round trip of this round
    uint32_t m_samples{0};            //!< of this round
};

} // namespace ns3::study

#endif /* SLOW_START_END_H */
