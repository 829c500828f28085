/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STATE_RECORD_H
#define STATE_RECORD_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::study
{

/// Why no cycle was taken off a run.
enum class Obstacle
{
    NONE,      //!< cycles were taken off
    NOT_TRIED, //!< the run was to be simulated in full, or leaves a file, or has ns-3's own TCP
    SHORT,     //!< it was over before two cycles were left to take off
    LOSSES,    //!< the link loses packets
    CHANCE,    //!< something else is random
    QUEUE,     //!< a queue has a memory of its own (CoDel, FQ-CoDel, RED)
    RECOVERY,  //!< something was sent again
    WINDOW,    //!< a window or a store of tokens grew, and was too small at times
    TIMER,     //!< a timer's time was another in each cycle
    IRREGULAR, //!< nothing repeated itself for too long
    DOUBT      //!< what came behind the cycles taken off may have depended on them
};

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

    /// A value of any type that compares with ==.
    class Value
    {
      public:
        virtual ~Value() = default;
        /// @return true if the other is of the same type and equal
        virtual bool Equals(const Value& other) const = 0;
    };

    /// Add a value that says all about an object, with instants and offsets as seen from here.
    /// @param size how many numbers of eight octets it takes, about
    template <typename T>
    void AddValue(T value, std::size_t size)
    {
        class Held : public Value
        {
          public:
            explicit Held(T held)
                : m_held(std::move(held))
            {
            }

            bool Equals(const Value& other) const override
            {
                const auto* same = dynamic_cast<const Held*>(&other);
                return same && same->m_held == m_held;
            }

          private:
            T m_held; //!< the value
        };

        objects.push_back(std::make_shared<Held>(std::move(value)));
        sizeOfObjects += size;
    }

    /// @return true if both have as many values, equal in order
    static bool AreEqual(const std::vector<std::shared_ptr<const Value>>& one,
                         const std::vector<std::shared_ptr<const Value>>& other)
    {
        return std::equal(one.begin(),
                          one.end(),
                          other.begin(),
                          other.end(),
                          [](const auto& left, const auto& right) { return left->Equals(*right); });
    }

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
    void SetUnprovable(Obstacle why)
    {
        unprovable = why;
    }

    /// Something still begins or recovers: this instant is not in a cycle, later ones may be.
    void SetUnsettled(Obstacle why)
    {
        unsettled = why;
    }

    /// @return true if the state can be part of a cycle
    bool CanRepeat() const
    {
        return unprovable == Obstacle::NONE && unsettled == Obstacle::NONE;
    }

    bool isWhole{true};                                //!< false if it lacks what is in flight
    std::vector<int64_t> values;                       //!< what always matters
    std::vector<std::shared_ptr<const Value>> objects; //!< likewise
    std::size_t sizeOfObjects{0};                      //!< in numbers of eight octets
    std::vector<ForTimer> timerValues;                 //!< what decides only when timers expire
    std::vector<Reserve> reserves;                     //!< what only has to suffice
    Obstacle unprovable{Obstacle::NONE};               //!< why nothing can be proven
    Obstacle unsettled{Obstacle::NONE};                //!< why this instant is in no cycle
};

} // namespace ns3::study

#endif /* STATE_RECORD_H */
