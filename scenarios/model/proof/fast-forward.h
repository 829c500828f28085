/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAST_FORWARD_H
#define FAST_FORWARD_H

#include "cycle-detector.h"
#include "model/program/json-object.h"
#include "model/program/parameter-set.h"
#include "model/program/scenario.h"
#include "state-record.h"

#include "ns3/nstime.h"
#include "ns3/rng-seed-manager.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <vector>

namespace ns3::study
{

/**
 * @brief Takes whole cycles off a transfer instead of simulating them, and loses nothing by it.
 *
 * It watches a transfer that is being simulated. Once CycleDetector has proven a cycle, what is
 * still to be transferred is shortened, at its untouched end, by as many cycles as fit, and the
 * simulation goes on from the state it is in: where the full run would be that many cycles later,
 * with the same left to do. So the end is simulated, whatever it holds. What the cycles taken off
 * would have added is added by who derives from this, and knows what the transfer is made of.
 */
class FastForward
{
  public:
    /// What was taken off.
    struct Skipped
    {
        uint64_t cycles{0}; //!< whole cycles
        Time time;          //!< their time
        uint64_t events{0}; //!< about so many of the simulator's
    };

    virtual ~FastForward() = default;
    FastForward(const FastForward&) = delete;
    FastForward& operator=(const FastForward&) = delete;

    /// @return what was taken off so far
    const Skipped& GetSkipped() const;
    /// The transfer has ended, and all that took part in it is still there: look for doubts.
    void CheckEnd(bool stalled);
    /// @return true if cycles were taken off and the full run might differ
    bool IsInDoubt() const;
    /// @return why none were
    Obstacle GetObstacle() const;
    /// Add to a record why a run was full: a word, or nothing where it was not.
    static void AddObstacle(JsonObject& record, Obstacle why);

    /// Add to a record how its numbers were found.
    /// @param fastForward what took cycles off; null in a full run
    static void AddResults(JsonObject& record, const FastForward* fastForward);
    /// Add what AddResults() tells to a scenario's results.
    static void AddResultFields(std::vector<ResultField>& results);

  protected:
    /// Watch a transfer that is ended at some instant. When cycles were taken off, skipped is
    /// called with the time left to that.
    FastForward(Time timeLimit, std::function<void(Time)> skipped);

    /// Note what happens, besides when.
    void Note(std::initializer_list<int64_t> event);
    /// Here one stretch ends and another begins, as soon as what happens now is done.
    void EndStretch();
    /// The full run may go another way from here on, if cycles were taken off.
    void Doubt();

    CycleDetector m_detector; //!< proves a cycle

  private:
    /// A state with more segments in flight is completed only where the rest of it repeats itself:
    /// a window that grows would else spend a third of a run's time on states like no other.
    static constexpr std::size_t FEW_IN_FLIGHT = 24;

    /// See whether a cycle ends here.
    void Mark();

    /// @return true if there may be something to take off: else nothing need be proven
    virtual bool HasMore() const = 0;
    /// Add all that decides the transfer's course, but for how much is left of it, and for what
    /// DescribeInFlight() adds.
    virtual void Describe(StateRecord& state) const = 0;
    /// Add the part of the state that grows with what is in flight.
    virtual void DescribeInFlight(StateRecord& state) const;
    /// @return how many segments that part is about
    virtual std::size_t CountInFlight() const;
    /// @return all that grows by the same in every cycle
    virtual std::vector<int64_t> GetTotals() const = 0;
    /// @return how many cycles there still are, whatever the time limit
    virtual uint64_t CountLeft(const CycleDetector::Cycle& cycle) const = 0;
    /// Take so many cycles off, and add what they would have added.
    virtual void Skip(const CycleDetector::Cycle& cycle, uint64_t count) = 0;

    Time m_timeLimit;                            //!< when the time limit ends the transfer
    std::function<void(Time)> m_skippedCallback; //!< whom to tell
    Skipped m_skipped;                           //!< taken off so far
    bool m_markDue{false};                       //!< Mark() is scheduled
    bool m_inDoubt{false};                       //!< the full run might differ
    /// How often a reserve was too small when it was first left behind, by its place.
    std::map<std::size_t, uint64_t> m_shorts;
    Time m_lastMark; //!< when Mark() last ran
};

/// Make a run of a scenario, and where its result is in doubt make it again in full.
template <class Run>
void
RunOnceOrInFull(const ParameterSet& parameters, const RunFiles& files, JsonObject& record)
{
    Run run(parameters, files);
    run.Run(record);
    const FastForward* const fastForward = run.GetFastForward();
    Obstacle why = fastForward ? fastForward->GetObstacle() : Obstacle::NOT_TRIED;
    if (fastForward && fastForward->IsInDoubt())
    {
        why = Obstacle::DOUBT;
        RunFiles inFull = files;
        inFull.fastForward = false;
        RngSeedManager::ResetNextStreamIndex(); // the same random numbers once more
        Run(parameters, inFull).Run(record);
    }
    FastForward::AddObstacle(record, why);
}

} // namespace ns3::study

#endif /* FAST_FORWARD_H */
