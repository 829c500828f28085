/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROPORTIONAL_RATE_REDUCTION_H
#define PROPORTIONAL_RATE_REDUCTION_H

#include "ns3/tcp-recovery-ops.h"

namespace ns3::study
{

/**
 * @brief How the congestion window shrinks during a recovery: proportional rate reduction (RFC
 * 9937, which replaces RFC 6937).
 *
 * Instead of ns-3's TcpPrrRecovery, which counts each duplicate ACK as a segment delivered beyond
 * those that SACK tells of, so with SACK it sends for each twice what it may, and which divides by
 * what was on its way when the loss was found instead of by all that was outstanding.
 */
class ProportionalRateReduction : public TcpRecoveryOps
{
  public:
    static TypeId GetTypeId();

    std::string GetName() const override;
    /// A recovery begins.
    /// @param outstanding what this and later ACKs will tell of as delivered, at most [B]
    /// @param delivered what this one does [B]
    void EnterRecovery(Ptr<TcpSocketState> tcb,
                       uint32_t dupAckCount,
                       uint32_t outstanding,
                       uint32_t delivered) override;
    /// Another ACK has come.
    /// @param delivered what it tells of as delivered [B]
    /// @param mayBeLoss true if it does not advance, or tells of more losses
    void DoRecovery(Ptr<TcpSocketState> tcb, uint32_t delivered, bool mayBeLoss) override;
    void ExitRecovery(Ptr<TcpSocketState> tcb) override;
    void UpdateBytesSent(uint32_t bytesSent) override;
    Ptr<TcpRecoveryOps> Fork() override;

  private:
    uint64_t m_outstanding{0}; //!< RecoverFS: what was outstanding when it began [B]
    uint64_t m_delivered{0};   //!< prr_delivered: of it, since then [B]
    uint64_t m_sent{0};        //!< prr_out: what was sent since then [B]
};

} // namespace ns3::study

#endif /* PROPORTIONAL_RATE_REDUCTION_H */
