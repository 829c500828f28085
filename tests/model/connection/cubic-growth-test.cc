/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * CUBIC's window and where its slow start ends, on ACKs at given times: RFC 9438, and HyStart.
 */

#include "model/connection/cubic-growth.h"
#include "tests/suite.h"

#include <cmath>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t CUBIC_MSS = 1000; //!< [B]

/// Which ACK of one round ends slow start, each so long after the one before and measuring a round
/// trip. @return its place, from 1; 0 for none
uint32_t
EndsAt(Nanos gap, Nanos rtt, uint32_t window)
{
    SlowStartEnd end;
    end.Reset(0, 0ns);
    end.IsFull(1, 2, 40ms, window, 0ns); // a round before it measures the shortest round trip
    for (uint32_t ack = 1; ack <= 200; ++ack)
    {
        if (end.IsFull(2 + ack, 10000, rtt, window, 1s + gap * ack))
        {
            return ack;
        }
    }
    return 0;
}

/// A train of ACKs as long as half of the round trip ends slow start, or eight longer round trips.
class SlowStartEnds : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // 20.5 ms: half of 40 ms and 1 ms for joined segments, from the first ACK on.
        NS_TEST_EXPECT_MSG_EQ(EndsAt(1ms, 40ms, 40), 22, "the first ACK 20.5 ms on");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(3ms, 40ms, 40), 0, "3 ms apart they are no train");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(1ms, 40ms, 15), 0, "a small window goes on");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(3ms, 46ms, 40), 9, "eight, longer by more than an eighth");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(3ms, 44ms, 40), 0, "by less");
        // A round goes on in a recovery, whose window may be below the threshold.
        CongestionState state{.mss = CUBIC_MSS, .window = 40 * CUBIC_MSS};
        CubicGrowth cubic;
        cubic.Restart(0, 0ns);
        cubic.Sample(state, 1, 100, 40ms, 1s);
        const uint32_t threshold = state.threshold = cubic.Reduce(state, 0);
        state.window = 20 * CUBIC_MSS;
        for (int ack = 1; ack <= 40; ++ack)
        {
            cubic.Sample(state, 1, 100, 40ms, 2s + ack * 1ms);
        }
        NS_TEST_EXPECT_MSG_EQ(state.threshold, threshold, "as the loss has set it");
    }
};

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

    /// Lose at so many segments, then perhaps again, and expect a window so long afterwards.
    void Expect(const std::vector<uint32_t>& losses,
                Nanos time,
                Nanos rtt,
                double segments,
                double tolerance,
                const std::string& why)
    {
        Window window(losses.front());
        window.Lose(losses.back());
        const double seen = window.After(time, rtt);
        NS_TEST_EXPECT_MSG_EQ_TOL(seen, segments, tolerance, why);
    }

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
        Expect({10}, 500ms, 10ms, 7 + 50 * 0.9 / 1.7, 2, "50 round trips of Reno's growth");
        Expect({1000, 800}, 9s, 200ms, 0.85 * 800, 15, "fast convergence");
        Expect({800}, 9s, 200ms, 800, 15, "and without");
        Expect({20}, early, 200ms, 20, 0.5, "rounded as in Linux: back a second before K");
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

        CongestionState state{.mss = CUBIC_MSS,
                              .window = 100 * CUBIC_MSS,
                              .threshold = 100 * CUBIC_MSS};
        CubicGrowth lossless;
        for (uint32_t i = 0; i < 100; ++i)
        {
            lossless.Grow(state, 1, i * 10us);
        }
        NS_TEST_EXPECT_MSG_EQ(state.GetSegments(), 105, "a part in twenty, before any loss");

        Window small(10); // less than a segment, once the MSS has grown
        small.state = {.mss = CUBIC_MSS, .window = CUBIC_MSS / 2, .threshold = 0};
        NS_TEST_EXPECT_MSG_GT(small.After(1s, 10ms), 1, "half a segment grows");
        small.state.window = CUBIC_MSS / 2;
        NS_TEST_EXPECT_MSG_GT(small.Grow(1000000, small.now), 1, "whatever is acknowledged");
    }
};

/// A timeout begins everything afresh (RFC 9438, 4.8): what was acknowledged before counts no more.
class ForgetsAtTimeout : public Claim
{
    using Claim::Claim;

    /// @return how many ACKs let a window grow that had a timeout after some others
    static uint32_t CountAcks(uint32_t before)
    {
        Window window(20);
        window.state = {.mss = CUBIC_MSS, .window = 4 * CUBIC_MSS, .threshold = 0};
        window.Grow(before, 0ns);
        window.cubic.Restart(0, 0ns);
        window.state.window = 4 * CUBIC_MSS;
        uint32_t acknowledged = 1;
        while (window.Grow(1, 0ns) == 4 && acknowledged < 1000)
        {
            ++acknowledged;
        }
        return acknowledged;
    }

    void DoRun() override
    {
        for (const uint32_t before : {1, 2, 3, 5, 7, 11})
        {
            NS_TEST_EXPECT_MSG_EQ(CountAcks(before), CountAcks(0), before << " before");
        }
    }
};

const Suite g_cubicGrowthSuite("cubic-growth",
                               {new SlowStartEnds("slow start ends when the path is full"),
                                new FollowsTheCurve("the window follows CUBIC's curve"),
                                new Steps("single steps of growth"),
                                new ForgetsAtTimeout("a timeout begins afresh")}); //!< registers

} // namespace
