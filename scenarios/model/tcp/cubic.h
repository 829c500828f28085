/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CUBIC_H
#define CUBIC_H

#include "hystart.h"
#include "model/proof/state-record.h"

#include "ns3/tcp-congestion-ops.h"

namespace ns3::study
{

/**
 * @brief CUBIC (RFC 9438) with HyStart, as Linux has it.
 *
 * Instead of ns-3's TcpCubic, whose HyStart waits for twice as long a train of ACKs, and which
 * counts in whole segments and whole ACKs what grows by parts of them. As in Linux, the
 * Reno-friendly window grows by 3 (1 - beta) / (1 + beta) segments a round trip for good, and a
 * window that never met a loss by at most one part in twenty.
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
    Ptr<TcpCongestionOps> Fork() override;

    /// Add what decides when slow start ends, if it has not yet.
    void DescribeSlowStart(StateRecord& state, Ptr<const TcpSocketState> tcb) const;

  private:
    /// Begin to count the time from this window on (RFC 9438, 4.2).
    void BeginEpoch(double window);
    /// @return by what part of a segment each segment acknowledged now lets the window grow
    double GetIncrease(double window) const;

    Hystart m_hystart;     //!< when slow start ends
    bool m_full{false};    //!< it has ended
    Time m_shortest;       //!< shortest round trip; 0 for none
    bool m_inEpoch{false}; //!< the time is counted
    Time m_epochStart;     //!< from here
    double m_k{0};         //!< until the window is back at the plateau [s]
    double m_plateau{0};   //!< where it grows least [segments]
    double m_lastMax{0};   //!< the window before the last loss, or less; 0 for none [segments]
    double m_reno{0};      //!< the window that Reno would have [segments]
    double m_grown{0};     //!< what the window has grown by and has not been given [segments]
};

} // namespace ns3::study

#endif /* CUBIC_H */
