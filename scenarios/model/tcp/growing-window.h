/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROWING_WINDOW_H
#define GROWING_WINDOW_H

#include "model/proof/state-record.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::study
{

/**
 * @brief A receive window that grows with what arrives, as Linux's does.
 *
 * With each whole segment it grows by two (tcp_grow_window), up to what the receive buffer has room
 * for; and the buffer grows once a round trip, when more was read in one than in any before, to
 * twice that and more as long as the sender doubles its rate (tcp_rcv_space_adjust).
 */
class GrowingWindow
{
  public:
    /// Begin with a window.
    /// @param first the window [B]
    /// @param largest what it grows to [B]
    void Begin(uint32_t first, uint32_t largest);
    /// Data have come, and are read at once.
    /// @param payload their size [B]
    /// @param whole the peer's whole segment [B]
    /// @param roundTrip a measured round trip; 0 if there is none yet
    /// @return true if the window has grown
    bool Take(uint32_t payload, uint32_t whole, Time roundTrip);
    /// @return the window [B]
    uint32_t Get() const;

    /// Add what decides about the next segments, of which each is told a round trip like this one.
    void Describe(StateRecord& state, Time roundTrip) const;

  private:
    /// A round trip is over: let the buffer grow.
    void Measure();

    uint32_t m_window{0};  //!< what is offered [B]
    uint32_t m_room{0};    //!< what the receive buffer has room for [B]
    uint32_t m_largest{0}; //!< what both grow to [B]
    uint64_t m_most{0};    //!< the most that was read in a round trip [B]
    uint64_t m_read{0};    //!< what was read in this one [B]
    Time m_since;          //!< when this one began
    Time m_last;           //!< when data came last
};

} // namespace ns3::study

#endif /* GROWING_WINDOW_H */
