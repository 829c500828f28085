/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_SETTINGS_H
#define CONNECTION_SETTINGS_H

#include "ack-policy.h"
#include "loss-recovery.h"
#include "nanos.h"
#include "send-rule.h"
#include "timer-clock.h"

#include <cstdint>
#include <optional>

namespace ns3::study::tcp
{

/// The largest window that 16 bits announce [B].
constexpr uint32_t LARGEST_UNSCALED = 65535;
/// Octets of timestamps in every segment, two to align them included (RFC 7323, App. A) [B].
constexpr uint32_t TIMESTAMPS_LENGTH = 12;
/// Largest segment where the peer's SYN names none (RFC 9293, 3.7.1) [B].
constexpr uint32_t DEFAULT_MSS = 536;

/// When a segment that wants an answer (data, FIN, reset, window probe) gets this end's attention.
/// Segments that only acknowledge never wait. Without bulk latency nothing waits.
struct Attention
{
    Nanos bulk{0};                //!< from the first segment that an ACK covers to that ACK
    Nanos perByte{0};             //!< more of it, for each byte covered
    Nanos spread{0};              //!< up to this much more of it, drawn uniformly
    Nanos interactive{0};         //!< for each segment of interactive traffic; 0 for no such kind
    uint32_t interactiveBytes{0}; //!< traffic is interactive up to so many since the answer [B]
    Nanos probe{0};               //!< from a window probe to its answer
    Nanos syn{0};                 //!< from a SYN to the SYN-ACK

    bool operator==(const Attention&) const = default;
};

/// All numbers of one end. A device and a host differ in nothing else.
struct ConnectionSettings
{
    // Offered in the SYN
    uint32_t mss{1460};                 //!< largest segment announced [B]
    bool mssFollowsPeer{false};         //!< announce the peer's if that is larger
    uint32_t window{32120};             //!< receive window [B]
    uint32_t firstWindow{0};            //!< window at the start, which grows; 0 for all of it [B]
    bool fixedBuffer{false};            //!< it grows to all of window but a segment, as in Linux
    std::optional<uint8_t> windowScale; //!< shift offered (RFC 7323, 2)
    bool sack{false};                   //!< offer SACK (RFC 2018)
    bool timestamps{false};             //!< offer timestamps (RFC 7323, 3)

    // Time that this end takes
    Nanos replyTime{0};        //!< from a segment's arrival to its handling
    Nanos segmentTime{0};      //!< between two segments sent back to back
    Attention attention;       //!< of segments that want an answer
    bool resetOnFinAck{false}; //!< reset instead of waiting for the peer's FIN

    // Timers
    TimerClock clock;             //!< by whose ticks they expire
    Nanos firstPersist{200ms};    //!< from a closed window to the first window probe
    Nanos longestPersist{60s};    //!< between two window probes
    Nanos overrideTimeout{500ms}; //!< longest wait for a larger window (RFC 1122, 4.2.3.4)
    Nanos timeWait{240s};         //!< 2 MSL
    uint32_t synRetries{6};       //!< SYNs sent before this end gives up
    uint32_t dataRetries{15};     //!< retransmission timeouts before it does (Linux tcp_retries2)

    // Sender
    LossRecovery::Settings recovery;
    uint32_t sendBuffer{65536};  //!< octets written and not acknowledged [B]
    bool countsMemory{false};    //!< it bounds the memory that these take, as in Linux
    bool bufferGrows{false};     //!< with the congestion window, where it counts memory
    uint32_t blockOverhead{832}; //!< memory of a block beyond its data [B]
    bool halvesSegments{false};  //!< no segment larger than half the largest window, as Linux
    bool nagle{true};            //!< Nagle's algorithm (RFC 896)
    bool minshall{false};        //!< with Minshall's change
    bool push{false};            //!< PSH ends a write and a burst
    SmallWindowRule smallWindow{SmallWindowRule::RFC1122};

    // Receiver
    AckPolicy::Settings acks;

    bool operator==(const ConnectionSettings&) const = default;
};

} // namespace ns3::study::tcp

#endif /* CONNECTION_SETTINGS_H */
