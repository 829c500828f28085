/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "receiver-round-trip.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

constexpr int GAIN = 8; //!< a longer sample moves the estimate by an eighth

} // namespace

void
ReceiverRoundTrip::TakeEcho(uint32_t payload, uint32_t echo, Nanos passed, bool unread)
{
    if (echo == m_echo)
    {
        return;
    }
    m_echo = echo;
    if (payload < m_largest || passed <= 0ns)
    {
        return;
    }
    if (m_estimate == 0ns || passed < m_estimate)
    {
        m_estimate = passed;
    }
    else if (!unread)
    {
        m_estimate += (passed - m_estimate) / GAIN;
    }
}

void
ReceiverRoundTrip::TakeNext(uint32_t payload, uint64_t next, uint32_t window, Nanos now)
{
    m_largest = std::max(m_largest, payload);
    if (m_edge > 0 && next < m_edge)
    {
        return;
    }
    if (m_edge > 0)
    {
        const Nanos passed = std::max<Nanos>(now - m_since, 1us);
        m_estimate = m_estimate == 0ns ? passed : std::min(m_estimate, passed);
    }
    m_edge = next + window;
    m_since = now;
}

std::vector<int64_t>
ReceiverRoundTrip::Loosen(Nanos now, uint32_t stamp)
{
    const bool measures = m_since != Nanos::min();
    const std::vector<int64_t> apart{measures ? (now - m_since).count() : -1,
                                     static_cast<int64_t>(stamp - m_echo)};
    m_since = m_heard = Nanos::min();
    m_echo = stamp;
    return apart;
}

void
ReceiverRoundTrip::SkipTime(Nanos time)
{
    MoveBack(m_since, time);
    MoveBack(m_heard, time);
}

void
ReceiverRoundTrip::Shift(Nanos time, uint64_t octets, uint32_t echo)
{
    m_edge -= m_edge > 0 ? octets : 0;
    SkipTime(time);
    m_echo -= echo;
}

} // namespace ns3::study
