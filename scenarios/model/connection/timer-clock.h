/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMER_CLOCK_H
#define TIMER_CLOCK_H

#include "nanos.h"

#include <cstdint>

namespace ns3::study
{

/**
 * @brief Clock by whose ticks a host's timers expire.
 *
 * Without a wheel every tick is as good as the others. Linux's timer wheel (kernel/time/timer.c)
 * has a bucket for each of the next 63 ticks, then levels of 64 buckets, each level 8 times as
 * coarse as the one before; a timer expires one bucket after the one that it falls into, never
 * early.
 */
class TimerClock
{
  public:
    /// @param tick interval between two ticks
    /// @param wheel true for Linux's timer wheel
    explicit TimerClock(Nanos tick = 1ns, bool wheel = false);

    /// @return when a timer expires that starts now: at the last tick that is not too late, or in
    ///         the wheel as ToNextTick()
    Nanos ToTick(Nanos now, Nanos interval) const;
    /// @return when a timer expires that starts now and never expires early
    Nanos ToNextTick(Nanos now, Nanos interval) const;
    /// Double an interval, in the wheel by whole ticks.
    Nanos Double(Nanos interval) const;

    /// @return true for Linux's timer wheel
    bool HasWheel() const
    {
        return m_wheel;
    }

    /// @return the interval between two ticks
    Nanos GetTick() const
    {
        return m_tick;
    }

    /// Subtract from all instants, past ones and those to come: the ticks stay where they are.
    void Shift(Nanos time);

    /// Forget the ticks: any instant is one.
    void Forget()
    {
        *this = TimerClock();
    }

    /// @return the time between two instants at which a timer for this interval may expire
    Nanos GetBeat(Nanos interval) const;
    /// @return where in the tick of a timer for this interval an instant is
    Nanos GetPhase(Nanos now, Nanos interval) const;

    bool operator==(const TimerClock&) const = default;

  private:
    /// @return how many ticks an interval takes, rounded up
    int64_t GetTicks(Nanos interval) const;

    Nanos m_tick;     //!< interval between two ticks
    bool m_wheel;     //!< they are those of a timer wheel
    Nanos m_ahead{0}; //!< the clock's time, less the caller's
};

} // namespace ns3::study

#endif /* TIMER_CLOCK_H */
