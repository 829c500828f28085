/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DELAYED_ACK_POLICY_H
#define DELAYED_ACK_POLICY_H

#include "model/proof/state-record.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::study
{

/**
 * @brief When a host acknowledges data of the peer (RFC 1122, 4.2.3.2; RFC 5681, 4.2).
 *
 * Every n-th data segment, of whatever size, is acknowledged at once, and so are the first few of
 * a connection; the others when the host has something to send, or when a timer expires. The timer
 * is started by the first segment not yet acknowledged (one-shot), or beats all the time and finds
 * it waiting (heartbeat). n is TcpAckFrequency of Windows.
 */
struct DelayedAckPolicy
{
    /// What the timer runs from.
    enum Timer
    {
        ONE_SHOT, //!< from the first segment not yet acknowledged
        HEARTBEAT //!< freely: it expires at the multiples of its period
    };

    /// Take note of a data segment, while so many others wait for their ACK already.
    /// @return true if it is to be acknowledged at once
    bool AcknowledgesAtOnce(uint32_t waiting);
    /// @return how long the ACK of a segment that has just arrived may wait
    Time GetWait() const;
    /// Add what it will decide by.
    void Describe(StateRecord& state) const;

    Time timeout;          //!< the timer's time or period
    uint32_t frequency{2}; //!< n: every n-th segment is acknowledged at once
    Timer timer{ONE_SHOT}; //!< what the timer runs from
    uint32_t quickAcks{0}; //!< segments still to be acknowledged at once
};

} // namespace ns3::study

#endif /* DELAYED_ACK_POLICY_H */
