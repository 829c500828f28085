/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVE_TUNING_H
#define RECEIVE_TUNING_H

#include "model/proof/state-record.h"

#include "ns3/nstime.h"
#include "ns3/sequence-number.h"

namespace ns3::study
{

/**
 * @brief How far Linux lets a receive window grow that it tunes by itself; a host that does so
 *        acknowledges at once each segment with which it grows.
 *
 * With each segment it opens by two of them, up to what the buffer allows. The buffer follows what
 * the application reads in a round trip: twice that, and more where that has grown since the round
 * trip before. What the host announces here is the whole window from the start all the same.
 */
class ReceiveTuning
{
  public:
    /// Begin a connection. @param window the most that the buffer may grow to [B]
    void Begin(uint32_t window);
    /// A segment has come in order. @param whole payload of a whole one [B]
    /// @return true if the window grows with it
    bool Grow(uint32_t whole);
    /// The application has read all that there is.
    /// @param next the number of the octet to come
    /// @param rtt the round trip; 0 if it is not known
    void TellRead(SequenceNumber32 next, Time rtt);
    /// Add what decides the further course.
    void Describe(StateRecord& state, SequenceNumber32 next) const;

  private:
    uint32_t m_window{0};     //!< the most that may be allowed [B]
    uint32_t m_allowed{0};    //!< by the buffer [B]
    uint32_t m_open{0};       //!< how far the window is open [B]
    uint32_t m_perRound{0};   //!< what was read in a round trip, at most; 0 before any data [B]
    Time m_rtt;               //!< that round trip
    Time m_roundStart;        //!< when the round trip began
    SequenceNumber32 m_round; //!< and what was read before
};

} // namespace ns3::study

#endif /* RECEIVE_TUNING_H */
