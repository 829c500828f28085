/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATE_RECORD_H
#define STATE_RECORD_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
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
    /// Add a number, flag or distance.
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
     * @brief Add a number that decides only when a timer expires.
     *
     * It does not matter to a cycle of short steps, in each of which the timer is stopped or has
     * longer to run than the next one takes, nor to one in which the timer does not run at all.
     *
     * @param leastLeft how long the timer runs on at least, or runs if it is started now
     * @param sinceStart how long ago it was last started
     * @param value the number
     */
    void AddForTimer(Time leastLeft, Time sinceStart, int64_t value);

    /// What happens depends on random numbers, or on what nobody records: nothing can be proven.
    void SetUnprovable();
    /// Something still grows or recovers: this instant is not in a cycle, later ones may be.
    void SetUnsettled();

    /// A number that decides only when a timer expires.
    struct ForTimer
    {
        Time leastLeft;  //!< how long the timer runs on at least
        Time sinceStart; //!< how long ago it was last started
        int64_t value;   //!< the number
    };

    /// @return what always matters
    const std::vector<int64_t>& GetValues() const;
    /// @return what decides only when timers expire
    const std::vector<ForTimer>& GetTimerValues() const;
    /// @return true if nothing can be proven
    bool IsUnprovable() const;
    /// @return false while something still grows or recovers
    bool IsSettled() const;

  private:
    std::vector<int64_t> m_values;       //!< what always matters
    std::vector<ForTimer> m_timerValues; //!< what decides only when timers expire
    bool m_unprovable{false};            //!< nothing can be proven
    bool m_settled{true};                //!< nothing grows or recovers
};

} // namespace ns3

#endif /* STATE_RECORD_H */
