/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What lets a receive window grow: the receiver's own round trip, and what was read in one.
 */

#include "model/connection/receive-window.h"
#include "model/connection/receiver-round-trip.h"
#include "tests/suite.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t LARGEST = 1448;

/// Linux 6.18, tcp_rcv_rtt_update: down at once, up by an eighth, and not behind what is unread.
class TimestampsAreSmoothed : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ReceiverRoundTrip trip;
        trip.TakeEcho(LARGEST, 1, 80ms, false);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 80ms, "the first");
        trip.TakeEcho(LARGEST, 1, 800ms, false);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 80ms, "the same echo once more");
        trip.TakeEcho(LARGEST, 2, 160ms, true);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 80ms, "longer, while the application reads");
        trip.TakeEcho(LARGEST, 3, 160ms, false);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 90ms, "80 + 80 / 8");
        trip.TakeEcho(100, 4, 10ms, false);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 90ms, "no whole segment");
        trip.TakeEcho(LARGEST, 5, 0ms, false);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 90ms, "less than timestamps tell");
        trip.TakeEcho(LARGEST, 6, 40ms, true);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 40ms, "shorter");
    }
};

/// tcp_rcv_rtt_measure: the time of a window, where it is the shortest.
class WindowsAreTimed : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ReceiverRoundTrip trip;
        trip.TakeNext(LARGEST, 1449, 10000, 1s);
        trip.TakeNext(LARGEST, 11448, 10000, 1050ms);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 0ms, "an octet is missing");
        trip.TakeNext(LARGEST, 11449, 10000, 1060ms);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 60ms, "from the first ACK to the window's end");
        trip.TakeNext(LARGEST, 30000, 10000, 1160ms);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 60ms, "a longer one");
        trip.TakeNext(LARGEST, 40000, 10000, 1200ms);
        NS_TEST_EXPECT_MSG_EQ(trip.Get(), 40ms, "a shorter one");
    }
};

/// tcp_rcv_space_adjust and tcp_rcvbuf_grow, worked out by hand: first 10 segments are taken to be
/// read in a round trip.
class ReadInARoundTrip : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const uint32_t read = 20 * LARGEST;
        // 2 x 20 segments, and twice as much again for twice the 10 of before.
        Expect(read, {0, 0}, 6 * read, "twice the rate of before");
        Expect(read, {0, 5000}, 6 * read + 5000, "and what lies beyond a hole");
        // 15 segments count: 30, and 2 x 30 x 5 / 10.
        Expect(read, {5 * LARGEST, 0}, 60 * LARGEST, "less what is unread");
        Expect(read, {10 * LARGEST, 0}, 0, "as much as before");
    }

    /// @param room expected [B]; 0 for that of the beginning
    void Expect(uint32_t read, ReceiveWindow::Queue queue, uint32_t room, const char* why)
    {
        ReceiveWindow window(65160, 1 << 24);
        window.Take(LARGEST, LARGEST, 0ms);
        window.Read(read, queue, 10ms, 9ms);
        NS_TEST_EXPECT_MSG_EQ(GetRoom(window), START, "no round trip yet");
        window.Read(0, queue, 10ms, 10ms);
        NS_TEST_EXPECT_MSG_EQ(GetRoom(window), std::max(room, START), why);
    }

    /// @return what a window grows to at once
    static uint32_t GetRoom(ReceiveWindow window)
    {
        while (window.Take(LARGEST, LARGEST, 0ms))
        {
        }
        return window.Get();
    }

    static constexpr uint32_t START = 131072 / 256 * 158; //!< of tcp_rmem [B]
};

/// The suite; it registers itself.
Suite g_receiverRoundTripSuite("receiver-round-trip",
                               {new TimestampsAreSmoothed("timestamps tell a round trip"),
                                new WindowsAreTimed("without them a window does"),
                                new ReadInARoundTrip("what was read in one gives the room")});

} // namespace
