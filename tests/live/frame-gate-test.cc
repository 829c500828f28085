/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The gate before ns-3: which frames pass it. test_live_frames.py sends such frames to a whole
 * simulated end.
 */

#include "live-ends/frame-gate.h"
#include "tests/live/frame.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

const Frame LINUX_OPTIONS{2, 4, 5, 180, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 7};
const Frame UDP{0, 1, 0, 2, 0, 12, 0, 0, 'p', 'i', 'n', 'g'};
const Frame ECHO{8, 0, 0, 0, 0, 1, 0, 1, 'p', 'i', 'n', 'g'};
const Frame QUOTED{0x45, 0, 0,  40, 0, 7,  0,    0,    64,   6,    0, 0, 10, 0,
                   0,    2, 10, 0,  0, 77, 0x23, 0x8c, 0x12, 0x67, 0, 0, 0,  1};
const Frame ARP{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0,  77, 8, 6,
                0,    1,    8,    0,    6,    4,    0, 1, 2, 0, 0,  0,  0, 77,
                10,   0,    0,    77,   0,    0,    0, 0, 0, 0, 10, 0,  0, 2};

/// @return whether a frame passes
bool
Passes(const Frame& frame)
{
    return IsReadable(frame.data(), frame.size());
}

/// @return an ICMP error about a datagram
Frame
MakeError(const Frame& quoted)
{
    Frame message{3, 1, 0, 0, 0, 0, 0, 0};
    message.insert(message.end(), quoted.begin(), quoted.end());
    return MakeFrame(1, message);
}

/// @return a frame with one octet changed, and perhaps its checksums made anew
Frame
Change(Frame frame, std::size_t at, uint8_t octet, bool sealed = true)
{
    frame[at] = octet;
    if (sealed)
    {
        Seal(frame);
    }
    return frame;
}

/// What a host sends passes, with or without an Ethernet's padding.
class WholeFramesPass : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (Frame frame : {ARP,
                            MakeSyn(),
                            MakeSyn(LINUX_OPTIONS),
                            MakeFrame(17, UDP),
                            MakeFrame(1, ECHO),
                            MakeError(QUOTED)})
        {
            NS_TEST_EXPECT_MSG_EQ(Passes(frame), true, "of " << frame.size() << " B");
            frame.resize(std::max<std::size_t>(frame.size(), 60));
            NS_TEST_EXPECT_MSG_EQ(Passes(frame), true, "padded");
        }
    }
};

/// A frame that is cut anywhere is dropped.
class CutFramesAreDropped : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const Frame& whole : {ARP,
                                   MakeSyn(LINUX_OPTIONS),
                                   MakeFrame(17, UDP),
                                   MakeFrame(1, ECHO),
                                   MakeError(QUOTED)})
        {
            for (std::size_t size = 0; size < whole.size(); ++size)
            {
                const Frame cut(whole.begin(), whole.begin() + static_cast<int>(size));
                NS_TEST_EXPECT_MSG_EQ(Passes(cut), false, size << " of " << whole.size() << " B");
            }
        }
    }
};

/// One flipped bit of a packet is found by a checksum, but for a UDP datagram without one.
class FlippedBitsAreFound : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const Frame& whole : {MakeSyn(LINUX_OPTIONS), MakeFrame(17, UDP), MakeFrame(1, ECHO)})
        {
            for (std::size_t bit = 8 * IP_AT; bit < 8 * whole.size(); ++bit)
            {
                Frame frame = whole;
                frame[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
                NS_TEST_EXPECT_MSG_EQ(Passes(frame), false, "bit " << bit);
            }
        }
        Frame without = MakeFrame(17, UDP);
        WriteNumber(without, TRANSPORT_AT + 6, 0);
        NS_TEST_EXPECT_MSG_EQ(Passes(without), true, "UDP without a checksum");
    }
};

/// What ns-3 has no receiver for, or would abort at, is dropped although its checksums are right.
class NoReceiver : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Frame larger = MakeFrame(17, UDP);
        larger.resize(14 + 1501);
        const std::vector<std::pair<std::string, Frame>> frames{
            {"IPv6", Change(MakeSyn(), 12, 0x86)},
            {"LLC", Change(Change(MakeSyn(), 12, 0), 13, 46)},
            {"a tag of a VLAN", Change(MakeSyn(), 12, 0x81)},
            {"more than an Ethernet's MTU", larger},
            {"ARP of IPv6", Change(ARP, 16, 0x86)},
            {"ARP of long addresses", Change(ARP, 18, 0xff)},
            {"reverse ARP", Change(ARP, 21, 3)},
            {"ARP of a group", Change(ARP, 28, 224)},
            {"from this network", Change(MakeSyn(), IP_AT + 12, 0)},
            {"from a loopback", Change(MakeSyn(), IP_AT + 12, 127)},
            {"from a group", Change(MakeSyn(), IP_AT + 12, 224)},
            {"from all", Change(MakeSyn(), IP_AT + 12, 255)},
            {"IPv6 as IPv4", Change(MakeSyn(), IP_AT, 0x65)},
            {"IHL 4", Change(MakeSyn(), IP_AT, 0x44)},
            {"IHL 6", Change(MakeSyn(), IP_AT, 0x46)},
            {"a first fragment", Change(MakeSyn(), IP_AT + 6, 0x20)},
            {"a last fragment", Change(MakeSyn(), IP_AT + 7, 1)},
            {"another transport", Change(MakeSyn(), IP_AT + 9, 200)},
            {"total length 19", Change(MakeSyn(), IP_AT + 3, 19)},
            {"total length beyond the frame", Change(MakeSyn(), IP_AT + 3, 41)},
            {"TCP of 0 B", MakeFrame(6, {})},
            {"TCP of 19 B", MakeFrame(6, Frame(19))},
            {"data offset 4", Change(MakeSyn(), TRANSPORT_AT + 12, 0x40)},
            {"data offset 15", Change(MakeSyn(), TRANSPORT_AT + 12, 0xf0)},
            {"MSS option of length 0", MakeSyn({2, 0, 5, 180})},
            {"MSS option of length 40", MakeSyn({2, 40, 5, 180})},
            {"MSS option that ends early", MakeSyn({1, 1, 1, 2})},
            {"window scale of length 4", MakeSyn({3, 4, 7, 0})},
            {"SACK of no block", MakeSyn({5, 2, 0, 0})},
            {"SACK of half a block", MakeSyn({5, 6, 0, 0, 0, 0, 0, 0})},
            {"timestamps of length 9", MakeSyn({8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})},
            {"unknown option of length 1", MakeSyn({253, 1, 0, 0})},
            {"padding of 4 B", MakeSyn({0, 0, 0, 0})},
            {"UDP of 5 B", MakeFrame(17, Frame(5))},
            {"UDP that states 4 B", Change(MakeFrame(17, UDP), TRANSPORT_AT + 5, 4)},
            {"UDP that states 13 B", Change(MakeFrame(17, UDP), TRANSPORT_AT + 5, 13)},
            {"ICMP of 0 B", MakeFrame(1, {})},
            {"echo of 4 B", MakeFrame(1, {8, 0, 0, 0})},
            {"ICMP's redirect", Change(MakeFrame(1, ECHO), TRANSPORT_AT, 5)},
            {"an error that quotes IHL 15", Change(MakeError(QUOTED), TRANSPORT_AT + 8, 0x4f)},
            {"an error that quotes nothing", MakeError({})},
            {"an error that quotes 27 B", MakeError(Frame(QUOTED.begin(), QUOTED.end() - 1))},
            {"an error that quotes 0 B", Change(MakeError(QUOTED), TRANSPORT_AT + 11, 0)},
        };
        for (const auto& [name, frame] : frames)
        {
            NS_TEST_EXPECT_MSG_EQ(Passes(frame), false, name);
        }
    }
};

Suite g_suite("frame-gate",
              {new WholeFramesPass("what a host sends passes"),
               new CutFramesAreDropped("a frame that is cut is dropped"),
               new FlippedBitsAreFound("a flipped bit of a packet is found"),
               new NoReceiver("what ns-3 cannot read is dropped")});

} // namespace
