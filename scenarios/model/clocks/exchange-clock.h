/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXCHANGE_CLOCK_H
#define EXCHANGE_CLOCK_H

#include "limit-clock.h"
#include "share-clock.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::study
{

/**
 * @brief What an exchange of commands and replies can be waiting for. At every instant of it
 * exactly one holds.
 */
enum class ExchangeLimit : uint8_t
{
    HANDSHAKE,          //!< the connection is not established yet
    CLIENT_APPLICATION, //!< the client's application is working
    SERVER_APPLICATION, //!< the server's application is working
    CPU,                //!< a host handles a segment or builds the next: none of the others holds
    LINK,               //!< a frame is on its way, or more than one of a sender's wait
    RECEIVE_WINDOW,     //!< data wait; the peer's window has no room
    CONGESTION_WINDOW,  //!< data wait; the congestion window has no room
    SEND_BUFFER,        //!< a full send buffer waits for an ACK
    NAGLE,              //!< a small segment waits for an ACK that is under way (RFC 896)
    DELAYED_ACK,        //!< any of the four before, while the peer keeps that ACK back
    RETRANSMISSION,     //!< from the last progress to a retransmission
    N_LIMITS
};

/**
 * @param limit a limit
 * @return its name in results, e.g. delayed_ack
 */
std::string LimitName(ExchangeLimit limit);

/**
 * @brief Splits the time of an exchange by what it waited for.
 *
 * Two ends take turns, and the one that has data it may not send yet holds the exchange up: its
 * reason is charged, the client's first, as a reply waits for the whole command. If neither has,
 * an application is working, or a frame is on its way, or a host is at work.
 */
class ExchangeClock : public ShareClock<ExchangeLimit>
{
  public:
    /// One of the two ends.
    enum End
    {
        CLIENT,
        SERVER
    };

    /**
     * @brief State what a sender waits for from now on.
     * @param end which
     * @param limit what for
     */
    void SenderWaitsFor(End end, Limit limit);
    /**
     * @brief State whether an end keeps back an ACK from now on.
     * @param end which
     * @param withheld true while it does
     */
    void AckWithheld(End end, bool withheld);
    /**
     * @brief State whether an application is working from now on.
     * @param end whose
     * @param working true while it is
     */
    void Working(End end, bool working);
    /**
     * @brief State how many frames are between handing down and arrival from now on.
     * @param end whose
     * @param change the change in their number
     */
    void Frames(End end, int change);
    /// An end's delayed-ACK timer has expired, and its ACK is about to leave.
    void DelayedAckExpired(End end);
    /// @return how often the exchange has waited for an ACK until its timer expired
    uint32_t GetStalls() const;

  private:
    /// What is known of an end.
    struct EndState
    {
        Limit limit{Limit::HANDSHAKE}; //!< what the sender waits for
        bool ackWithheld{false};       //!< it keeps back an ACK
        bool working{false};           //!< its application is working
        int frames{0};                 //!< its frames not yet arrived
    };

    ExchangeLimit GetHoldingLimit() const override;
    /**
     * @param own the end that has data it may not send yet
     * @param peer the other
     * @return why
     */
    static ExchangeLimit GetReason(const EndState& own, const EndState& peer);

    std::array<EndState, 2> m_ends; //!< by End
    uint32_t m_stalls{0};           //!< how often it has waited for an expiry
};

} // namespace ns3::study

#endif /* EXCHANGE_CLOCK_H */
