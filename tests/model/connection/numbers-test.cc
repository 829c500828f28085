/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What no packet script can give or see: timestamps, a congestion window of 4 GiB, and whether
 * losses are still being made good.
 */

#include "model/connection/congestion-window.h"
#include "model/connection/connection.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;
using namespace ns3::study::tcp;

namespace
{

/// Octets that come again bring the timestamp to echo (RFC 7323, 4.3): with that of the first copy
/// the peer would measure its own retransmission timeout.
class EchoesWhatCameTwice : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ConnectionSettings settings;
        settings.timestamps = true;
        settings.acks.frequency = 1;
        Connection connection(settings);
        NS_TEST_EXPECT_MSG_EQ(Echo(connection, SYN, 0, 0, 100), 100, "the SYN's");
        Echo(connection, ACK, 1, 0, 110);
        NS_TEST_EXPECT_MSG_EQ(Echo(connection, ACK, 1, 1000, 120), 120, "the first");
        NS_TEST_EXPECT_MSG_EQ(Echo(connection, ACK, 1, 1000, 1120), 1120, "the second copy's");
        NS_TEST_EXPECT_MSG_EQ(Echo(connection, ACK, 3001, 1000, 1140), 1120, "beyond a hole");
        NS_TEST_EXPECT_MSG_EQ(Echo(connection, ACK, 1001, 1000, 1130), 1130, "it was overtaken");
        NS_TEST_EXPECT_MSG_EQ(Echo(connection, ACK, 1, 1000, 125), 1130, "an old one");
    }

    /// A segment of the peer arrives, 10 ms after the one before.
    /// @return the timestamp that its answer echoes; 0 if there is none
    uint32_t Echo(Connection& connection,
                  uint8_t flags,
                  uint32_t number,
                  uint32_t payload,
                  uint32_t stamp)
    {
        Segment segment;
        segment.sequence = {number};
        segment.acknowledgment = {1};
        segment.flags = flags;
        segment.window = 8192;
        segment.payload = payload;
        segment.timestamps = Timestamps{stamp, 0};
        m_now += 10ms;
        Actions actions;
        connection.On(Arrive{segment}, m_now, actions);
        for (std::size_t before = SIZE_MAX; before != actions.size();)
        {
            before = actions.size();
            connection.On(Resume{}, m_now, actions);
        }
        uint32_t echo = 0;
        for (const Action& action : actions)
        {
            const auto* sent = std::get_if<Send>(&action);
            echo = sent ? sent->segment.timestamps->echo : echo;
        }
        return echo;
    }

    Nanos m_now{0}; //!< the time
};

/// NewReno grows with each ACK, whether the window is used or not: in a transfer of 4 GiB without a
/// loss it would begin again at 0.
class HasALargestSize : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        constexpr uint32_t jumbo = 65000; // the largest segments get there with the fewest ACKs
        CongestionWindow window(GrowthRule::NEWRENO);
        window.Begin(jumbo, 2, 0, 0ns);
        uint32_t before = 0;
        for (uint64_t i = 0; i * jumbo < uint64_t{5} << 30; ++i)
        {
            window.Grow(1, 0ns);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(window.Get().window, before, "never less");
            before = window.Get().window;
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(before, 1U << 30, "the largest window of a peer fits");
    }
};

/// Without SACK a recovery goes on after all is made good (RFC 6582, 4). Were that recovery of
/// losses, a sender that then pauses would wait for a loss, and its steady peer could not be
/// fast-forwarded.
class HeldIsOver : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        LossRecovery recovery({.growth = GrowthRule::RENO});
        recovery.Begin(1000, false, 1, 0ns);
        for (int i = 0; i < 5; ++i)
        {
            recovery.Sent(1000, 0ns);
        }
        for (int i = 0; i < 3; ++i)
        {
            recovery.OnAck({.number = 1}, 10ms);
        }
        recovery.Resent(10ms);
        NS_TEST_EXPECT_MSG_EQ(recovery.IsRepairing(), true, "the first segment is lost");
        recovery.OnAck({.number = 5001}, 20ms);
        NS_TEST_EXPECT_MSG_EQ(recovery.IsRecovering(), true, "it waits for more");
        NS_TEST_EXPECT_MSG_EQ(recovery.IsRepairing(), false, "and all is made good");
        NS_TEST_EXPECT_MSG_EQ(recovery.IsSettled(), true, "so that cycles may begin");
    }
};

const Suite g_numbersSuite(
    "connection-numbers",
    {new EchoesWhatCameTwice("the timestamp of what comes twice is echoed, of what is ahead none"),
     new HasALargestSize("a window that grows with each ACK has a largest size"),
     new HeldIsOver("a recovery without SACK that waits for more has made everything good")});

} // namespace
