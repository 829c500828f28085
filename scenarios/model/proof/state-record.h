/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATE_RECORD_H
#define STATE_RECORD_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::study
{

/**
 * @brief All that decides what the objects of a simulation will do from now on, as numbers.
 *
 * Two instants with equal records have equal futures: that is the proof behind CycleDetector. An
 * object therefore adds everything its next step can depend on: instants as time from now, sequence
 * numbers as distances from its own edges. Counters that only a result reads are no state. What
 * depends on random numbers, or has no cycle yet, says so instead.
 */
struct StateRecord
{
    /// A number that decides only when a timer expires.
    struct ForTimer
    {
        Time leastLeft;  //!< how long the timer runs on at least, or runs if it is started now
        Time sinceStart; //!< how long ago it was last started
        int64_t value;   //!< the number
    };

    /// A store of which more changes nothing, as long as nothing was short of it.
    struct Reserve
    {
        double amount;   //!< what is there
        uint64_t shorts; //!< how often there was too little so far
        double rest;     //!< what has come in and will make it more
    };

    /// Add a number, flag or distance.
    void Add(int64_t value)
    {
        values.push_back(value);
    }

    /// Add an instant that matters only while it is to come.
    void AddInstant(Time instant)
    {
        Add(std::max(instant - Simulator::Now(), Time(0)).GetTimeStep());
    }

    /// Add how long a timer has still to run.
    void AddTimer(const EventId& timer)
    {
        Add(timer.IsPending() ? Simulator::GetDelayLeft(timer).GetTimeStep() : -1);
    }

    /// Add a number that decides only when a timer expires: see ForTimer.
    ///
    /// It does not matter to a cycle of short steps, in each of which the timer is stopped or has
    /// longer to run than the next one takes, nor to one in which the timer does not run at all.
    void AddForTimer(Time leastLeft, Time sinceStart, int64_t value)
    {
        timerValues.push_back({leastLeft, sinceStart, value});
    }

    /// Add a store: see Reserve. It is as before, to the last bit, or has grown and sufficed.
    void AddReserve(double amount, uint64_t shorts, double rest = 0)
    {
        reserves.push_back({amount, shorts, rest});
    }

    /// What happens depends on random numbers, or on what nobody records: nothing can be proven.
    void SetUnprovable()
    {
        unprovable = true;
    }

    /// Something still grows or recovers: this instant is not in a cycle, later ones may be.
    void SetUnsettled()
    {
        settled = false;
    }

    std::vector<int64_t> values;       //!< what always matters
    std::vector<ForTimer> timerValues; //!< what decides only when timers expire
    std::vector<Reserve> reserves;     //!< what only has to suffice
    bool unprovable{false};            //!< nothing can be proven
    bool settled{true};                //!< nothing grows or recovers
};

} // namespace ns3::study

#endif /* STATE_RECORD_H */
