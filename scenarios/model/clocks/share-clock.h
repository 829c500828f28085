/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARE_CLOCK_H
#define SHARE_CLOCK_H

#include "model/program/json-object.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace ns3::study
{

/**
 * @brief Splits time by what was waited for; the parts add up to all of it.
 *
 * At every instant exactly one limit holds. When data are sent again, all that has passed since the
 * last progress was lost to that, whatever held meanwhile.
 *
 * @tparam L an enumeration that has RETRANSMISSION and ends with N_LIMITS; LimitName() names it
 */
template <typename L>
class ShareClock
{
  public:
    /// Begin to count.
    void Start()
    {
        m_running = true;
        m_start = m_last = Simulator::Now();
    }

    /// End the count.
    void Stop()
    {
        Charge();
        m_running = false;
    }

    /// New data were acknowledged: the time up to here is charged for good.
    void Progress()
    {
        Charge();
        for (std::size_t i = 0; i < m_charged.size(); ++i)
        {
            m_charged[i] += std::exchange(m_sinceProgress[i], Time());
        }
    }

    /// Data are sent again: the time since the last progress was lost to it.
    void RetransmissionTimeout()
    {
        Charge();
        Time lost;
        for (auto& share : m_sinceProgress)
        {
            lost += std::exchange(share, Time());
        }
        m_sinceProgress[Index(L::RETRANSMISSION)] = lost;
    }

    /// @return the time charged to a limit, up to the last change
    Time Get(L limit) const
    {
        return m_charged[Index(limit)] + m_sinceProgress[Index(limit)];
    }

    /// @return the times charged to these limits, in this order
    JsonObject ToJson(std::span<const L> limits) const
    {
        JsonObject json;
        for (const L limit : limits)
        {
            json.Add(LimitName(limit), Get(limit));
        }
        return json;
    }

    /// @return the time from Start() to Stop(), or to now
    Time GetTotal() const
    {
        return (m_running ? Simulator::Now() : m_last) - m_start;
    }

    /**
     * @brief Count time that was not simulated.
     * @param limit what it is charged to
     * @param time how much
     */
    void Skip(L limit, Time time)
    {
        m_charged[Index(limit)] += time;
        m_start -= time;
    }

  protected:
    ~ShareClock() = default;

    /// Charge the time since the last change to the limit that held: call it before any change.
    void Charge()
    {
        if (m_running)
        {
            m_sinceProgress[Index(GetHoldingLimit())] += GetUncharged();
            m_last = Simulator::Now();
        }
    }

    /// @return the time since the last charge
    Time GetUncharged() const
    {
        return Simulator::Now() - m_last;
    }

    /// @return true between Start() and Stop()
    bool IsRunning() const
    {
        return m_running;
    }

  private:
    /// @return what the time is charged to now
    virtual L GetHoldingLimit() const = 0;

    /// @return its place
    static std::size_t Index(L limit)
    {
        return static_cast<std::size_t>(limit);
    }

    using Shares = std::array<Time, static_cast<std::size_t>(L::N_LIMITS)>; //!< by limit
    Shares m_charged{};                                                     //!< for good
    Shares m_sinceProgress{}; //!< since the last progress
    bool m_running{false};    //!< between Start() and Stop()
    Time m_start;             //!< instant of Start()
    Time m_last;              //!< instant of the last charge
};

} // namespace ns3::study

#endif /* SHARE_CLOCK_H */
