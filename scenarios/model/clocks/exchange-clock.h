/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCHANGE_CLOCK_H
#define EXCHANGE_CLOCK_H

#include "model/proof/state-record.h"
#include "share-clock.h"

#include <array>
#include <cstdint>

namespace ns3::study
{

/**
 * @brief Splits the time of an exchange by what it waited for.
 *
 * Two ends take turns, and the one that has data it may not send yet holds the exchange up: its
 * reason is charged, the client's first, as a reply waits for the whole command. If neither has,
 * an application is working (CLIENT_APPLICATION, SERVER_APPLICATION), or a frame is in flight
 * (LINK; on a path PATH_QUEUE, LINK or ROUND_TRIP, whichever comes first of those that hold), or a
 * host is at work (CPU).
 */
class ExchangeClock : public ShareClock
{
  public:
    /// One of the two ends.
    enum End
    {
        CLIENT,
        SERVER
    };

    /// What is known of an end.
    struct EndState
    {
        Limit limit{Limit::HANDSHAKE}; //!< what the sender waits for
        bool ackWithheld{false};       //!< it withholds an ACK
        bool working{false};           //!< its application is working
        bool awaitsAck{false};         //!< a write of it waits for the ACK of all
        bool recovering{false};        //!< it recovers what was lost
        int frames{0};                 //!< its frames not yet arrived
    };

    /// Charge the time up to here. @return what is known of an end, to be changed
    EndState& Change(End end)
    {
        Charge();
        return m_ends[end];
    }

    /// An end's delayed-ACK timer has expired, and its ACK is about to leave.
    void DelayedAckExpired(End end);
    /// @return how often the exchange has waited for an ACK until its timer expired
    uint32_t GetStalls() const;
    /// Add what decides the clock's course.
    void Describe(StateRecord& state) const;

  private:
    Limit GetHoldingLimit() const override;
    std::optional<std::size_t> GetHolder() const override;
    /// @return why an end has data it may not send yet
    Limit GetReason(const EndState& own, const EndState& peer) const;
    /// @return where a frame in flight is
    Limit GetPlace() const;
    /// @return true if an end has data that wait, or waits for what was lost
    bool IsHeld(const EndState& end) const;

    std::array<EndState, 2> m_ends; //!< by End
    uint32_t m_stalls{0};           //!< how often it has waited for an expiry
};

} // namespace ns3::study

#endif /* EXCHANGE_CLOCK_H */
