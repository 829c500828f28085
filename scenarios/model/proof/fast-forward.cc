/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fast-forward.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <string>

namespace ns3::study
{

FastForward::FastForward(Time timeLimit, std::function<void(Time)> skipped)
    : m_timeLimit(timeLimit),
      m_skippedCallback(std::move(skipped))
{
}

const FastForward::Skipped&
FastForward::GetSkipped() const
{
    return m_skipped;
}

void
FastForward::CheckEnd(bool stalled)
{
    if (stalled)
    {
        Doubt();
    }
    if (!m_shorts.empty())
    {
        StateRecord state;
        Describe(state);
        DescribeInFlight(state);
        for (const auto& [place, shorts] : m_shorts)
        {
            m_inDoubt = m_inDoubt || state.reserves.at(place).shorts != shorts;
        }
    }
}

bool
FastForward::IsInDoubt() const
{
    return m_inDoubt;
}

void
FastForward::Note(std::initializer_list<int64_t> event)
{
    m_detector.Note(
        {static_cast<int64_t>(event.size()), (Simulator::Now() - m_lastMark).GetTimeStep()});
    m_detector.Note(event);
}

void
FastForward::EndStretch()
{
    if (!m_markDue && !m_detector.HasGivenUp())
    {
        m_markDue = true;
        Simulator::ScheduleNow([this]() { Mark(); });
    }
}

Obstacle
FastForward::GetObstacle() const
{
    return m_skipped.cycles > 0 ? Obstacle::NONE : m_detector.GetObstacle();
}

void
FastForward::AddObstacle(JsonObject& record, Obstacle why)
{
    static const std::map<Obstacle, std::string> words = {{Obstacle::NONE, ""},
                                                          {Obstacle::NOT_TRIED, "not-tried"},
                                                          {Obstacle::SHORT, "short"},
                                                          {Obstacle::LOSSES, "losses"},
                                                          {Obstacle::CHANCE, "chance"},
                                                          {Obstacle::QUEUE, "queue"},
                                                          {Obstacle::RECOVERY, "recovery"},
                                                          {Obstacle::WINDOW, "window"},
                                                          {Obstacle::TIMER, "timer"},
                                                          {Obstacle::IRREGULAR, "irregular"},
                                                          {Obstacle::DOUBT, "doubt"}};
    record.Add("full_because", words.at(why));
}

void
FastForward::DescribeInFlight(StateRecord& /*state*/) const
{
}

std::size_t
FastForward::CountInFlight() const
{
    return 0;
}

void
FastForward::Doubt()
{
    m_inDoubt = m_inDoubt || m_skipped.cycles > 0;
}

void
FastForward::Mark()
{
    m_markDue = false;
    m_lastMark = Simulator::Now();
    if (!HasMore())
    {
        m_detector.Reset(); // not for good: another part of the transfer may follow
        return;
    }
    StateRecord state;
    Describe(state);
    state.isWhole = CountInFlight() <= FEW_IN_FLIGHT || m_detector.MayRepeat(state);
    if (state.isWhole)
    {
        DescribeInFlight(state);
    }
    const auto cycle = m_detector.Mark(m_lastMark, state, GetTotals());
    if (!cycle)
    {
        return;
    }
    const Time left = m_timeLimit - m_lastMark - m_skipped.time;
    const uint64_t left_cycles = left.GetTimeStep() / cycle->length.GetTimeStep();
    const uint64_t count = std::min(CountLeft(*cycle), left_cycles);
    // One is left: whatever stops the cycles is that far away, and timers that are not as they were
    // have been started afresh by then, or have run out.
    if (count <= 1)
    {
        return;
    }
    const uint64_t taken = count - 1;
    m_skipped.cycles += taken;
    m_skipped.time += cycle->length * static_cast<int64_t>(taken);
    m_skipped.events += cycle->events * taken;
    for (std::size_t i = 0; i < cycle->reserveGrows.size(); ++i)
    {
        if (cycle->reserveGrows[i])
        {
            m_shorts.emplace(i, state.reserves[i].shorts); // the full run has more from here on
        }
    }
    Skip(*cycle, taken);
    m_skippedCallback(m_timeLimit - m_lastMark - m_skipped.time);
    m_detector.Reset();
}

void
FastForward::AddResults(JsonObject& record, const FastForward* fastForward)
{
    // What building a run costs, in events: valgrind counts 3 to 5 million instructions for it, and
    // 8,000 for an event.
    constexpr double fixed = 600;
    const Skipped skipped = fastForward ? fastForward->m_skipped : Skipped();
    const double simulated = fixed + static_cast<double>(Simulator::GetEventCount());
    record.Add("method", std::string(skipped.cycles > 0 ? "fast-forwarded" : "full"));
    record.Add("cycles_skipped", skipped.cycles);
    record.Add(
        "simulated_share",
        std::optional<double>(simulated / (simulated + static_cast<double>(skipped.events))));
}

void
FastForward::AddResultFields(std::vector<ResultField>& results)
{
    results.push_back(
        {"cycles_skipped", "1", "Cycles of the transfer taken off instead of being simulated"});
    results.push_back({"simulated_share",
                       "1",
                       "What was simulated, of all that a full run has to simulate, by its events; "
                       "a full run has 1"});
}

} // namespace ns3::study
