/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-mill.h"

namespace ns3::study
{

namespace
{

constexpr std::size_t MOST_LEARNED = 200; // frames
constexpr uint32_t PORTS = 50;            // of the stranger, from this one on
constexpr uint32_t FIRST_PORT = 40000;
constexpr std::array<uint8_t, 6> STRANGER{2, 0, 0, 0, 0, 77};

bool
IsIpv4(const Frame& frame)
{
    return frame.size() >= TRANSPORT_AT && ReadNumber(frame, 12) == 0x0800;
}

bool
IsTcp(const Frame& frame)
{
    return IsIpv4(frame) && frame.size() >= TRANSPORT_AT + 20 && frame[IP_AT + 9] == 6;
}

/// @return four octets of a frame
std::array<uint8_t, 4>
ReadFour(const Frame& frame, std::size_t at)
{
    return {frame[at], frame[at + 1], frame[at + 2], frame[at + 3]};
}

template <typename Octets>
void
Put(Frame& frame, std::size_t at, const Octets& octets)
{
    std::copy(octets.begin(), octets.end(), frame.begin() + static_cast<int>(at));
}

} // namespace

FrameMill::FrameMill(uint64_t seed, std::array<uint8_t, 3> network)
    : m_random(seed),
      m_address{network[0], network[1], network[2], 77},
      m_learned{
          MakeFrame(1, {8, 0, 0, 0, 0, 1, 0, 1, 'p', 'i', 'n', 'g'}),
          MakeFrame(17, {0, 1, 0, 2, 0, 12, 0, 0, 'p', 'i', 'n', 'g'}),
          MakeFrame(1, {3, 1, 0,  0, 0, 0, 0,  0, 0x45, 0,  0,    40,   0,    7,    0, 0, 64, 6,
                        0, 0, 10, 0, 0, 2, 10, 0, 0,    77, 0x23, 0x8c, 0x12, 0x67, 0, 0, 0,  1}),
          MakeSyn({2, 4, 5, 180, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 7})}
{
}

uint32_t
FrameMill::Draw(uint32_t below)
{
    return static_cast<uint32_t>(m_random() % below);
}

void
FrameMill::Learn(const Frame& frame)
{
    if (m_learned.size() < MOST_LEARNED)
    {
        m_learned.push_back(frame);
    }
    else
    {
        m_learned[Draw(MOST_LEARNED)] = frame;
    }
}

void
FrameMill::Hear(const Frame& frame)
{
    if (!IsTcp(frame) || ReadFour(frame, IP_AT + 16) != m_address)
    {
        return;
    }
    const std::size_t header = (frame[TRANSPORT_AT + 12] >> 4) * std::size_t{4};
    const auto sequence = ReadFour(frame, TRANSPORT_AT + 4);
    const uint8_t flags = frame[TRANSPORT_AT + 13];
    uint32_t behind = ReadNumber(frame, 16) - 20 - static_cast<uint32_t>(header);
    behind += (flags & 1) + (flags >> 1 & 1); // FIN and SYN
    for (const uint8_t octet : {0, 1, 2, 3})
    {
        behind += uint32_t{sequence[octet]} << (24 - 8 * octet);
    }
    m_standings[ReadNumber(frame, TRANSPORT_AT + 2)] = {ReadFour(frame, TRANSPORT_AT + 8),
                                                        {static_cast<uint8_t>(behind >> 24),
                                                         static_cast<uint8_t>(behind >> 16),
                                                         static_cast<uint8_t>(behind >> 8),
                                                         static_cast<uint8_t>(behind)}};
}

Frame
FrameMill::Answer(const Frame& request) const
{
    if (request.size() < 42 || ReadNumber(request, 12) != 0x0806 || request[21] != 1 ||
        ReadFour(request, 38) != m_address)
    {
        return {};
    }
    Frame answer = request;
    std::copy_n(request.begin() + 6, 6, answer.begin());        // to who has asked
    std::copy_n(request.begin() + 22, 10, answer.begin() + 32); // its two addresses
    answer[21] = 2;
    Put(answer, 6, STRANGER);
    Put(answer, 22, STRANGER);
    Put(answer, 28, m_address);
    return answer;
}

Frame
FrameMill::Make()
{
    Frame frame = m_learned[Draw(static_cast<uint32_t>(m_learned.size()))];
    Claim(frame);
    for (uint32_t changes = Draw(4); changes > 0; --changes)
    {
        Change(frame);
    }
    if (frame.size() >= 42)
    {
        // Whatever was changed: not the host.
        Put(frame, 6, STRANGER);
        if (ReadNumber(frame, 12) == 0x0806)
        {
            Put(frame, 28, m_address);
        }
        else if (frame[IP_AT + 12] == m_address[0] && Draw(20) > 0)
        {
            Put(frame, IP_AT + 12, m_address);
        }
    }
    if (Draw(8) > 0)
    {
        Seal(frame);
    }
    return frame;
}

void
FrameMill::Claim(Frame& frame)
{
    if (!IsTcp(frame))
    {
        return;
    }
    const uint32_t port = FIRST_PORT + Draw(PORTS);
    WriteNumber(frame, TRANSPORT_AT, port);
    const auto found = m_standings.find(port);
    if (found != m_standings.end() && Draw(4) > 0)
    {
        Put(frame, TRANSPORT_AT + 4, found->second.next);
        Put(frame, TRANSPORT_AT + 8, found->second.behind);
    }
}

void
FrameMill::Change(Frame& frame)
{
    constexpr std::array<uint8_t, 10> odd{0, 1, 4, 5, 15, 0x40, 0x7f, 0x80, 0xfe, 0xff};
    const auto size = static_cast<uint32_t>(frame.size());
    const uint32_t at = Draw(4) > 0 ? 12 + Draw(50) : Draw(size + 1); // mostly of headers
    switch (Draw(size > 60 ? 9 : 6))
    {
    case 0:
        frame.resize(at);
        break;
    case 1:
        frame.resize(size + Draw(200), static_cast<uint8_t>(Draw(256)));
        break;
    case 2:
        ChangeOptions(frame);
        break;
    case 3: // what the packet says of its length
        if (size > TRANSPORT_AT)
        {
            WriteNumber(frame, 16, Draw(3) == 0 ? Draw(65536) : size - IP_AT - Draw(40));
        }
        break;
    case 4: // flags of a segment
        if (IsTcp(frame))
        {
            frame[TRANSPORT_AT + 13] = static_cast<uint8_t>(Draw(64));
        }
        break;
    default:
        if (at < size)
        {
            frame[at] = Draw(2) == 0 ? odd[Draw(odd.size())] : static_cast<uint8_t>(Draw(256));
        }
        break;
    }
    frame.resize(std::min<std::size_t>(frame.size(), 1600));
}

void
FrameMill::ChangeOptions(Frame& frame)
{
    if (!IsTcp(frame))
    {
        return;
    }
    const uint32_t words = Draw(11);
    Frame options;
    while (options.size() < std::size_t{4} * words)
    {
        const auto kind = static_cast<uint8_t>(Draw(10));
        constexpr std::array<uint8_t, 10> usual{1, 1, 4, 3, 2, 10, 6, 4, 10, 4};
        const auto length = Draw(8) == 0 ? static_cast<uint8_t>(Draw(41)) : usual[kind];
        options.push_back(kind);
        for (uint32_t i = 1; kind > 1 && i < length; ++i)
        {
            options.push_back(i == 1 ? length : static_cast<uint8_t>(Draw(256)));
        }
    }
    options.resize(std::size_t{4} * words, 1);
    const std::size_t header = (frame[TRANSPORT_AT + 12] >> 4) * std::size_t{4};
    const std::size_t data =
        std::min(frame.size(), TRANSPORT_AT + std::max<std::size_t>(header, 20));
    const Frame payload(frame.begin() + static_cast<int>(data), frame.end());
    frame.resize(TRANSPORT_AT + 20);
    frame.insert(frame.end(), options.begin(), options.end());
    frame.insert(frame.end(), payload.begin(), payload.end());
    frame.resize(std::min<std::size_t>(frame.size(), 1514));
    frame[TRANSPORT_AT + 12] = static_cast<uint8_t>((5 + words) << 4);
    WriteNumber(frame, 16, static_cast<uint32_t>(frame.size() - IP_AT));
}

} // namespace ns3::study
