/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hystart.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

constexpr uint32_t LEAST_WINDOW = 16;           //!< below it slow start goes on [segments]
constexpr uint32_t LEAST_SAMPLES = 8;           //!< round trips that a round is judged by
const Time TRAIN_GAP = MilliSeconds(2);         //!< ACKs further apart are no train
const Time JOINED_SEGMENTS = MilliSeconds(1);   //!< allowance for a host that sends them joined
const Time LEAST_INCREASE = MilliSeconds(4);    //!< of a round trip that goes through a queue
const Time LARGEST_INCREASE = MilliSeconds(16); //!< and what is always one

} // namespace

void
Hystart::Reset(SequenceNumber32 next)
{
    m_shortest = Time(0);
    BeginRound(next);
}

void
Hystart::BeginRound(SequenceNumber32 next)
{
    m_roundEnd = next;
    m_roundStart = m_lastOfTrain = Simulator::Now();
    m_current = Time::Max();
    m_samples = 0;
}

bool
Hystart::IsFull(SequenceNumber32 acknowledged, SequenceNumber32 next, Time rtt, uint32_t window)
{
    m_shortest = m_shortest.IsZero() ? rtt : std::min(m_shortest, rtt);
    if (acknowledged > m_roundEnd)
    {
        BeginRound(next);
    }
    if (window < LEAST_WINDOW)
    {
        return false;
    }
    const Time now = Simulator::Now();
    if (now - m_lastOfTrain <= TRAIN_GAP)
    {
        m_lastOfTrain = now;
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
    const Time increase = std::clamp(m_shortest / 8, LEAST_INCREASE, LARGEST_INCREASE);
    return m_current > m_shortest + increase;
}

void
Hystart::Describe(StateRecord& state, SequenceNumber32 acknowledged) const
{
    state.Add(m_roundEnd - acknowledged);
    state.Add((Simulator::Now() - m_roundStart).GetTimeStep());
    state.Add((Simulator::Now() - m_lastOfTrain).GetTimeStep());
    state.Add(m_shortest.GetTimeStep());
    state.Add(m_current.GetTimeStep());
    state.Add(m_samples);
}

} // namespace ns3::study
