/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HYSTART_H
#define HYSTART_H

#include "model/proof/state-record.h"

#include "ns3/nstime.h"
#include "ns3/sequence-number.h"

namespace ns3::study
{

/**
 * @brief When slow start has filled the path: HyStart (Ha and Rhee, Taming the elephants: New TCP
 *        slow start, Computer Networks 55, 2011), with Linux's constants.
 *
 * Once a round trip, from the ACK of what was sent first in it:
 * - a train of ACKs that lasts as long as the way there, half of the shortest round trip, was sent
 * by a window that fills that way;
 * - a round trip whose first eight samples are all an eighth longer than the shortest one, or 4 to
 *   16 ms, goes through a queue.
 * ns-3's TcpCubic waits for a train of the whole round trip.
 */
class Hystart
{
  public:
    /// Begin afresh. @param next what is sent next
    void Reset(SequenceNumber32 next);
    /// An ACK has come in slow start.
    /// @param acknowledged all before it
    /// @param next what is sent next
    /// @param rtt the round trip that it shows
    /// @param window congestion window [segments]
    /// @return true if the path is full
    bool IsFull(SequenceNumber32 acknowledged, SequenceNumber32 next, Time rtt, uint32_t window);

    /// Add what decides what it finds next. @param acknowledged all before it
    void Describe(StateRecord& state, SequenceNumber32 acknowledged) const;

  private:
    /// A round begins.
    void BeginRound(SequenceNumber32 next);

    SequenceNumber32 m_roundEnd; //!< an ACK beyond it begins the next round
    Time m_roundStart;           //!< when this one began
    Time m_lastOfTrain;          //!< when the last ACK of its train came
    Time m_shortest;             //!< shortest round trip ever; 0 for none
    Time m_current;              //!< shortest round trip of this round
    uint32_t m_samples{0};       //!< of this round
};

} // namespace ns3::study

#endif /* HYSTART_H */
