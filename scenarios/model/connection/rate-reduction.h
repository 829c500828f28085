/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RATE_REDUCTION_H
#define RATE_REDUCTION_H

#include "congestion-state.h"

#include <algorithm>
#include <cstdint>

namespace ns3::study
{

/// Congestion window during a recovery: proportional rate reduction (RFC 9937, which replaces RFC
/// 6937). It is taken without the network: what is delivered and what is sent goes in.
class RateReduction
{
  public:
    /// A recovery begins.
    /// @param window the congestion window until now, which Linux takes for RecoverFS [B]
    void Begin(uint32_t window)
    {
        m_before = std::max(window, 1U);
        m_delivered = m_sent = 0;
    }

    /// An ACK has come.
    /// @param pipe what is in flight [B]
    /// @param delivered what the ACK reports as delivered [B]
    /// @param mayBeLoss true if it does not advance, or shows more losses
    /// @return the congestion window [B]
    uint32_t GetWindow(const CongestionState& state,
                       uint32_t pipe,
                       uint32_t delivered,
                       bool mayBeLoss)
    {
        m_delivered += delivered;
        const int64_t threshold = state.threshold;
        const auto sent = static_cast<int64_t>(m_sent);
        int64_t room = 0;
        if (pipe > threshold)
        {
            room = (m_delivered * threshold + m_before - 1) / m_before;
            room = (room + state.mss - 1) / state.mss * state.mss; // in packets, as Linux counts
            room -= sent;
        }
        else
        {
            room = std::max<int64_t>(static_cast<int64_t>(m_delivered) - sent, delivered);
            room = std::min(room + (mayBeLoss ? 0 : state.mss), threshold - pipe);
        }
        const int64_t least = m_sent == 0 ? state.mss : 0; // the fast retransmit
        return static_cast<uint32_t>(pipe + std::max(room, least));
    }

    /// Something was sent [B]
    void Sent(uint32_t octets)
    {
        m_sent += octets;
    }

    bool operator==(const RateReduction&) const = default;

  private:
    uint64_t m_before{1};    //!< RecoverFS [B]
    uint64_t m_delivered{0}; //!< prr_delivered: since then [B]
    uint64_t m_sent{0};      //!< prr_out: what was sent since then [B]
};

} // namespace ns3::study

#endif /* RATE_REDUCTION_H */
