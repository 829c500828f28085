/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-taker.h"

#include <algorithm>

namespace ns3::study
{

TurnTaker::TurnTaker(std::vector<Turn> turns, bool ofServer)
    : m_turns(std::move(turns)),
      m_ofServer(ofServer)
{
}

std::optional<Turn>
TurnTaker::Take()
{
    PassHeard();
    if (IsOver() || m_turns[m_next].ofServer != m_ofServer)
    {
        return std::nullopt;
    }
    return m_turns[m_next++];
}

void
TurnTaker::Heard(uint64_t bytes)
{
    m_heard = bytes;
    PassHeard();
}

bool
TurnTaker::IsOver() const
{
    return m_next == m_turns.size();
}

uint64_t
TurnTaker::GetToSay() const
{
    uint64_t bytes = 0;
    for (const Turn& turn : m_turns)
    {
        bytes += turn.ofServer == m_ofServer ? turn.size : 0;
    }
    return bytes;
}

uint32_t
TurnTaker::CountOwn() const
{
    return CountOwn(m_turns.size());
}

uint32_t
TurnTaker::CountOwnOver() const
{
    return CountOwn(m_next);
}

uint32_t
TurnTaker::CountOwn(std::size_t first) const
{
    const auto end = m_turns.begin() + static_cast<std::ptrdiff_t>(first);
    return static_cast<uint32_t>(std::count_if(m_turns.begin(), end, [this](const Turn& turn) {
        return turn.ofServer == m_ofServer;
    }));
}

void
TurnTaker::PassHeard()
{
    while (!IsOver() && m_turns[m_next].ofServer != m_ofServer &&
           m_heard - m_heardBefore >= m_turns[m_next].size)
    {
        m_heardBefore += m_turns[m_next].size;
        ++m_next;
    }
}

} // namespace ns3::study
