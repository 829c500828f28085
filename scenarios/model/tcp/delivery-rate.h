/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DELIVERY_RATE_H
#define DELIVERY_RATE_H

#include "ns3/nstime.h"
#include "ns3/tcp-rate-ops.h"

#include <unordered_map>

namespace ns3::study
{

/**
 * @brief The rate at which data are delivered, as BBR measures it, with what was sent again.
 *
 * ns-3's takes the time at which a segment left from the transmit buffer, which notes that only for
 * segments copied from it; the scoreboard sends a lost one again without a walk through the buffer.
 * So the send phase of a sample would end, and that of the next begin, when it left for the first
 * time (draft-ietf-ccwg-bbr, 4.1: the *latest* transmission).
 */
class DeliveryRate : public TcpRateLinux
{
  public:
    static TypeId GetTypeId();

    void SkbSent(TcpTxItem* item, bool isStartOfTransmission) override;
    void SkbDelivered(TcpTxItem* item) override;

  private:
    Time m_firstSent;             //!< where the send phase of what leaves now begins
    uint64_t m_priorDelivered{0}; //!< delivered when what was delivered last had left [B]
    std::unordered_map<const TcpTxItem*, Time> m_again; //!< when what was sent again left
};

} // namespace ns3::study

#endif /* DELIVERY_RATE_H */
