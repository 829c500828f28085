/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The send buffer as Linux counts it: blocks, and how large they are. The scripts
 * send-buffer-of-linux-* show what follows of it.
 */

#include "model/connection/buffer-memory.h"
#include "model/connection/linux-blocks.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1448;
constexpr uint32_t OVERHEAD = 832;   // what Linux 6.18 counted
constexpr uint32_t WHOLE = 22 * MSS; // half a window of 65536, in segments
constexpr uint32_t BURST = 2 * MSS;  // what leaves together, at least

/// What leaves by twos is counted by twos; an acknowledged part of a block takes no memory.
class BlocksAreSplit : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        BufferMemory memory(1000000, OVERHEAD);
        memory.Write(10 * MSS, {.whole = WHOLE, .burst = BURST});
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 10 * MSS + OVERHEAD, "in one block");
        memory.Leave(5 * MSS, BURST);
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 10 * MSS + 4 * OVERHEAD, "2 + 2 + 1, and 5 left");
        memory.Keep(9 * MSS);
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 9 * MSS + 4 * OVERHEAD, "half of the first gone");
        memory.Keep(8 * MSS);
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 8 * MSS + 3 * OVERHEAD, "the first is gone");

        // A large write after the wait that Linux 6.18 made: 27 segments fill a block, two leave
        // and are written again, and then more than half the largest window is written: all leaves.
        BufferMemory::Course course{.whole = 27 * MSS,
                                    .burst = BURST,
                                    .leaves = 35 * MSS,
                                    .pushed = 80896 / 2};
        memory = BufferMemory(16384, OVERHEAD);
        NS_TEST_EXPECT_MSG_EQ(memory.GetRoom(course), 29 * MSS, "a block and a burst");
        memory.Write(29 * MSS, course);
        NS_TEST_EXPECT_MSG_EQ(memory.GetUnsent(), 0, "all has left together");
        memory.Ask(course);
        NS_TEST_EXPECT_MSG_EQ(memory.IsFull(), true, "beyond the bound it waits");
        BufferMemory ahead(16384, OVERHEAD);
        course.pushed = 1 << 20;
        NS_TEST_EXPECT_MSG_EQ(ahead.GetRoom(course), 62 * MSS, "what the window lets go, too");
        ahead.Write(62 * MSS, course);
        NS_TEST_EXPECT_MSG_EQ(ahead.GetUnsent(), 27 * MSS, "a block waits for the window");
    }
};

/// What leaves as one block: two segments at least, then by the rate of window and round trip, and
/// half the largest window at most.
class Blocks : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        LinuxBlocks blocks{.congestion = {.mss = MSS, .window = 10 * MSS},
                           .largestWindow = 65536,
                           .roundTrip = 0ns,
                           .shortest = 1s};
        NS_TEST_EXPECT_MSG_EQ(blocks.GetWholeBlock(), WHOLE, "half the largest window");
        NS_TEST_EXPECT_MSG_EQ(blocks.GetBurst(), BURST, "before a round trip is measured");
        blocks.roundTrip = 1ms; // 2 x 14480 B in 1 ms, of which 1/1024 s is 28 kB
        NS_TEST_EXPECT_MSG_EQ(blocks.GetBurst(), 19 * MSS, "in slow start");
        blocks.congestion.threshold = 10 * MSS;
        NS_TEST_EXPECT_MSG_EQ(blocks.GetBurst(), 11 * MSS, "at 1.2 windows a round trip");
        NS_TEST_EXPECT_MSG_EQ(blocks.GetBlock(false), 5 * MSS, "half the congestion window");
        blocks.shortest = 1ms; // 65279 / 2
        NS_TEST_EXPECT_MSG_EQ(blocks.GetBurst(), WHOLE, "and more over a short path");
        blocks.largestWindow = 500;
        NS_TEST_EXPECT_MSG_EQ(blocks.GetWholeBlock(),
                              MSS,
                              "nor more than a tiny window, and one at least");
        blocks.congestion.window = 100 * MSS;
        NS_TEST_EXPECT_MSG_EQ(blocks.GetBlock(true), MSS, "what is written, too");
        NS_TEST_EXPECT_MSG_EQ(blocks.GetBlock(false), 2 * MSS, "what the largest window holds");
        const LinuxBlocks paced{.congestion = {.mss = MSS, .window = 2965 * MSS, .threshold = MSS},
                                .largestWindow = 1 << 20,
                                .roundTrip = 100ms,
                                .shortest = 1s};
        NS_TEST_EXPECT_MSG_EQ(paced.GetBurst(), 34 * MSS, "1.2 x 2965 x 10 / 1024 = 34.75");
        // A segment takes 2048 + 256 B.
        NS_TEST_EXPECT_MSG_EQ(blocks.GetGrownBuffer(1460, OVERHEAD), 200 * 2304, "memory");
        blocks.congestion.window = MSS;
        NS_TEST_EXPECT_MSG_EQ(blocks.GetGrownBuffer(1460, OVERHEAD), 20 * 2304, "ten at least");
    }
};

/// The suite; it registers itself.
Suite g_bufferMemorySuite(
    "buffer-memory",
    {new BlocksAreSplit(
         "what leaves together is a block, what is acknowledged takes no memory, and "
         "a large write goes on while bursts leave"),
     new Blocks("how large blocks are")});

} // namespace
