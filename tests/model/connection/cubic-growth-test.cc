/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Growth of the congestion window over more ACKs than a packet script has: CUBIC's curve (RFC
 * 9438), and the largest window.
 */

#include "model/connection/congestion-window.h"
#include "model/connection/cubic-growth.h"
#include "tests/suite.h"

#include <cmath>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t CUBIC_MSS = 1000; //!< [B]

/// A window that grows by ACKs in a steady rhythm.
struct Window
{
    CongestionState state{.mss = CUBIC_MSS}; //!< with it
    CubicGrowth cubic;                       //!< what lets it grow
    Nanos now{0};                            //!< last ACK

    /// Begin with so many segments, after a loss.
    explicit Window(uint32_t segments)
    {
        Lose(segments);
    }

    /// A loss is found at so many segments.
    void Lose(uint32_t segments)
    {
        state.window = segments * CUBIC_MSS;
        state.window = state.threshold = cubic.Reduce(state, 0);
    }

    /// So many segments are acknowledged. @return the window [segments]
    uint32_t Grow(uint32_t acknowledged, Nanos at)
    {
        cubic.Grow(state, acknowledged, at);
        return state.GetSegments();
    }

    /// @return the window after a time in which every segment is acknowledged alone [segments]
    double After(Nanos time, Nanos rtt)
    {
        const Nanos end = now + time;
        while (now < end)
        {
            cubic.Sample(state, 1, 2, rtt, now);
            cubic.Grow(state, 1, now);
            now += rtt * CUBIC_MSS / state.window;
        }
        now = end;
        return static_cast<double>(state.window) / CUBIC_MSS;
    }
};

/// @return CUBIC's curve so long after a loss at 1000 segments [segments]
double
Curve(double seconds)
{
    return 1000 + 0.4 * std::pow(seconds - std::cbrt(300 / 0.4), 3);
}

/// After a loss the window is seven tenths, comes back to where it was after K, and rests there.
class FollowsTheCurve : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Window window(1000);
        NS_TEST_EXPECT_MSG_EQ(window.state.GetSegments(), 700, "seven tenths");
        double t = 0;
        for (const int step : {2, 3, 4, 2})
        {
            t += step;
            const double seen = window.After(step * 1s, 200ms);
            NS_TEST_EXPECT_MSG_EQ_TOL(seen, Curve(t), 10, "after " << t << " s");
        }
        Window paused(1000); // RFC 9438, 4.2 and 5.8
        const double before = paused.After(5s, 200ms);
        paused.cubic.Pause();
        paused.now += 20s;
        NS_TEST_EXPECT_MSG_EQ(paused.state.GetSegments(), before, "as it was before a pause");
        const double after = paused.After(2s, 200ms);
        NS_TEST_EXPECT_MSG_EQ_TOL(after, Curve(7), 10, "as if there had been no pause");
        const auto early = Nanos(static_cast<int64_t>((std::cbrt(6 / 0.4) - 1) * 1e9));
        double seen = Window(10).After(500ms, 10ms);
        NS_TEST_EXPECT_MSG_EQ_TOL(seen, 7 + 50 * 0.9 / 1.7, 2, "50 round trips of Reno's growth");
        seen = Window(800).After(9s, 200ms);
        NS_TEST_EXPECT_MSG_EQ_TOL(seen, 800, 15, "the plateau");
        Window again(1000);
        again.Lose(800);
        seen = again.After(9s, 200ms);
        NS_TEST_EXPECT_MSG_EQ_TOL(seen, 0.85 * 800, 15, "a lower one, by fast convergence");
        seen = Window(20).After(early, 200ms);
        NS_TEST_EXPECT_MSG_EQ_TOL(seen, 20, 0.5, "rounded as in Linux: back a second before K");
    }
};

/// Single steps of its growth.
class Steps : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Window window(29); // 20 are left
        window.Grow(1, 0ns);
        window.Grow(100, 1ms); // worth two of Reno's, of which a window's worth lets one grow
        NS_TEST_EXPECT_MSG_EQ(window.Grow(1, 40ms), 21, "one of them");
        NS_TEST_EXPECT_MSG_EQ(window.Grow(8, 41ms), 21, "not yet");
        NS_TEST_EXPECT_MSG_EQ(window.Grow(12, 42ms), 22, "the other one");

        // A round goes on in a recovery, whose window may be below the threshold.
        Window round(40);
        round.state = {.mss = CUBIC_MSS, .window = 40 * CUBIC_MSS};
        round.cubic.Restart(0, 0ns);
        round.cubic.Sample(round.state, 1, 100, 40ms, 1s);
        round.Lose(40);
        round.state.window = 20 * CUBIC_MSS;
        for (int ack = 1; ack <= 40; ++ack)
        {
            round.cubic.Sample(round.state, 1, 100, 40ms, 2s + ack * 1ms);
        }
        NS_TEST_EXPECT_MSG_EQ(round.state.threshold, 28 * CUBIC_MSS, "as the loss has set it");

        Window small(10); // less than a segment, once the MSS has grown
        small.state = {.mss = CUBIC_MSS, .window = CUBIC_MSS / 2, .threshold = 0};
        NS_TEST_EXPECT_MSG_GT(small.After(1s, 10ms), 1, "half a segment grows");
        small.state.window = CUBIC_MSS / 2;
        NS_TEST_EXPECT_MSG_GT(small.Grow(1000000, small.now), 1, "whatever is acknowledged");

        // A timeout begins everything afresh (RFC 9438, 4.8): what was acknowledged before counts
        // no more for the ACKs that let the window grow.
        const auto countAcks = [](uint32_t before) {
            Window late(20);
            late.state = {.mss = CUBIC_MSS, .window = 4 * CUBIC_MSS, .threshold = 0};
            late.Grow(before, 0ns);
            late.cubic.Restart(0, 0ns);
            late.state.window = 4 * CUBIC_MSS;
            uint32_t acknowledged = 1;
            for (; late.Grow(1, 0ns) == 4; ++acknowledged)
            {
            }
            return acknowledged;
        };
        for (const uint32_t before : {1, 2, 3, 5, 7, 11})
        {
            NS_TEST_EXPECT_MSG_EQ(countAcks(before), countAcks(0), before << " before");
        }
    }
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
        for (uint64_t i = 0; i * jumbo < uint64_t{5} << 30; ++i)
        {
            window.Grow(1, 0ns);
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(window.Get().window, 1U << 30, "a peer's largest window fits");
    }
};

const Suite g_cubicGrowthSuite("cubic-growth",
                               {new FollowsTheCurve("the window follows CUBIC's curve"),
                                new Steps("single steps of growth"),
                                new HasALargestSize("a window has a largest size")}); //!< registers

} // namespace
