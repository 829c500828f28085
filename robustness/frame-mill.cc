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

/// @return a number of four octets
uint32_t
ReadFour(const Frame& frame, std::size_t at)
{
    return ReadNumber(frame, at) << 16 | ReadNumber(frame, at + 2);
}

/// Put a number of four octets into a frame.
void
WriteFour(Frame& frame, std::size_t at, uint32_t number)
{
    WriteNumber(frame, at, number >> 16);
    WriteNumber(frame, at + 2, number);
}

/// Put the stranger's hardware address into a frame.
void
WriteStranger(Frame& frame, std::size_t at)
{
    std::copy(STRANGER.begin(), STRANGER.end(), frame.begin() + static_cast<int>(at));
}

} // namespace

FrameMill::FrameMill(uint64_t seed, uint32_t address)
    : m_random(seed),
      m_address{address},
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
    const uint8_t flags = frame[TRANSPORT_AT + 13];
    uint32_t behind = ReadFour(frame, TRANSPORT_AT + 4);
    behind += ReadNumber(frame, 16) - 20 - static_cast<uint32_t>(header);
    behind += (flags & 1) + (flags >> 1 & 1); // FIN and SYN
    m_standings[ReadNumber(frame, TRANSPORT_AT + 2)] = {ReadFour(frame, TRANSPORT_AT + 8), behind};
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
    WriteStranger(answer, 6);
    WriteStranger(answer, 22);
    WriteFour(answer, 28, m_address);
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
        WriteStranger(frame, 6);
        if (ReadNumber(frame, 12) == 0x0806)
        {
            WriteFour(frame, 28, m_address);
        }
        else if (frame[IP_AT + 12] == m_address >> 24 && Draw(20) > 0)
        {
            WriteFour(frame, IP_AT + 12, m_address);
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
        WriteFour(frame, TRANSPORT_AT + 4, found->second.next);
        WriteFour(frame, TRANSPORT_AT + 8, found->second.behind);
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
