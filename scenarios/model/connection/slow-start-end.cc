/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "slow-start-end.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

constexpr uint32_t LEAST_WINDOW = 16;     //!< below it slow start goes on [segments]
constexpr uint32_t LEAST_SAMPLES = 8;     //!< round trips that a round is judged by
constexpr Nanos TRAIN_GAP = 2ms;          //!< ACKs further apart are no train
constexpr Nanos JOINED_SEGMENTS = 1ms;    //!< allowance for a host that sends them joined
constexpr Nanos LEAST_INCREASE = 4ms;     //!< of a round trip that goes through a queue
constexpr Nanos LARGEST_INCREASE = 16ms;  //!< and an increase that always is one
constexpr int64_t PART_OF_ROUND_TRIP = 8; //!< between them, this part of the shortest one

} // namespace

void
SlowStartEnd::Reset(uint64_t next, Nanos now)
{
    m_shortest = Nanos::max();
    BeginRound(next, now);
}

void
SlowStartEnd::BeginRound(uint64_t next, Nanos now)
{
    m_roundEnd = next;
    m_roundStart = m_trainEnd = now;
    m_current = Nanos::max();
    m_samples = 0;
}

bool
SlowStartEnd::IsFull(uint64_t acknowledged, uint64_t next, Nanos rtt, uint32_t window, Nanos now)
{
    m_shortest = std::min(m_shortest, rtt);
    if (acknowledged > m_roundEnd)
    {
        BeginRound(next, now);
    }
    if (window < LEAST_WINDOW)
    {
        return false;
    }
    if (now - m_trainEnd <= TRAIN_GAP)
    {
        m_trainEnd = now;
        if (now - m_roundStart > (m_shortest + JOINED_SEGMENTS) / 2)
        {
            return true;
        }
    }
    m_current = std::min(m_current, rtt);
    if (m_samples < LEAST_SAMPLES)
    {
        ++m_samples;
        return false;
    }
    return m_current >
           m_shortest +
               std::clamp(m_shortest / PART_OF_ROUND_TRIP, LEAST_INCREASE, LARGEST_INCREASE);
}

void
SlowStartEnd::Forget()
{
    m_roundEnd = 0;
    m_roundStart = m_trainEnd = Nanos::min();
    m_current = Nanos::max();
    m_samples = 0;
}

void
SlowStartEnd::Shift(Nanos time, uint64_t octets)
{
    MoveBack(m_roundEnd, octets);
    MoveBack(m_roundStart, time);
    MoveBack(m_trainEnd, time);
}

} // namespace ns3::study
