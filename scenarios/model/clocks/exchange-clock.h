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

    /// State what a sender waits for from now on.
    void SenderWaitsFor(End end, Limit limit);
    /// State whether an end withholds an ACK from now on.
    void AckWithheld(End end, bool withheld);
    /// State whether an end's application is working from now on.
    void Working(End end, bool working);
    /// State whether a write of an end's application waits for the ACK of all from now on.
    void AwaitsAck(End end, bool awaits);
    /// State a change in the number of an end's frames between handing down and arrival.
    void Frames(End end, int change);
    /// State whether an end recovers what was lost from now on.
    void Recovering(End end, bool recovering);
    /// An end's delayed-ACK timer has expired, and its ACK is about to leave.
    void DelayedAckExpired(End end);
    /// @return how often the exchange has waited for an ACK until its timer expired
    uint32_t GetStalls() const;
    /// Add what decides the clock's course.
    void Describe(StateRecord& state) const;

  private:
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
