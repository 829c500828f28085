/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A receive window that grows as Linux's does: two segments with each, to what the buffer has room
 * for; the buffer, once a round trip. The numbers are those of results/kernel.csv.
 */

#include "model/tcp/growing-window.h"
#include "model/tcp/host-acks.h"
#include "tests/suite.h"

#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1448;
constexpr uint32_t FIRST = 65536;
constexpr uint32_t LARGEST = 300000;

/// So many whole segments come at once.
/// @return with how many of them the window has grown
uint32_t
Take(GrowingWindow& window, uint32_t segments)
{
    uint32_t grown = 0;
    for (uint32_t i = 0; i < segments; ++i)
    {
        grown += window.Take(MSS, MSS, MilliSeconds(40));
    }
    return grown;
}

/// From 65536 to 80896 with the first six; a small segment does nothing.
class TwoSegmentsWithEach : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        GrowingWindow window;
        window.Begin(FIRST, LARGEST);
        NS_TEST_EXPECT_MSG_EQ(window.Take(100, MSS, Time()), false, "a small segment");
        NS_TEST_EXPECT_MSG_EQ(Take(window, 1), 1, "a whole one");
        NS_TEST_EXPECT_MSG_EQ(window.Get(), FIRST + 2 * MSS, "after it");
        NS_TEST_EXPECT_MSG_EQ(Take(window, 9), 5, "of the other nine of a first flight");
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 80896, "as large as the buffer");
    }
};

/// Flights of 10, 20 and 20: the second doubles what was read, so the buffer grows behind it.
class TheBufferGrowsOnceARoundTrip : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        GrowingWindow window;
        window.Begin(FIRST, LARGEST);
        Simulator::Schedule(MilliSeconds(0), [&]() { Take(window, 10); });
        Simulator::Schedule(MilliSeconds(41), [&]() {
            NS_TEST_EXPECT_MSG_EQ(Take(window, 20), 0, "ten segments were expected");
        });
        Simulator::Schedule(MilliSeconds(82), [&]() {
            NS_TEST_EXPECT_MSG_EQ(Take(window, 20), 20, "twenty were not");
        });
        Simulator::Run();
        // 2 x 28960 and as much twice for the doubling is more than 80896 + 20 x 2896.
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 80896 + 20 * 2 * MSS, "room for all of them");
        Simulator::Destroy();
    }
};

/// Ten of its segments are more than the window: a flight that fills that is more than expected.
class LargeSegments : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        constexpr uint32_t large = 8948;
        GrowingWindow window;
        window.Begin(FIRST, LARGEST);
        const auto take = [&window](uint32_t segments) {
            for (uint32_t i = 0; i < segments; ++i)
            {
                window.Take(large, large, MilliSeconds(40));
            }
        };
        Simulator::Schedule(MilliSeconds(0), [&]() { take(8); });
        Simulator::Schedule(MilliSeconds(41), [&]() { take(1); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 80896 + 2 * large, "behind the first flight");
        Simulator::Destroy();
    }
};

/// A window that is not to grow does not.
class FixedWindow : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        GrowingWindow window;
        window.Begin(5000, 5000);
        NS_TEST_EXPECT_MSG_EQ(Take(window, 100), 0, "segments with which it grew");
        NS_TEST_EXPECT_MSG_EQ(window.Get(), 5000, "window");
    }
};

/// What the window grows with is acknowledged at once, and uses up none of the quick ACKs.
class GrowthIsAcknowledged : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        HostAcks acks;
        acks.Begin({.rule = HostAcks::ADAPTIVE, .quickAcks = 2, .window = FIRST});
        uint32_t atOnce = 0;
        for (uint32_t i = 0; i < 10; ++i)
        {
            const bool sent = acks.Take(0, MSS, false, i < 5);
            atOnce += sent;
            if (sent)
            {
                acks.TellAckSent();
            }
        }
        NS_TEST_EXPECT_MSG_EQ(atOnce, 5 + 2 + 1, "five that grow, two quick ones, one of three");
    }
};

/// The suite; it registers itself.
Suite g_growingWindowSuite(
    "growing-window",
    {new TwoSegmentsWithEach("two segments with each whole one, as far as the buffer has room"),
     new TheBufferGrowsOnceARoundTrip("the buffer grows when a round trip brings more than before"),
     new LargeSegments("large segments: more than the window at first is more than expected"),
     new FixedWindow("a window that is as large as it gets stays"),
     new GrowthIsAcknowledged("what the window grows with is acknowledged at once")});

} // namespace
