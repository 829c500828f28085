/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receive-tuning.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

// Seen on Linux 6.18 with segments of 1448 octets: the window of a SYN-ACK, and how far it is open
// before the buffer grows beyond net.ipv4.tcp_rmem's 131072 octets.
constexpr uint32_t FIRST_OPEN = 65160;     //!< [B]
constexpr uint32_t FIRST_ALLOWED = 80896;  //!< [B]
constexpr uint32_t FIRST_ROUND = 10;       //!< segments that count as read before the first
constexpr uint32_t SEGMENTS_AT_A_TIME = 2; //!< that the window opens by

} // namespace

void
ReceiveTuning::Begin(uint32_t window)
{
    m_window = window;
    m_allowed = std::min(window, FIRST_ALLOWED);
    m_open = std::min(window, FIRST_OPEN);
    m_perRound = 0;
    m_roundStart = Simulator::Now();
}

bool
ReceiveTuning::Grow(uint32_t whole)
{
    m_perRound = m_perRound == 0 ? FIRST_ROUND * whole : m_perRound;
    const bool grows = m_open < m_allowed;
    m_open = std::min(m_allowed, m_open + SEGMENTS_AT_A_TIME * whole);
    return grows;
}

void
ReceiveTuning::TellRead(SequenceNumber32 next, Time rtt)
{
    m_rtt = rtt;
    if (m_perRound == 0 || rtt.IsZero() || Simulator::Now() - m_roundStart < rtt)
    {
        return;
    }
    const uint64_t read = next - m_round;
    m_roundStart = Simulator::Now();
    m_round = next;
    if (read > m_perRound)
    {
        const uint64_t window = 2 * read + 4 * read * (read - m_perRound) / m_perRound;
        m_allowed = std::max<uint64_t>(m_allowed, std::min<uint64_t>(window, m_window));
        m_perRound = read;
    }
}

void
ReceiveTuning::Describe(StateRecord& state, SequenceNumber32 next) const
{
    state.Add(m_open);
    state.Add(m_allowed);
    if (m_allowed < m_window)
    {
        state.Add(m_perRound);
        state.Add(next - m_round);
        state.AddInstant(m_roundStart + m_rtt);
    }
}

} // namespace ns3::study
