/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATE_RECORD_H
#define STATE_RECORD_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @brief All that decides what the objects of a simulation will do from now on, as numbers.
 *
 * Two instants with equal records have equal futures: that is the proof behind CycleDetector. An
 * object therefore adds everything its next step can depend on: instants as time from now, sequence
 * numbers as distances from its own edges. Counters that only a result reads are no state. What
 * depends on random numbers, or has no cycle yet, says so instead.
 */
class StateRecord
{
  public:
    /**
     * @brief Add a number, flag or distance.
     * @param value its value
     */
    void Add(int64_t value);
    /**
     * @brief Add an instant that matters only while it is to come.
     * @param instant the instant
     */
    void AddInstant(Time instant);
    /**
     * @brief Add how long a timer has still to run.
     * @param timer the timer's event
     */
    void AddTimer(const EventId& timer);
    /**
     * @brief Add a number that decides nothing in a cycle shorter than some time.
     *
     * So is the state of a timer that is stopped in every cycle: it matters only if a cycle is as
     * long as the shortest time it can run.
     *
     * @param shortest from which length of a cycle on it matters
     * @param value its value
     */
    void AddForLongCycles(Time shortest, int64_t value);

    /// What happens depends on random numbers: no two instants have equal futures.
    void SetRandom();
    /// Something still grows or recovers: this instant is not in a cycle, later ones may be.
    void SetUnsettled();

    /// A number that matters in cycles of a length: the length and the number.
    using ForLongCycles = std::pair<Time, int64_t>;

    /**
     * @return what always matters
     */
    const std::vector<int64_t>& GetValues() const;
    /**
     * @return what matters in long cycles
     */
    const std::vector<ForLongCycles>& GetValuesForLongCycles() const;
    /**
     * @return true if random numbers decide
     */
    bool IsRandom() const;
    /**
     * @return false while something still grows or recovers
     */
    bool IsSettled() const;

  private:
    std::vector<int64_t> m_values;              //!< what always matters
    std::vector<ForLongCycles> m_forLongCycles; //!< what matters in long cycles
    bool m_random{false};                       //!< random numbers decide
    bool m_settled{true};                       //!< nothing grows or recovers
};

} // namespace ns3

#endif /* STATE_RECORD_H */
