/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CUBIC_H
#define CUBIC_H

#include "growth-count.h"
#include "hystart.h"
#include "model/proof/state-record.h"

#include "ns3/tcp-congestion-ops.h"

namespace ns3::study
{

/**
 * @brief CUBIC (RFC 9438) with HyStart, as Linux has it.
 *
 * Instead of ns-3's TcpCubic, whose HyStart waits for twice as long a train of ACKs, and which
 * knows no window of Reno's. All is counted in whole segments, as in Linux: where the window is to
 * be in a round trip is rounded towards the plateau's, and how many segments acknowledged let it
 * grow by one is rounded down. So it is ahead of the curve by about a segment, and is back at the
 * plateau, where fast convergence ends, a second sooner: some percent of a window of some tens. The
 * Reno-friendly window grows by 3 (1 - beta) / (1 + beta) segments a round trip for good: that it
 * grows by one from where the last loss found it (alpha_cubic = 1, RFC 9438, 4.3) is not done, nor
 * in Linux. A window that never met a loss grows by at least one part in twenty a round trip.
 *
 * Other than in Linux, time in which the application leaves the window unused is no part of the
 * count either (RFC 9438, 4.2); Linux leaves out only that in which nothing is under way.
 */
class Cubic : public TcpCongestionOps
{
  public:
    static TypeId GetTypeId();

    std::string GetName() const override;
    void Init(Ptr<TcpSocketState> tcb) override;
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked, const Time& rtt) override;
    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    void CwndEvent(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCAEvent_t event) override;
    Ptr<TcpCongestionOps> Fork() override;

    /// Add what decides when slow start ends, if it has not yet.
    void DescribeSlowStart(StateRecord& state, Ptr<const TcpSocketState> tcb) const;

  private:
    /// Begin to count the time from this window on (RFC 9438, 4.2).
    void BeginEpoch(uint32_t window);
    /// Take the time in which the window was not used up out of the count (RFC 9438, 4.2, 5.8).
    void LeaveOutPause();
    /// See anew how many segments acknowledged let the window grow by one.
    void UpdatePace(uint32_t window, uint32_t acknowledged);
    /// @return where the window is to be in a round trip from now [segments]
    uint32_t GetTarget() const;

    Hystart m_hystart;         //!< when slow start ends
    bool m_full{false};        //!< it has ended
    Time m_shortest;           //!< shortest round trip; 0 for none
    bool m_inEpoch{false};     //!< the time is counted
    Time m_epochStart;         //!< from here
    Time m_lastUsed;           //!< last ACK that found the window used up
    bool m_paused{false};      //!< it has not been since
    double m_k{0};             //!< until the window is back at the plateau [s]
    uint32_t m_plateau{0};     //!< where it grows least [segments]
    uint32_t m_lastMax{0};     //!< the window before the last loss, or less; 0 for none [segments]
    uint32_t m_reno{0};        //!< the window that Reno would have [segments]
    uint64_t m_towardsReno{0}; //!< acknowledged since that grew [segments]
    uint32_t m_pace{0};        //!< so many acknowledged let the window grow by one [segments]
    GrowthCount m_growth;      //!< towards the window's next segment
    uint32_t m_pacedWindow{0}; //!< the window when the pace was last seen to [segments]
    Time m_pacedAt;            //!< and when that was
};

} // namespace ns3::study

#endif /* CUBIC_H */
