/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVE_WINDOW_H
#define RECEIVE_WINDOW_H

#include "nanos.h"

#include <cstdint>

namespace ns3::study
{

/// @return a window of whole segments alone; one below a segment stays [B]
uint32_t ToWholeSegments(uint32_t octets, uint32_t segment);

/**
 * @brief Receive window that grows with what arrives, as Linux's does.
 *
 * With each whole segment it grows by two (tcp_grow_window), up to the room of the receive buffer;
 * and the buffer grows once a round trip, when more was read in one than in any before, to twice
 * that and more as long as the sender doubles its rate (tcp_rcv_space_adjust, tcp_rcvbuf_grow).
 * What waits to be read does not count as read, and what lies beyond a hole has room of its own.
 */
class ReceiveWindow
{
  public:
    /// @param first window at the start [B]
    /// @param largest what it grows to [B]
    explicit ReceiveWindow(uint32_t first = 0, uint32_t largest = 0);

    /// Data have come.
    /// @param payload their size [B]
    /// @param whole the peer's whole segment [B]
    /// @return true if the window has grown
    bool Take(uint32_t payload, uint32_t whole, Nanos now);

    /// What has come.
    struct Queue
    {
        uint32_t unread; //!< in sequence, and not read [B]
        uint64_t beyond; //!< from the next octet expected to the last one beyond a hole [B]
    };

    /// The application has read.
    /// @param octets so much [B]
    /// @param queue what is left
    /// @param roundTrip a measured round trip; 0 if there is none yet
    void Read(uint32_t octets, const Queue& queue, Nanos roundTrip, Nanos now);
    /// Data have come beyond a hole: the buffer has room for them, too.
    void Stretch(uint64_t beyond);

    /// Grow to so much at most. @param largest [B]
    void Bound(uint32_t largest);
    /// The size of the receive buffer is given (SO_RCVBUF): of it a segment is withheld, and
    /// nothing is measured. @param segment [B]
    void KeepBack(uint32_t segment);
    /// Announce whole segments alone, as Linux does without window scaling. @param segment [B]
    void RoundDown(uint32_t segment);

    /// @return the window [B]
    uint32_t Get() const
    {
        return m_window;
    }

    /// @return true while it may grow
    bool IsGrowing() const
    {
        return m_window < m_largest;
    }

    /// Take out what decides only when data come.
    /// @return time since the round trip began, which is measured; -1 if none is
    int64_t Loosen(Nanos now);
    /// Subtract from all instants, as if it were later.
    void SkipTime(Nanos time);
    /// Subtract from all instants.
    void Shift(Nanos time);

    bool operator==(const ReceiveWindow&) const = default;

  private:
    /// A round trip is over: let the buffer grow.
    void Measure(const Queue& queue, Nanos now);
    /// Let the buffer grow to so much room. @param room [B]
    void Grow(uint64_t room);

    uint32_t m_window;           //!< announced [B]
    uint32_t m_room;             //!< room of the receive buffer [B]
    uint32_t m_largest;          //!< what both grow to [B]
    uint64_t m_most{0};          //!< the most that was read in a round trip [B]
    uint64_t m_read{0};          //!< what was read in this one [B]
    Nanos m_since{Nanos::min()}; //!< when this one began
};

} // namespace ns3::study

#endif /* RECEIVE_WINDOW_H */
