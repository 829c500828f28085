/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How two values of a connection are compared that are a cycle apart.
 */

#include "connection.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::study
{

LooseState
LossRecovery::Loosen(Nanos now, Nanos shortest)
{
    const TimerClock& clock = m_settings.timeout.clock;
    const Nanos timeout = m_timeout.Get();
    const Nanos smoothed = m_timeout.GetSmoothed();
    const Nanos least = m_timeout.GetLeast(shortest);
    // What it was started with is what it runs with: each new ACK starts it afresh.
    const Nanos ran = IsWatching() ? std::max(timeout - (m_timerDue - now), 0ns) : 0ns;
    LooseState loose;
    loose.timers.push_back({least - ran,
                            0ns,
                            {smoothed.count(),
                             m_timeout.GetVariation().count(),
                             timeout.count(),
                             IsWatching() ? (m_timerTick - now).count() : -1,
                             clock.HasWheel() ? clock.GetPhase(now, timeout).count() : 0}});
    const bool probes = m_probeDue != Nanos::max();
    if (UsesRack())
    {
        // Each wait begins with the estimate, and ends at a tick, wherever that is.
        Nanos left = std::min(2 * shortest, least - ran - JUST_BEFORE);
        const Nanos longest = std::min(2 * smoothed + 1s, 2 * timeout); // ends at the timeout
        const Nanos rounding = clock.GetBeat(longest) + clock.GetTick();
        left =
            probes ? std::min(left, m_probeDue - now - 2 * (smoothed - shortest) - rounding) : left;
        loose.timers.push_back({left,
                                0ns,
                                {smoothed.count(),
                                 probes ? (m_probeDue - now).count() : -1,
                                 clock.GetPhase(now, 2 * smoothed).count()}});
    }
    // A pause counts only where it lowers the window, and no more once that is the initial one.
    const Nanos idle = now - std::exchange(m_lastSent, Nanos::min());
    const bool counts = m_segments.IsEmpty() && GetAfterIdle(Nanos::max()) < GetAfterIdle(idle);
    const Nanos left = counts ? least - idle : Nanos::max();
    loose.timers.push_back({counts ? 0ns : Nanos::max(), 0ns, {counts ? idle.count() : -1}});
    loose.timers.push_back({left, 0ns, {counts ? timeout.count() : -1}});
    m_timerDue = IsWatching() ? Nanos::min() : Nanos::max();
    m_timerTick = m_timerDue;
    m_probeDue = probes ? Nanos::min() : Nanos::max();
    m_timeout.Forget();
    m_settings.timeout.clock.Forget();
    loose.partOfSegment = std::exchange(m_partOfSegment, 0);
    return loose;
}

void
AckPolicy::Loosen(Nanos now, LooseState& loose)
{
    const bool free = m_settings.timer == DelayedAck::FREE_RUNNING;
    const bool runs = m_due != Nanos::max();
    const Nanos ran = runs ? now - m_withheldAt : 0ns;
    loose.timers.push_back({free ? 0ns : m_settings.timeout - ran,
                            m_withheldAt == Nanos::min() ? Nanos::max() : now - m_withheldAt,
                            {runs ? (m_due - now).count() : -1,
                             free ? ((now + m_ahead) % m_settings.timeout).count()
                                  : m_settings.clock.GetPhase(now, m_settings.timeout).count()}});
    m_due = runs ? m_withheldAt : Nanos::max();
    m_withheldAt = Nanos::min();
    m_ahead = 0ns;
    m_settings.timer = DelayedAck::ONE_SHOT; // which runs from no instant of its own
    m_settings.clock.Forget();
}

namespace tcp
{

void
Connection::Shift(Nanos time, uint64_t sent, uint64_t received)
{
    for (Nanos& due : m_timers)
    {
        MoveBack(due, time);
    }
    MoveBack(m_firstTimer, time);
    m_inbox.Shift(time, sent, received);
    m_receive.Shift(received);
    m_receiveWindow.Shift(time);
    m_roundTrip.Shift(time, received, m_timestamps ? ToTimestamp(time) : 0);
    m_roundTrip = m_receiveWindow.IsGrowing() ? m_roundTrip : ReceiverRoundTrip();
    m_acks.Shift(time, received);
    m_recovery.Shift(time, sent);
    m_settings.clock.Shift(time);

    m_smallEnd = std::max(m_smallEnd, m_acknowledged); // below it, it holds nothing
    for (uint64_t* offset : {&m_acknowledged, &m_written, &m_smallEnd})
    {
        MoveBack(*offset, sent);
    }
    MoveBack(m_highestSequence, received);
    m_echo -= m_timestamps ? ToTimestamp(time) : 0;

    MoveBack(m_busyUntil, time);
    if (m_busyUntil <= 0ns)
    {
        m_busyUntil = Nanos::min();
    }
    MoveBack(m_persistStarted, time);
    MoveBack(m_overrideStarted, time);
    m_persistStarted = IsSet(PERSIST) ? m_persistStarted : Nanos::min();
    m_overrideStarted = IsSet(OVERRIDE) ? m_overrideStarted : Nanos::min();
    m_persistInterval = IsSet(PERSIST) ? m_persistInterval : 0ns;
    MoveBack(m_synSent, time);
    m_firstStamp -= ToTimestamp(time);
    if (m_state >= State::ESTABLISHED)
    {
        m_synsLeft = m_firstStamp = 0;
        m_synSent = 0ns;
    }
}

uint32_t
Connection::CountFar() const
{
    const uint64_t near = uint64_t{m_largestWindow} + 2 * m_segment;
    return !MayWrite(1)
               ? 0
               : static_cast<uint32_t>(GetUnsent() - std::min<uint64_t>(near, GetUnsent()));
}

void
Connection::ForgetUnsent()
{
    m_written = std::max<uint64_t>(m_recovery.GetNext(), 1);
    m_memory = BufferMemory(); // by which nothing but a writer goes
}

void
Connection::TakeBack(uint32_t octets)
{
    m_written -= octets;
}

void
Connection::Skip(Nanos now, Nanos time, const std::vector<Nanos>& samples, uint64_t cycles)
{
    m_settings.clock.Shift(time);
    m_acks.SkipTime(time);
    m_recovery.SkipTime(time);
    m_recovery.m_timeout.MeasureCycles(samples, cycles);
    const bool hadData = m_roundTrip.GetQuiet(now) <= time / static_cast<int64_t>(cycles);
    if (!hadData)
    {
        m_roundTrip.SkipTime(time);
        m_receiveWindow.SkipTime(time);
    }
}

LooseState
Connection::Loosen(Nanos now, Nanos shortest, Nanos sinceResent)
{
    if (!IsOpen() || !m_recovery.IsSettled())
    {
        return {};
    }
    shortest = std::min(shortest, m_recovery.m_timeout.GetSmoothed());
    const auto pace = GetPace(shortest);
    const bool growsAlways = m_settings.recovery.growth == GrowthRule::NEWRENO;
    const bool larger = growsAlways && !pace.byWindow;
    const Nanos override = GetOverrideWait(m_recovery.m_timeout.GetLeast(shortest));
    LooseState loose = m_recovery.Loosen(now, shortest);
    m_acks.Loosen(now, loose);
    loose.timers.push_back(
        {0ns,
         pace.byEstimate ? 0ns : Nanos::max(),
         pace.byEstimate ? loose.timers.front().values : std::vector<int64_t>{0}});
    if (m_receiveWindow.IsGrowing())
    {
        // By what comes while data come.
        const Nanos quiet = m_roundTrip.GetQuiet(now);
        std::vector<int64_t> apart = m_roundTrip.Loosen(now, m_timestamps ? ToTimestamp(now) : 0);
        apart.push_back(m_receiveWindow.Loosen(now));
        loose.timers.push_back({0ns, quiet, std::move(apart)});
    }
    if (larger)
    {
        m_recovery.m_window.ForgetUse();
    }
    const TimerClock& clock = m_settings.clock;
    const auto loosen = [&](Timer timer, Nanos& started, Nanos interval) {
        const bool runs = IsSet(timer);
        loose.timers.push_back(
            {interval - clock.GetTick() - (runs ? now - started : 0ns),
             started == Nanos::min() ? Nanos::max() : now - started,
             {runs ? (m_timers[timer] - now).count() : -1, clock.GetPhase(now, interval).count()}});
        SetTimer(timer, runs ? started : Nanos::max());
        started = Nanos::min();
    };
    loosen(PERSIST, m_persistStarted, std::max(m_persistInterval, m_settings.firstPersist));
    loosen(OVERRIDE, m_overrideStarted, override);
    m_settings.clock.Forget();
    if (m_timestamps)
    {
        // They time what was sent again, in whole milliseconds.
        loose.timers.push_back({0ns, sinceResent, {(now % 1ms).count()}});
        m_echo = ToTimestamp(now);
        m_inbox.SetTimestamps({ToTimestamp(now), ToTimestamp(now)});
    }
    return loose;
}

Connection::Pace
Connection::GetPace(Nanos shortest) const
{
    const bool bursts = m_settings.smallWindow == SmallWindowRule::BURST;
    const bool counts = m_settings.countsMemory;
    if (!bursts && !counts)
    {
        return {false, false};
    }
    // The least that is ever let go together from now on, the most, and the most by any window.
    LinuxBlocks least = GetBlocks();
    least.roundTrip = Nanos::max();
    LinuxBlocks most = GetBlocks();
    most.congestion.threshold = std::numeric_limits<uint32_t>::max();
    most.roundTrip = most.shortest = shortest;
    LinuxBlocks unbounded = least;
    unbounded.shortest = 0ns;
    const bool burstVaries = counts && least.GetBurst() != most.GetBurst();
    const bool blockVaries = bursts && (least.GetBlock(false) != most.GetBlock(false) ||
                                        least.GetBlock(true) != most.GetBlock(true));
    const bool bound = !m_settings.bufferGrows || m_memory.GetBound() == m_settings.sendBuffer;
    const bool whole = least.GetBurst() == unbounded.GetBurst();
    const bool ample = most.congestion.window / 2 > m_largestWindow + 2 * m_segment;
    return {.byEstimate = burstVaries || blockVaries,
            .byWindow = (counts && !(whole && bound)) || (bursts && !ample)};
}

} // namespace tcp

} // namespace ns3::study
