/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cycle-detector.h"

#include "ns3/simulator.h"

namespace ns3::study
{

void
CycleDetector::Note(std::initializer_list<int64_t> event)
{
    if (m_gaveUp)
    {
        return;
    }
    const std::size_t noted = m_events.size() + event.size();
    if (noted > MOST_IN_STRETCH || m_kept + noted > MOST_NUMBERS)
    {
        GiveUp(Obstacle::IRREGULAR);
        return;
    }
    m_events.insert(m_events.end(), event);
}

std::optional<CycleDetector::Cycle>
CycleDetector::Mark(Time now, const StateRecord& state, const std::vector<int64_t>& totals)
{
    if (m_gaveUp)
    {
        return std::nullopt;
    }
    if (state.unprovable != Obstacle::NONE || m_stretches.size() == MOST_STRETCHES)
    {
        GiveUp(state.unprovable != Obstacle::NONE ? state.unprovable : Obstacle::IRREGULAR);
        return std::nullopt;
    }
    if (state.unsettled != Obstacle::NONE)
    {
        Reset();
        m_obstacle = state.unsettled;
        return std::nullopt;
    }
    const Stretch* const last = m_stretches.empty() ? nullptr : &m_stretches.back();
    const uint64_t simulated = Simulator::GetEventCount();
    Stretch stretch{state.isWhole,
                    std::move(m_events),
                    state.objects,
                    state.timerValues,
                    state.reserves,
                    now,
                    totals,
                    simulated};
    const std::size_t events = stretch.content.size();
    m_events = {};
    m_events.reserve(events);
    if (!state.isWhole)
    {
        stretch.content = {};
        m_lastLike.clear(); // no cycle goes across it
        m_cycle = 0;
        m_repeated = 0;
        m_stretches.push_back(std::move(stretch));
        return std::nullopt;
    }
    const auto& values = state.values;
    stretch.content.push_back(static_cast<int64_t>(events));
    stretch.content.push_back(static_cast<int64_t>(state.timerValues.size()));
    stretch.content.push_back(static_cast<int64_t>(state.reserves.size()));
    stretch.content.insert(stretch.content.end(), values.begin(), values.end());
    stretch.content.push_back(last ? (now - last->end).GetTimeStep() : 0);
    for (std::size_t i = 0; i < totals.size(); ++i)
    {
        stretch.content.push_back(last ? totals[i] - last->totals[i] : 0);
    }

    const std::size_t index = m_stretches.size();
    const std::size_t hash = Hash(stretch.content);
    if (m_cycle > 0 && m_stretches[index - m_cycle].IsLike(stretch))
    {
        ++m_repeated;
    }
    else
    {
        const auto like = m_lastLike.find(hash);
        const bool seen = like != m_lastLike.end() && m_stretches[like->second].IsLike(stretch);
        m_cycle = seen ? index - like->second : 0;
        m_repeated = seen ? 1 : 0;
    }
    m_lastLike[hash] = index;
    m_kept += stretch.content.size() + state.sizeOfObjects;
    m_stretches.push_back(std::move(stretch));

    std::size_t length = 0;
    std::optional<std::vector<bool>> grow;
    // The first of the supposed cycles have none a cycle before.
    while (!grow && m_cycle > 0 && length < m_repeated)
    {
        length += m_cycle;
        grow = GrowReserves(length);
    }
    if (!grow || !RepeatsTimers(length))
    {
        m_obstacle = m_cycle == 0 ? m_obstacle : grow ? Obstacle::TIMER : Obstacle::WINDOW;
        return std::nullopt;
    }
    m_obstacle = Obstacle::SHORT; // unless there is enough left
    const Stretch& before = m_stretches[index - length];
    Cycle cycle{now - before.end, totals, simulated - before.events, *grow};
    for (std::size_t i = 0; i < totals.size(); ++i)
    {
        cycle.growth[i] -= before.totals[i];
    }
    return cycle;
}

bool
CycleDetector::Stretch::IsLike(const Stretch& other) const
{
    return isWhole && other.isWhole && content == other.content &&
           StateRecord::AreEqual(objects, other.objects);
}

bool
CycleDetector::RepeatsTimers(std::size_t cycle) const
{
    const std::size_t start = m_stretches.size() - 1 - cycle;
    const auto getLength = [this](std::size_t i) {
        return m_stretches[i].end - m_stretches[i - 1].end;
    };
    const Time length = m_stretches.back().end - m_stretches[start].end;
    const auto& before = m_stretches[start].timerValues;
    const auto& last = m_stretches.back().timerValues;
    for (std::size_t j = 0; j < last.size(); ++j)
    {
        if (last[j].value == before[j].value)
        {
            continue;
        }
        bool runs = false;
        bool mayExpire = false; // before the next stretch is over
        for (std::size_t i = start; i < m_stretches.size(); ++i)
        {
            const StateRecord::ForTimer& timer = m_stretches[i].timerValues[j];
            const Time next = getLength(i + 1 < m_stretches.size() ? i + 1 : start + 1);
            runs = runs || length >= timer.sinceStart; // one that starts now tells it later
            mayExpire = mayExpire || next >= timer.leastLeft;
        }
        if (runs && mayExpire)
        {
            return false;
        }
    }
    return true;
}

std::optional<std::vector<bool>>
CycleDetector::GrowReserves(std::size_t cycle) const
{
    const Stretch& last = m_stretches.back();
    const Stretch& before = m_stretches[m_stretches.size() - 1 - cycle];
    std::vector<bool> grow;
    for (std::size_t i = 0; i < last.reserves.size(); ++i)
    {
        const auto& [amount, shorts, rest] = last.reserves[i];
        const StateRecord::Reserve& was = before.reserves[i];
        const bool grows = amount > was.amount || (amount == was.amount && rest != was.rest);
        if (amount < was.amount || (grows && shorts != was.shorts))
        {
            return std::nullopt;
        }
        grow.push_back(grows);
    }
    return grow;
}

void
CycleDetector::Reset()
{
    m_stretches.clear();
    m_lastLike.clear();
    m_outlines.clear();
    m_events.clear();
    m_kept = 0;
    m_cycle = 0;
    m_repeated = 0;
}

void
CycleDetector::GiveUp(Obstacle why)
{
    *this = CycleDetector(); // with no memory kept
    m_gaveUp = true;
    m_obstacle = why;
}

bool
CycleDetector::MayRepeat(const StateRecord& state)
{
    return !m_outlines.insert(Hash(state.values, Hash(m_events))).second;
}

std::size_t
CycleDetector::Hash(const std::vector<int64_t>& content, std::size_t before)
{
    uint64_t hash = before; // FNV-1a, a number at a time
    for (const int64_t value : content)
    {
        hash = (hash ^ static_cast<uint64_t>(value)) * 1099511628211U;
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace ns3::study
