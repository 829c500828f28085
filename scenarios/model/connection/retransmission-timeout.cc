/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "retransmission-timeout.h"

#include <algorithm>
#include <utility>

namespace ns3::study
{

namespace
{

constexpr Nanos GRANULARITY = 1ms;   //!< RFC 6298, 2.3: least of what the variation adds
constexpr Nanos LONGEST = 60s;       //!< RFC 6298, 2.5: at least that
constexpr Nanos AFTER_LOST_SYN = 3s; //!< RFC 6298, 5.7, until a segment has been timed

} // namespace

RetransmissionTimeout::RetransmissionTimeout(const Settings& settings)
    : m_settings(settings),
      m_timeout(settings.initial)
{
}

void
RetransmissionTimeout::StartSyn(uint32_t attempt)
{
    const Nanos doubled = m_settings.initial * (int64_t{1} << attempt);
    m_timeout = std::max(m_settings.initial, std::min(doubled, LONGEST));
    m_backedOff = attempt > 0;
}

void
RetransmissionTimeout::Connect(bool resent)
{
    m_backedOff = resent && m_smoothed == 0ns; // a timestamp may have timed it
    if (m_backedOff)
    {
        m_timeout = std::max({AFTER_LOST_SYN, m_settings.initial, m_settings.least});
    }
}

void
RetransmissionTimeout::Measure(Nanos sample)
{
    m_backedOff = false;
    Smooth(sample);
    m_shortest = std::min(m_shortest, m_smoothed);
    Update();
}

void
RetransmissionTimeout::MeasureCycles(const std::vector<Nanos>& samples, uint64_t cycles)
{
    const auto before = std::pair(m_smoothed, m_variation);
    for (auto last = before; cycles > 0; --cycles)
    {
        for (const Nanos sample : samples)
        {
            Smooth(sample);
        }
        if (std::pair(m_smoothed, m_variation) == last)
        {
            break; // and so in all that are left
        }
        last = {m_smoothed, m_variation};
    }
    if (std::pair(m_smoothed, m_variation) != before) // or else it may be backed off
    {
        Update();
    }
}

void
RetransmissionTimeout::Smooth(Nanos sample)
{
    if (m_smoothed == 0ns)
    {
        m_smoothed = sample;
        m_variation = sample / 2;
        return;
    }
    // RFC 6298, 2.3, with gains of 1/8 and 1/4 in whole nanoseconds, rounded down.
    const int64_t error = (sample - m_smoothed).count();
    const int64_t spread = (error < 0 ? -error : error) - m_variation.count();
    m_smoothed = Nanos(((m_smoothed.count() << 3) + error) >> 3);
    m_variation = Nanos(((m_variation.count() << 2) + spread) >> 2);
}

void
RetransmissionTimeout::Update()
{
    const Nanos variation = std::max(4 * m_variation, GRANULARITY);
    m_timeout = m_settings.bound == RtoBound::WHOLE
                    ? std::max(m_smoothed + variation, m_settings.least)
                    : m_smoothed + std::max(variation, m_settings.least);
}

Nanos
RetransmissionTimeout::GetLeast(Nanos shortest) const
{
    return m_settings.bound == RtoBound::WHOLE ? std::max(shortest + GRANULARITY, m_settings.least)
                                               : shortest + std::max(GRANULARITY, m_settings.least);
}

void
RetransmissionTimeout::BackOff()
{
    m_backedOff = true;
    m_timeout = std::max(m_timeout, std::min(m_settings.clock.Double(m_timeout), LONGEST));
}

} // namespace ns3::study
