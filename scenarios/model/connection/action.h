/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ACTION_H
#define ACTION_H

#include "segment.h"

#include <cstdint>
#include <variant>
#include <vector>

namespace ns3::study::tcp
{

/// State of a connection (RFC 9293, 3.3.2).
enum class State : uint8_t
{
    CLOSED,
    LISTEN,
    SYN_SENT,
    SYN_RECEIVED,
    ESTABLISHED,
    CLOSE_WAIT,
    LAST_ACK,
    FIN_WAIT_1,
    FIN_WAIT_2,
    CLOSING,
    TIME_WAIT
};

/// Hand a segment to IP; its payload begins at its sequence number in the byte queue.
struct Send
{
    Segment segment;
    bool again{false}; //!< it holds data that were sent before

    bool operator==(const Send&) const = default;
};

/// Give the application so many more octets in sequence.
struct Deliver
{
    uint32_t octets; //!< [B]

    bool operator==(const Deliver&) const = default;
};

/// The peer has acknowledged everything before a number: take it off the byte queue.
struct Acknowledged
{
    Sequence next;   //!< SND.UNA
    uint32_t octets; //!< payload of it that is news [B]

    bool operator==(const Acknowledged&) const = default;
};

/// Tell the application of room in the send buffer.
struct TellRoom
{
    uint32_t octets; //!< [B]

    bool operator==(const TellRoom&) const = default;
};

/// The connection is in another state.
struct Enter
{
    State state;

    bool operator==(const Enter&) const = default;
};

/// Draw a random number and give it to Connection::TakeDraw().
struct WantDraw
{
    bool operator==(const WantDraw&) const = default;
};

/// What the application learns of a connection's beginning and end, once each.
enum class News : uint8_t
{
    CONNECTED,   //!< handshake complete
    FAILED,      //!< refused, or no answer to any SYN
    PEER_CLOSED, //!< peer's FIN, or this end's acknowledged: an end in order
    BROKEN       //!< reset by the peer, or no answer to any retransmission
};

/// Tell the application.
struct Tell
{
    News news;

    bool operator==(const Tell&) const = default;
};

/// What traces and clocks learn, and nobody acts upon.
enum class Fact : uint8_t
{
    RTT_SAMPLE,          //!< value: round-trip time [ns]
    DELAYED_ACK_EXPIRED, //!< the delayed-ACK timer; its ACK comes next
    TIMED_OUT,           //!< a retransmission timeout or tail loss probe is about to send
    PROGRESS,            //!< new data were acknowledged, or sent with nothing in flight
    WINDOW_PROBE         //!< a window probe was sent
};

/// Tell traces and clocks.
struct Note
{
    Fact fact;
    int64_t value{0};

    bool operator==(const Note&) const = default;
};

/// An ACK was taken in: the congestion control outside may decide.
struct Heard
{
    uint64_t number;    //!< all before this offset is acknowledged
    SackBlocks sack;    //!< and this
    uint32_t delivered; //!< octets that the peer is newly known to have [B]
    uint32_t lost;      //!< octets newly believed lost [B]
    uint32_t inFlight;  //!< octets in flight before [B]

    bool operator==(const Heard&) const = default;
};

/// What a connection asks its caller to do, in this order.
using Action =
    std::variant<Send, Deliver, Acknowledged, TellRoom, Enter, Tell, WantDraw, Note, Heard>;

/// Actions of one event. The caller empties and reuses it: no allocation for each segment.
using Actions = std::vector<Action>;

/// An event being handled: when, and what is to be done about it.
struct Step
{
    Nanos now;        //!< the instant
    Actions& actions; //!< what to do

    /// Add an action.
    template <typename T>
    void Do(const T& action) const
    {
        actions.push_back(action);
    }
};

/// What the congestion control outside has decided, where the settings leave it there.
struct Steer
{
    uint32_t window;        //!< congestion window [B]
    uint32_t threshold;     //!< slow start threshold [B]
    uint64_t bitsPerSecond; //!< pace beyond the initial window; 0 for none
};

} // namespace ns3::study::tcp

#endif /* ACTION_H */
