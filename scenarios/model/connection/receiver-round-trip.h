/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVER_ROUND_TRIP_H
#define RECEIVER_ROUND_TRIP_H

#include "nanos.h"

#include <cstdint>
#include <vector>

namespace ns3::study
{

/**
 * @brief Round-trip time as a receiver of data measures it, to size its buffer by.
 *
 * With timestamps (RFC 7323) it is the time since the ACK that a segment echoes, of the first
 * segment that echoes it; so the queues of both ways are in it. Without, the time in which a whole
 * window arrives is an upper bound. The estimate follows a shorter sample at once, and a longer one
 * of timestamps by an eighth, unless the application is behind with reading.
 *
 * Source: Linux 6.18, tcp_rcv_rtt_measure_ts, tcp_rcv_rtt_measure and tcp_rcv_rtt_update, read for
 * their rules.
 */
class ReceiverRoundTrip
{
  public:
    /// Data have come, in sequence or not.
    void Hear(Nanos now)
    {
        m_heard = now;
    }

    /// A segment with timestamps has come.
    /// @param payload its size [B]
    /// @param echo the timestamp that it echoes
    /// @param passed time since then
    /// @param unread the application is behind
    void TakeEcho(uint32_t payload, uint32_t echo, Nanos passed, bool unread);
    /// Data have come in sequence.
    /// @param next the next octet expected
    /// @param window the announced window [B]
    void TakeNext(uint32_t payload, uint64_t next, uint32_t window, Nanos now);

    /// @return the estimate; 0 if there is none yet
    Nanos Get() const
    {
        return m_estimate;
    }

    /// @return time since data last came; Nanos::max() if none have
    Nanos GetQuiet(Nanos now) const
    {
        return m_heard == Nanos::min() ? Nanos::max() : now - m_heard;
    }

    /// Take out what decides only when data come. @param stamp of now
    std::vector<int64_t> Loosen(Nanos now, uint32_t stamp);
    /// Cycles without data were taken off.
    void SkipTime(Nanos time);

    /// Subtract from all instants, offsets and timestamps.
    void Shift(Nanos time, uint64_t octets, uint32_t echo);

    bool operator==(const ReceiverRoundTrip&) const = default;

  private:
    Nanos m_estimate{0};         //!< smoothed, or the shortest
    uint32_t m_largest{536};     //!< largest payload that has come, at least the default MSS [B]
    uint32_t m_echo{0};          //!< the last echoed timestamp
    uint64_t m_edge{0};          //!< end of the window that is being measured; 0 for none
    Nanos m_since{Nanos::min()}; //!< when it began
    Nanos m_heard{Nanos::min()}; //!< when data last came
};

} // namespace ns3::study

#endif /* RECEIVER_ROUND_TRIP_H */
