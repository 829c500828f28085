/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timer-clock.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

constexpr int64_t FIRST_LEVEL = 63;  //!< ticks up to which the wheel has a bucket for each
constexpr int64_t COARSER = 8;       //!< ratio of a level's buckets to those of the level before
constexpr int64_t COARSEST = 262144; //!< ticks between two buckets of the last level in use

/// @return the ticks between two buckets for a timer so many ticks ahead: no setting, none above an
/// hour, reaches the kernel's last level
int64_t
GetBucket(int64_t ahead)
{
    int64_t bucket = 1;
    for (int64_t level = FIRST_LEVEL; ahead >= level; level *= COARSER)
    {
        bucket *= COARSER;
    }
    return bucket;
}

} // namespace

TimerClock::TimerClock(Nanos tick, bool wheel)
    : m_tick(tick),
      m_wheel(wheel)
{
}

Nanos
TimerClock::ToTick(Nanos now, Nanos interval) const
{
    if (m_wheel)
    {
        return ToNextTick(now, interval);
    }
    return std::max((now + m_ahead + interval) / m_tick * m_tick - m_ahead, now + 1ns);
}

Nanos
TimerClock::ToNextTick(Nanos now, Nanos interval) const
{
    now += m_ahead;
    if (!m_wheel)
    {
        return (now + interval + m_tick - 1ns) / m_tick * m_tick - m_ahead;
    }
    const int64_t ahead = GetTicks(interval);
    const int64_t bucket = GetBucket(ahead);
    return ((now / m_tick + ahead) / bucket + 1) * bucket * m_tick - m_ahead;
}

Nanos
TimerClock::Double(Nanos interval) const
{
    return 2 * (m_wheel ? GetTicks(interval) * m_tick : interval);
}

Nanos
TimerClock::GetBeat(Nanos interval) const
{
    return m_tick * (m_wheel ? GetBucket(GetTicks(interval)) : 1);
}

Nanos
TimerClock::GetPhase(Nanos now, Nanos interval) const
{
    return (now + m_ahead) % GetBeat(interval);
}

void
TimerClock::Shift(Nanos time)
{
    m_ahead = (m_ahead + time) % (m_tick * (m_wheel ? COARSEST : 1));
}

int64_t
TimerClock::GetTicks(Nanos interval) const
{
    return (interval + m_tick - 1ns) / m_tick;
}

} // namespace ns3::study
