/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ack-policy.h"

#include "connection-settings.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

constexpr uint32_t TINY_QUICK = 2;      //!< Linux's quick ACKs before a window below two segments
constexpr uint32_t BSD_SEGMENTS = 2;    //!< segments that a BSD announces,
constexpr uint32_t BSD_PERCENTAGE = 35; //!< or this percentage of its buffer

} // namespace

AckPolicy::AckPolicy(const Settings& settings)
    : m_settings(settings),
      m_quickAcks(settings.quickAcks)
{
}

void
AckPolicy::Begin(uint32_t mss, uint64_t next, uint32_t window)
{
    m_mss = mss;
    m_lastAck = next;
    m_windowEdge = next + window;
}

void
AckPolicy::OnData(const Data& data, Nanos now)
{
    const bool small = data.payload < GetFullSegment();
    m_largest = std::max(m_largest, data.payload);
    m_endsBurst = data.pushed || data.payload < m_largest;
    m_lastData = now;
    ++m_segments;
    m_octets += data.payload;
    m_owed = true;
    m_atOnce = m_atOnce || !data.plain;
    if (IsAdaptive())
    {
        Adapt(data);
    }
    else if (m_quickAcks > 0)
    {
        --m_quickAcks;
        m_atOnce = true;
    }
    m_someEnded = m_someEnded || small || data.pushed;
    m_begun = true;
}

void
AckPolicy::Adapt(const Data& data)
{
    const uint32_t full = GetFullSegment();
    if (!m_begun)
    {
        const auto window = static_cast<uint32_t>(m_windowEdge - m_lastAck);
        const uint32_t half = window / (2 * full);
        m_quickAcks = std::min(m_quickAcks, half > 0 ? half : TINY_QUICK);
    }
    const bool second = data.payload < full && m_someEnded;
    if (m_octets > full || second)
    {
        m_atOnce = true;
    }
    else if (!m_interactive && data.grown)
    {
        m_atOnce = true; // and none of the quick ACKs is used up
    }
    else if (!m_interactive && m_quickAcks > 0)
    {
        --m_quickAcks;
        m_atOnce = true;
    }
}

void
AckPolicy::OnQuestion()
{
    m_owed = m_atOnce = true;
}

bool
AckPolicy::IsDue(const View& view) const
{
    if (!m_owed || m_atOnce)
    {
        return m_owed;
    }
    if (IsAdaptive())
    {
        const bool ends = m_someEnded && !m_interactive && !view.unread;
        return ends || EarnsUpdate(view);
    }
    const uint32_t frequency = m_settings.frequency;
    const uint64_t octets = view.next - m_lastAck;
    const bool byPush = m_settings.pushed && m_endsBurst && !view.unread;
    const bool byPart = m_settings.threshold > 0 &&
                        static_cast<double>(octets) >
                            m_settings.threshold * static_cast<double>(m_windowEdge - m_lastAck);
    const bool byNumber = m_settings.count == AckCount::SEGMENTS
                              ? m_segments >= frequency
                              : octets > uint64_t{frequency - 1} * GetFullSegment();
    const bool noRule = frequency == 0 && m_settings.threshold == 0;
    const bool byUpdate = m_settings.updates == WindowUpdate::BSD && EarnsUpdate(view);
    return byPush || byPart || (frequency > 0 && byNumber) || noRule || byUpdate;
}

void
AckPolicy::Withhold(Nanos now)
{
    if (m_due != Nanos::max())
    {
        return;
    }
    m_withheldAt = now;
    m_due = m_settings.timer == DelayedAck::ONE_SHOT
                ? m_settings.clock.ToNextTick(now, m_settings.timeout)
                : ((now + m_ahead) / m_settings.timeout + 1) * m_settings.timeout - m_ahead;
}

bool
AckPolicy::IsUpdateDue(const View& view) const
{
    // A delayed ACK would announce the same, and BSD and Linux wait for none.
    const bool hurries = m_settings.updates == WindowUpdate::BSD || IsAdaptive();
    const bool waits = m_owed && !hurries;
    return !waits && EarnsUpdate(view);
}

bool
AckPolicy::EarnsUpdate(const View& view) const
{
    const uint32_t opening = GetOpening(view);
    if (IsAdaptive())
    {
        return opening > 0 && opening >= GetLeft(view);
    }
    switch (m_settings.updates)
    {
    case WindowUpdate::RFC1122:
        return opening >= GetLeastOpening(view);
    case WindowUpdate::BSD:
        // Whole numbers, as BSD counts. 35 % of a buffer of one byte is no opening.
        return opening >= BSD_SEGMENTS * m_mss ||
               (opening > 0 && 100 * uint64_t{opening} / view.buffer >= BSD_PERCENTAGE);
    case WindowUpdate::FROM_ZERO:
        return opening > 0 && GetLeft(view) == 0;
    case WindowUpdate::EVERY_OPENING:
        break;
    }
    return opening > 0;
}

uint32_t
AckPolicy::GetWindow(const View& view) const
{
    return GetLeft(view) + GetOpening(view);
}

uint32_t
AckPolicy::GetLeft(const View& view) const
{
    return m_windowEdge > view.next ? static_cast<uint32_t>(m_windowEdge - view.next) : 0;
}

uint32_t
AckPolicy::GetOpening(const View& view) const
{
    const uint32_t left = GetLeft(view);
    const uint32_t opening = view.room - std::min(view.room, left);
    // Too little to speak of: the edge stays.
    const bool small = m_settings.sillyWindowAvoidance && opening < GetLeastOpening(view);
    return small ? 0 : opening;
}

uint32_t
AckPolicy::GetLeastOpening(const View& view) const
{
    return std::max(1U, std::min(m_mss, view.buffer / 2));
}

uint32_t
AckPolicy::GetFullSegment() const
{
    return std::max(m_largest, std::min(m_mss, tcp::DEFAULT_MSS));
}

void
AckPolicy::AckLeft(uint64_t next, uint32_t window)
{
    m_lastAck = next;
    m_windowEdge = next + window;
    m_segments = m_octets = 0;
    m_owed = m_atOnce = m_someEnded = false;
    m_due = Nanos::max();
}

void
AckPolicy::DataLeft(Nanos now)
{
    const bool answers = m_lastData != Nanos::min() && now - m_lastData < m_settings.timeout;
    m_interactive = m_interactive || answers;
    m_lastData = Nanos::min();
}

void
AckPolicy::Shift(Nanos time, uint64_t octets)
{
    m_lastAck -= octets; // of which differences alone count
    m_windowEdge -= octets;
    MoveBack(m_lastData, time);
    MoveBack(m_due, time);
    MoveBack(m_withheldAt, time);
    m_withheldAt = m_due == Nanos::max() ? Nanos::min() : m_withheldAt;
    if (m_interactive || m_lastData + m_settings.timeout <= 0ns)
    {
        m_lastData = Nanos::min(); // what leaves from now on answers nothing, or needs not to
    }
    SkipTime(time);
}

void
AckPolicy::SkipTime(Nanos time)
{
    const bool free = m_settings.timer == DelayedAck::FREE_RUNNING;
    m_ahead = free ? (m_ahead + time) % m_settings.timeout : 0ns;
    m_settings.clock.Shift(time);
}

} // namespace ns3::study
