/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RENO_H
#define RENO_H

#include "growth-count.h"

#include "ns3/tcp-linux-reno.h"

namespace ns3::study
{

/**
 * @brief Reno (RFC 5681), as Linux has it.
 *
 * Instead of ns-3's TcpLinuxReno, which leaves half a segment over where half of an odd window is
 * left, and which goes on after a loss with what was acknowledged before it. Together they are
 * worth some three percent of a window of some tens. Half of the window is left, not of what is
 * outstanding (FlightSize; RFC 5681, equation 4), which is less where the application has paused.
 */
class Reno : public TcpLinuxReno
{
  public:
    static TypeId GetTypeId();

    std::string GetName() const override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    void CongestionStateSet(Ptr<TcpSocketState> tcb,
                            const TcpSocketState::TcpCongState_t newState) override;
    Ptr<TcpCongestionOps> Fork() override;

  protected:
    void CongestionAvoidance(Ptr<TcpSocketState> tcb, uint32_t segmentsAcked) override;

  private:
    GrowthCount m_count; //!< towards the next segment
};

} // namespace ns3::study

#endif /* RENO_H */
