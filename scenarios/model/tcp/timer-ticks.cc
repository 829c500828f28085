/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * When the timers of CorrectedTcpSocket expire that go by ticks of the clock: at the last one that
 * is not too late, at the first that is not too early, or as in Linux's timer wheel
 * (kernel/time/timer.c), whose later buckets are the coarser the later they are.
 */

#include "corrected-tcp-socket.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("TimerTicks");

namespace
{

constexpr int64_t FIRST_LEVEL = 63; //!< ticks up to which the wheel has a bucket for each
constexpr int64_t COARSER = 8;      //!< how much coarser each level is than the one before

const Time LEAST_TICK = MilliSeconds(1); //!< CONFIG_HZ is at most 1000

/// @return the ticks between two buckets, for what is so many ticks ahead: no attribute here, none
/// above an hour, reaches the kernel's last level
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

Time
CorrectedTcpSocket::ToTick(Time interval) const
{
    if (m_timerWheel)
    {
        return ToNextTick(interval);
    }
    const int64_t tick = m_timerTick.GetTimeStep();
    const int64_t due = (GetClock() + interval).GetTimeStep() / tick * tick;
    return std::max(TimeStep(due) - GetClock(), TimeStep(1));
}

Time
CorrectedTcpSocket::ToNextTick(Time interval) const
{
    return GetTickEnd(GetClock(), interval) - GetClock();
}

Time
CorrectedTcpSocket::GetTickEnd(Time start, Time interval) const
{
    const int64_t tick = m_timerTick.GetTimeStep();
    if (!m_timerWheel)
    {
        return TimeStep(((start + interval).GetTimeStep() + tick - 1) / tick * tick);
    }
    const int64_t ahead = GetTicks(interval);
    const int64_t bucket = GetBucket(ahead);
    // Never early: one bucket more than where it falls.
    const int64_t due = start.GetTimeStep() / tick + ahead;
    return TimeStep((due / bucket + 1) * bucket * tick);
}

int64_t
CorrectedTcpSocket::GetTicks(Time interval) const
{
    const int64_t tick = m_timerTick.GetTimeStep();
    return (interval.GetTimeStep() + tick - 1) / tick;
}

Time
CorrectedTcpSocket::StartTicking(Time interval)
{
    NoteTicks(interval);
    return ToTick(interval);
}

void
CorrectedTcpSocket::NoteTicks(Time interval)
{
    if (m_timerWheel)
    {
        m_coarsest = std::max(m_coarsest, GetBucket(GetTicks(interval)));
    }
}

bool
CorrectedTcpSocket::WaitForTick()
{
    if (!m_timerWheel)
    {
        return false;
    }
    NoteTicks(m_rto);
    const Time rest = GetTickEnd(GetClock() - m_rto, m_rto) - GetClock();
    NS_LOG_LOGIC("timeout in another " << rest.As(Time::MS));
    m_retxEvent = Simulator::Schedule(rest, &CorrectedTcpSocket::TickTimeout, this);
    return true;
}

void
CorrectedTcpSocket::TickTimeout()
{
    if (IsProbeDue() && m_probeDue >= Simulator::Now()) // it goes first
    {
        m_retxEvent = Simulator::Schedule(m_probeDue - Simulator::Now() + TimeStep(1),
                                          &CorrectedTcpSocket::TickTimeout,
                                          this);
        return;
    }
    RetransmissionTimeout();
}

void
CorrectedTcpSocket::BackOff()
{
    // Not before: a pure ACK that leaves meanwhile has the parent compute the timeout anew.
    const Time rto = m_timerWheel ? GetTicks(m_rto) * m_timerTick : m_rto.Get();
    m_rto = std::min(rto + rto, Time(Minutes(1)));
}

Time
CorrectedTcpSocket::GetClock() const
{
    return Simulator::Now() + m_skipped;
}

int64_t
CorrectedTcpSocket::GetTickPhase() const
{
    // Beats are powers of 8, so that no two of them have a value in common.
    const int64_t beat = m_coarsest * m_timerTick.GetTimeStep();
    return beat + GetClock().GetTimeStep() % beat;
}

Time
CorrectedTcpSocket::GetMostRounding() const
{
    return m_timerWheel ? (m_coarsest + 1) * m_timerTick : m_timerTick;
}

void
CorrectedTcpSocket::DescribeTickTimer(StateRecord& state,
                                      const EventId& timer,
                                      Time started,
                                      Time interval) const
{
    const bool runs = timer.IsPending();
    const Time sinceStart = Simulator::Now() - started;
    const Time leastLeft = interval - m_timerTick - (runs ? sinceStart : Time(0));
    state.Add(runs ? sinceStart.GetTimeStep() : -1);
    state.AddForTimer(leastLeft, sinceStart, GetTickPhase());
    state.AddForTimer(leastLeft,
                      sinceStart,
                      runs ? Simulator::GetDelayLeft(timer).GetTimeStep() : -1);
}

void
CheckTimerWheels(const ParameterSet& parameters)
{
    std::map<std::string, const Parameter*> ticks; // of each end
    for (const Parameter& each : parameters.GetParameters())
    {
        if (each.attribute == "TimerTick")
        {
            ticks[each.group] = &each;
        }
    }
    for (const Parameter& each : parameters.GetParameters())
    {
        if (each.attribute != "TimerWheel" || parameters.GetText(each) == "false")
        {
            continue;
        }
        const Parameter& tick = *ticks.at(each.group);
        const auto value = parameters.GetValue(tick);
        if (dynamic_cast<const TimeValue&>(*value).Get() < LEAST_TICK)
        {
            throw ParameterError(tick.flag,
                                 "'" + parameters.GetText(tick) +
                                     "' is no tick of Linux's timer "
                                     "wheel: give 1ms to 1s, or " +
                                     each.flag + "=false");
        }
    }
}

} // namespace ns3::study
