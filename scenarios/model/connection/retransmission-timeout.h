/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RETRANSMISSION_TIMEOUT_H
#define RETRANSMISSION_TIMEOUT_H

#include "nanos.h"
#include "timer-clock.h"

#include <cstdint>
#include <vector>

namespace ns3::study
{

/// Part of a retransmission timeout that its lower bound applies to.
enum class RtoBound
{
    WHOLE,    //!< all of it (RFC 6298, 2.4)
    VARIATION //!< what it adds to the smoothed round-trip time, as in Linux
};

/**
 * @brief Round-trip time estimate and retransmission timeout of RFC 6298.
 *
 * A timeout that has expired stays backed off until a segment that was sent once has been timed
 * (5.5 to 5.7, Karn's algorithm).
 */
class RetransmissionTimeout
{
  public:
    /// Numbers it goes by.
    struct Settings
    {
        Nanos initial{3s};               //!< first timeout of a SYN
        Nanos least{200ms};              //!< lower bound
        RtoBound bound{RtoBound::WHOLE}; //!< what that bounds
        TimerClock clock{};              //!< by whose ticks it doubles

        bool operator==(const Settings&) const = default;
    };

    explicit RetransmissionTimeout(const Settings& settings);

    /// A SYN is sent. @param attempt 0 for the first one
    void StartSyn(uint32_t attempt);
    /// The handshake is complete. @param resent true if the SYN was sent more than once
    void Connect(bool resent);
    /// A round-trip time is measured.
    void Measure(Nanos sample);
    /// Measure the samples of a cycle as often as it was skipped.
    void MeasureCycles(const std::vector<Nanos>& samples, uint64_t cycles);
    /// The timeout has expired: double it.
    void BackOff();

    /// @return the timeout
    Nanos Get() const
    {
        return m_timeout;
    }

    /// @return the timeout at least, whatever is measured from now on
    /// @param shortest round trip that is [ns]
    Nanos GetLeast(Nanos shortest) const;

    /// @return the smoothed round-trip time; 0 before one is measured
    Nanos GetSmoothed() const
    {
        return m_smoothed;
    }

    /// @return its variation
    Nanos GetVariation() const
    {
        return m_variation;
    }

    /// Forget what was measured.
    void Forget()
    {
        m_smoothed = m_variation = m_timeout = m_shortest = Nanos{0};
    }

    /// @return the least smoothed round-trip time; Nanos::max() before one is measured
    Nanos GetShortest() const
    {
        return m_shortest;
    }

    bool operator==(const RetransmissionTimeout&) const = default;

  private:
    /// Fold a sample into estimate and variation.
    void Smooth(Nanos sample);
    /// Compute the timeout from these.
    void Update();

    Settings m_settings;            //!< numbers it goes by
    Nanos m_smoothed{0};            //!< SRTT; 0 before a sample
    Nanos m_variation{0};           //!< RTTVAR
    Nanos m_timeout;                //!< RTO
    Nanos m_shortest{Nanos::max()}; //!< least estimate
    bool m_backedOff{false};        //!< expired, and no sample since
};

} // namespace ns3::study

#endif /* RETRANSMISSION_TIMEOUT_H */
