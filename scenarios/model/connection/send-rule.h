/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEND_RULE_H
#define SEND_RULE_H

#include <cstdint>

namespace ns3::study
{

/// What a sender does with a window smaller than one MSS.
enum class SmallWindowRule : uint8_t
{
    RFC1122,       //!< uses it when it is at least half the largest window seen
    WHOLE_SEGMENT, //!< waits for a whole segment's room, as ns-3's own socket does
    NONE,          //!< fills whatever window there is: the silly window syndrome
    BURST          //!< also uses what is left of a window behind a whole segment, as Linux does
                   //!< since it hands segments down in bursts (GSO)
};

/// What the sender waits for.
enum class Wait : uint8_t
{
    HANDSHAKE,         //!< SYN or SYN-ACK
    APPLICATION,       //!< more to send
    CPU,               //!< this end builds a segment or handles one
    RECEIVE_WINDOW,    //!< peer's window, though its buffer is as empty as it ever was
    DRAIN,             //!< peer's buffer, which holds data
    CONGESTION_WINDOW, //!< ACKs of what is in flight
    SEND_BUFFER,       //!< room in the send buffer: the application has more
    NAGLE              //!< ACK of what Nagle's algorithm waits for
};

/// What a sender with a connection has, and what follows from its rules against the silly window
/// syndrome (RFC 1122, 4.2.3.4) and Nagle's (RFC 896).
struct SendRule
{
    SmallWindowRule rule;      //!< for windows below one MSS
    bool nagle;                //!< a small segment would wait under Nagle's algorithm
    bool inBurst;              //!< a whole segment left since the last one arrived
    bool overriding;           //!< the override timer has just expired
    bool retransmissionDue;    //!< something lost is to be sent again
    bool bufferFull;           //!< the application has no room to write
    uint32_t segment;          //!< the largest segment made [B]
    uint32_t unsent;           //!< written and never sent [B]
    uint32_t outstanding;      //!< sent and not acknowledged [B]
    uint32_t inFlight;         //!< sent and believed to be in flight [B]
    uint32_t window;           //!< the peer's [B]
    uint32_t largestWindow;    //!< the largest the peer has announced [B]
    uint32_t congestionWindow; //!< the sender's own [B]

    /// @return size of the next segment of new data; 0 for none now [B]
    uint32_t GetSize() const;
    /// @return true if a usable window below one MSS may be filled (RFC 1122, 4.2.3.4)
    bool MayFillSmallWindow() const;
    /// @return what the sender waits for
    Wait FindWait() const;

  private:
    /// @return the room the peer's window leaves beyond all that was sent [B]
    uint32_t GetUsableWindow() const;
    /// @return the room the congestion window leaves beyond what is in flight [B]
    uint32_t GetCongestionRoom() const;
};

} // namespace ns3::study

#endif /* SEND_RULE_H */
