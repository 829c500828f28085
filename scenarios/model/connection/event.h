/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EVENT_H
#define EVENT_H

#include "segment.h"

#include <cstdint>
#include <variant>

namespace ns3::study::tcp
{

/// The application connects (RFC 9293, 3.10.1, active OPEN).
struct Open
{
};

/// A segment has arrived. A new connection takes a SYN for a passive OPEN.
struct Arrive
{
    Segment segment;
};

/// The instant of Connection::GetDeadline() has come.
struct Expire
{
};

/// The application has written: the octets are in the byte queue (SEND).
struct Write
{
    uint32_t octets; //!< [B]
};

/// The application asks how much it may write; one that finds no room waits.
struct Ask
{
};

/// The application has read what was delivered (RECEIVE).
struct Read
{
    uint32_t octets; //!< [B]
};

/// The application turns Nagle's algorithm on or off.
struct SetNagle
{
    bool on;
};

/// The application writes nothing more (CLOSE). Octets that have come and that nobody reads reset
/// the connection (RFC 2525, 2.17).
struct Close
{
    bool readsOn{false}; //!< the application reads them, and what is to come
};

/// The application gives the connection up (ABORT).
struct Abort
{
};

/// The random number that WantDraw asked for.
struct Drawn
{
    double fraction; //!< from 0 to 1, uniformly
};

/// The congestion control outside, where the settings leave it there, has decided.
struct Steer
{
    uint32_t window;        //!< congestion window [B]
    uint32_t threshold;     //!< slow start threshold [B]
    uint64_t bitsPerSecond; //!< pace beyond the initial window; 0 for none
};

/// The caller has carried out all actions of the event before, and the application has reacted.
/// The caller gives this event until it brings no more actions: an ACK announces the window that
/// the application's reading leaves.
struct Resume
{
};

/// What happens to a connection.
using Event = std::
    variant<Open, Arrive, Expire, Ask, Write, Read, SetNagle, Close, Abort, Drawn, Steer, Resume>;

} // namespace ns3::study::tcp

#endif /* EVENT_H */
