/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-header.h"

#include "ns3/tcp-option-rfc793.h"
#include "ns3/tcp-option-sack-permitted.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-option-winscale.h"

#include <array>
#include <span>

namespace ns3::study
{

namespace
{

constexpr uint32_t FIXED = 20; //!< octets before the options
constexpr uint32_t MOST = 60;  //!< octets of the longest header

/// Kinds of options (RFC 9293, 3.2; RFC 7323; RFC 2018).
enum Kind : uint8_t
{
    END,
    NOP,
    MSS,
    WINDOW_SCALE,
    SACK_PERMITTED,
    SACK,
    TIMESTAMPS = 8
};

uint16_t
Read16(std::span<const uint8_t> octets, std::size_t place)
{
    return static_cast<uint16_t>(octets[place] << 8 | octets[place + 1]);
}

uint32_t
Read32(std::span<const uint8_t> octets, std::size_t place)
{
    return uint32_t{Read16(octets, place)} << 16 | Read16(octets, place + 2);
}

/// Take in an option. @param octets kind, length and value
void
ReadOption(std::span<const uint8_t> octets, tcp::Segment& segment)
{
    const auto has = [&octets](Kind kind, std::size_t length) {
        return octets[0] == kind && octets.size() == length;
    };
    if (has(MSS, 4))
    {
        segment.mss = Read16(octets, 2);
    }
    else if (has(WINDOW_SCALE, 3))
    {
        segment.windowScale = octets[2];
    }
    else if (has(SACK_PERMITTED, 2))
    {
        segment.sackPermitted = true;
    }
    else if (has(TIMESTAMPS, 10))
    {
        segment.timestamps = {Read32(octets, 2), Read32(octets, 6)};
    }
    else if (octets[0] == SACK)
    {
        for (std::size_t i = 2; i + 8 <= octets.size(); i += 8)
        {
            segment.sack.Add({{Read32(octets, i)}, {Read32(octets, i + 4)}});
        }
    }
}

/// An option has no attributes. CreateObject() looks for them each time, which is a fiftieth of a
/// segment's instructions. @return a new option, copied from the first
template <typename Option>
Ptr<Option>
MakeOption()
{
    static const Ptr<const Option> first = CreateObject<Option>();
    return CopyObject(first);
}

} // namespace

std::optional<tcp::Segment>
ReadSegment(Ptr<const Packet> packet)
{
    std::array<uint8_t, MOST> buffer;
    const uint32_t copied = packet->CopyData(buffer.data(), MOST);
    const uint32_t length = copied < FIXED ? MOST + 1 : 4 * (buffer[12] >> 4);
    if (length < FIXED || length > copied)
    {
        return std::nullopt;
    }
    const std::span<const uint8_t> octets(buffer.data(), length);
    tcp::Segment segment;
    segment.sequence = {Read32(octets, 4)};
    segment.acknowledgment = {Read32(octets, 8)};
    segment.flags = octets[13];
    segment.window = Read16(octets, 14);
    segment.payload = packet->GetSize() - length;
    for (std::size_t i = FIXED; i < length && octets[i] != END;)
    {
        if (octets[i] == NOP)
        {
            ++i;
            continue;
        }
        const std::size_t size = i + 1 < length ? octets[i + 1] : 0;
        if (size < 2 || i + size > length)
        {
            break;
        }
        ReadOption(octets.subspan(i, size), segment);
        i += size;
    }
    return segment;
}

TcpHeader
MakeTcpHeader(const tcp::Segment& segment)
{
    TcpHeader header;
    header.SetFlags(segment.flags);
    header.SetSequenceNumber(SequenceNumber32(segment.sequence.number));
    header.SetAckNumber(SequenceNumber32(segment.acknowledgment.number));
    header.SetWindowSize(segment.window);
    const auto align = [&header](int octets) {
        for (; octets > 0; --octets)
        {
            header.AppendOption(MakeOption<TcpOptionNOP>());
        }
    };
    if (segment.mss)
    {
        const auto option = MakeOption<TcpOptionMSS>();
        option->SetMSS(*segment.mss);
        header.AppendOption(option);
        align(segment.sackPermitted == segment.timestamps.has_value() ? 0 : 2); // together: none
    }
    if (segment.sackPermitted)
    {
        header.AppendOption(MakeOption<TcpOptionSackPermitted>());
    }
    if (segment.timestamps)
    {
        const auto option = MakeOption<TcpOptionTS>();
        option->SetTimestamp(segment.timestamps->value);
        option->SetEcho(segment.timestamps->echo);
        header.AppendOption(option);
    }
    if (segment.windowScale)
    {
        align(1);
        const auto option = MakeOption<TcpOptionWinScale>();
        option->SetScale(*segment.windowScale);
        header.AppendOption(option);
    }
    if (segment.sack.count > 0)
    {
        const auto option = MakeOption<TcpOptionSack>();
        for (const auto& [begin, end] : segment.sack)
        {
            option->AddSackBlock({SequenceNumber32(begin.number), SequenceNumber32(end.number)});
        }
        header.AppendOption(option);
    }
    return header;
}

} // namespace ns3::study
