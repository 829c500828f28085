/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CYCLE_DETECTOR_H
#define CYCLE_DETECTOR_H

#include "state-record.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ns3::study
{

/**
 * @brief Proves that a deterministic simulation repeats itself.
 *
 * The run is cut into stretches by marks. Of each stretch the detector keeps what happened in it
 * (event by event, with times), the state at its end, and how much each of the run's totals grew.
 * A stretch that equals an earlier one in all three, to the nanosecond, proves the cycle between
 * their ends, because the state decides all that follows. Where only a reserve is not as it was,
 * the cycle is as many of these as it takes until it is.
 */
class CycleDetector
{
  public:
    static constexpr std::size_t MOST_STRETCHES = 4096;     //!< without a cycle, give up
    static constexpr std::size_t MOST_IN_STRETCH = 1 << 20; //!< numbers noted: then, too
    static constexpr std::size_t MOST_NUMBERS = 1 << 24; //!< in all stretches, 128 MiB: then, too

    /// What repeats.
    struct Cycle
    {
        Time length;                    //!< how long it takes
        std::vector<int64_t> growth;    //!< by how much it makes each total grow
        uint64_t events;                //!< how many of the simulator's the last one was
        std::vector<bool> reserveGrows; //!< of each reserve, if it is not as it was: it has grown
    };

    /// Note what happens in the current stretch.
    /// @param event numbers that describe it, its time since the last mark among them
    void Note(std::initializer_list<int64_t> event);
    /**
     * @brief End a stretch.
     * @param now the instant
     * @param state all that decides what comes
     * @param totals counters that grow by the same in every cycle, always the same ones in order
     * @return the cycle that has just ended, if it is proven
     */
    std::optional<Cycle> Mark(Time now,
                              const StateRecord& state,
                              const std::vector<int64_t>& totals);
    /// Forget all stretches: what was until now is not part of a cycle.
    void Reset();
    /// Look no further.
    void GiveUp(Obstacle why);

    /// @return true if the detector looks no further
    bool HasGivenUp() const
    {
        return m_gaveUp;
    }

    /// @return true if the last stretch was as one before
    bool IsRepeating() const
    {
        return m_cycle > 0;
    }

    /// @param state with all but what is in flight
    /// @return true if a stretch with the same events ended in such a state; else the current one
    ///         ends no cycle, and its state need not be complete
    bool MayRepeat(const StateRecord& state);

    /// @return what last stood in the way of a proof
    Obstacle GetObstacle() const
    {
        return m_obstacle;
    }

  private:
    static constexpr std::size_t BASIS = 14695981039346656037U; //!< of FNV-1a

    /// What is known of the stretch before a mark.
    struct Stretch
    {
        /// @return true if all is equal but for timers and reserves
        bool IsLike(const Stretch& other) const;

        bool isWhole;                 //!< else it is like no other
        std::vector<int64_t> content; //!< events, state, growth
        std::vector<std::shared_ptr<const StateRecord::Value>> objects; //!< state, too
        std::vector<StateRecord::ForTimer> timerValues; //!< state that timers depend on
        std::vector<StateRecord::Reserve> reserves;     //!< state that has to suffice
        Time end;                                       //!< the mark
        std::vector<int64_t> totals;                    //!< at the mark
        uint64_t events;                                //!< of the simulator, up to the mark
    };

    /// @return a number that is equal for equal contents, and for equal numbers before them
    static std::size_t Hash(const std::vector<int64_t>& content, std::size_t before = BASIS);
    /// @return true if the timers of so many stretches, a cycle, will expire where they did, or not
    ///         at all as before
    bool RepeatsTimers(std::size_t cycle) const;

    /// @param cycle so many stretches are one
    /// @return whether each reserve has grown in the last cycle; nothing if one has shrunk, or grew
    ///         and was not enough in it
    std::optional<std::vector<bool>> GrowReserves(std::size_t cycle) const;

    std::vector<Stretch> m_stretches;                        //!< since the last Reset()
    std::unordered_map<std::size_t, std::size_t> m_lastLike; //!< latest stretch by hash
    std::unordered_set<std::size_t> m_outlines;              //!< hashes without what is in flight
    std::vector<int64_t> m_events;                           //!< of the current stretch
    std::size_t m_kept{0};                                   //!< numbers in all stretches
    std::size_t m_cycle{0};                                  //!< stretches in the supposed cycle
    std::size_t m_repeated{0};            //!< latest stretches that are as the one a cycle before
    bool m_gaveUp{false};                 //!< looks no further
    Obstacle m_obstacle{Obstacle::SHORT}; //!< to a proof
};

} // namespace ns3::study

#endif /* CYCLE_DETECTOR_H */
