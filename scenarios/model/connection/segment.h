/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEGMENT_H
#define SEGMENT_H

#include "nanos.h"
#include "sequence.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace ns3::study::tcp
{

/// Flags of a segment, with the bits of its header (RFC 9293, 3.1).
enum Flag : uint8_t
{
    FIN = 1,
    SYN = 2,
    RST = 4,
    PSH = 8,
    ACK = 16
};

/// Octets that a receiver has beyond a hole (RFC 2018).
struct SackBlock
{
    Sequence begin; //!< first octet
    Sequence end;   //!< octet behind the last one

    constexpr bool operator==(const SackBlock&) const = default;
};

/// SACK blocks of one segment, the newest first.
struct SackBlocks
{
    static constexpr uint8_t MOST = 4; //!< blocks that fit into 40 octets of options

    std::array<SackBlock, MOST> blocks{};
    uint8_t count{0}; //!< blocks used

    constexpr bool operator==(const SackBlocks&) const = default;

    constexpr const SackBlock* begin() const
    {
        return blocks.data();
    }

    constexpr const SackBlock* end() const
    {
        return blocks.data() + count;
    }

    constexpr void Add(SackBlock block)
    {
        if (count < MOST)
        {
            blocks[count++] = block;
        }
    }
};

/// Timestamps of one segment (RFC 7323, 3).
struct Timestamps
{
    uint32_t value{0}; //!< sender's clock [ms]
    uint32_t echo{0};  //!< receiver's clock, echoed [ms]

    constexpr bool operator==(const Timestamps&) const = default;
};

/// A TCP segment: header, options and the length of its payload (RFC 9293, 3.1). The octets of the
/// payload stay with whoever carries the segment; ports and addresses, too.
struct Segment
{
    Sequence sequence;                  //!< of the first octet
    Sequence acknowledgment;            //!< next octet expected, with ACK
    uint8_t flags{0};                   //!< Flag
    uint16_t window{0};                 //!< as the header has it, not scaled
    uint32_t payload{0};                //!< [B]
    std::optional<uint16_t> mss;        //!< in a SYN: largest segment [B]
    std::optional<uint8_t> windowScale; //!< in a SYN: shift of later windows (RFC 7323, 2)
    bool sackPermitted{false};          //!< in a SYN (RFC 2018, 2)
    std::optional<Timestamps> timestamps;
    SackBlocks sack;

    bool operator==(const Segment&) const = default;

    /// Subtract from all numbers.
    /// @param time of the clock of timestamps
    /// @param octets of the sender's stream
    /// @param acknowledged octets of the other one
    constexpr void Shift(Nanos time, uint64_t octets, uint64_t acknowledged);

    /// @return true if one of these flags is set
    constexpr bool Has(uint8_t of) const
    {
        return (flags & of) != 0;
    }

    /// @return the number behind its last octet; SYN and FIN count one each
    constexpr Sequence End() const
    {
        return sequence + payload + (Has(SYN) ? 1 : 0) + (Has(FIN) ? 1 : 0);
    }
};

/// @return the clock of timestamps at an instant [ms]
constexpr uint32_t
ToTimestamp(Nanos now)
{
    return static_cast<uint32_t>(now / 1ms);
}

constexpr void
Segment::Shift(Nanos time, uint64_t octets, uint64_t acknowledged)
{
    const auto back = [](Sequence& number, uint64_t by) {
        number.number -= static_cast<uint32_t>(by);
    };
    back(sequence, octets);
    back(acknowledgment, acknowledged);
    for (uint8_t i = 0; i < sack.count; ++i)
    {
        back(sack.blocks[i].begin, acknowledged);
        back(sack.blocks[i].end, acknowledged);
    }
    if (timestamps)
    {
        timestamps->value -= ToTimestamp(time);
        timestamps->echo -= ToTimestamp(time);
    }
}

/// @return the round trip that timestamps show, at least a microsecond
constexpr Nanos
ToRoundTrip(const Timestamps& timestamps, Nanos now)
{
    return std::max<Nanos>((ToTimestamp(now) - timestamps.echo) * 1ms, 1us);
}

/// @return the reset of a connection that a segment was not meant for (RFC 9293, 3.10.7.1)
constexpr Segment
MakeReset(const Segment& segment)
{
    Segment reset;
    reset.flags = RST;
    if (segment.Has(ACK))
    {
        reset.sequence = segment.acknowledgment;
    }
    else
    {
        reset.flags |= ACK;
        reset.acknowledgment = segment.End();
    }
    return reset;
}

} // namespace ns3::study::tcp

#endif /* SEGMENT_H */
