/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SENDER_VIEW_H
#define SENDER_VIEW_H

#include "model/clocks/limit-clock.h"

#include <cstdint>
#include <string>

namespace ns3::study
{

/// What a sender does with a window smaller than one MSS.
enum class SillyWindowAvoidance
{
    RFC1122,       //!< uses it when it is at least half the largest window seen
    WHOLE_SEGMENT, //!< waits for a whole segment's room, as ns-3's own socket does
    NONE,          //!< fills whatever window there is: the silly window syndrome
    BURST          //!< also uses what is left of a window behind a whole segment, as Linux does
                   //!< since it hands segments down in bursts (GSO)
};

/// What a sender with a connection sees at an instant, and what follows from it: whether a
/// small window may be used, and what the sender waits for.
struct SenderView
{
    SillyWindowAvoidance rule; //!< for windows below one MSS
    bool nagle;                //!< Nagle's algorithm is on
    bool building;             //!< the last segment is still being built
    bool inBurst;              //!< a whole segment left since the last one arrived
    bool overriding;           //!< the override timer has just expired
    bool retransmissionDue;    //!< something lost is to be sent again
    bool bufferFull;           //!< the application has no room to write
    uint32_t segment;          //!< the largest segment made [B]
    uint32_t unsent;           //!< written and never sent [B]
    uint32_t outstanding;      //!< sent and not acknowledged [B]
    uint32_t inFlight;         //!< sent and believed to be on its way [B]
    uint32_t window;           //!< the peer's [B]
    uint32_t largestWindow;    //!< the largest the peer has offered [B]
    uint32_t congestionWindow; //!< the sender's own [B]

    /// @return true if a usable window below one MSS may be filled (RFC 1122, 4.2.3.4)
    bool MayFillSmallWindow() const;
    /// @return what the sender waits for
    Limit FindLimit() const;
    /// @return one sentence on what the sender waits for, with the numbers that show it
    std::string DescribeWait() const;

  private:
    /// @return the room the peer's window leaves beyond all that was sent [B]
    uint32_t GetUsableWindow() const;
    /// @return the room the congestion window leaves beyond what is in flight [B]
    uint32_t GetCongestionRoom() const;
};

} // namespace ns3::study

#endif /* SENDER_VIEW_H */
