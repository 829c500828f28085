/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * CUBIC's window and where its slow start ends, on ACKs at given times: RFC 9438, and HyStart.
 */

#include "model/tcp/cubic.h"
#include "model/tcp/hystart.h"
#include "tests/suite.h"

#include "ns3/simulator.h"
#include "ns3/tcp-socket-state.h"

#include <cmath>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1000; //!< [B]

/// Which ACK of one round ends slow start, each so long after the one before and showing a round
/// trip. @return its place, from 1; 0 for none
uint32_t
EndsAt(Time gap, Time rtt, uint32_t window)
{
    const Time shortest = MilliSeconds(40);
    Hystart hystart;
    hystart.Reset(SequenceNumber32(0));
    uint32_t endsAt = 0;
    // A round before it shows the shortest round trip.
    hystart.IsFull(SequenceNumber32(1), SequenceNumber32(2), shortest, window);
    for (uint32_t ack = 1; ack <= 200; ++ack)
    {
        Simulator::Schedule(Seconds(1) + gap * ack, [&, ack]() {
            const SequenceNumber32 acknowledged(2 + ack);
            const bool full = hystart.IsFull(acknowledged, SequenceNumber32(10000), rtt, window);
            endsAt = full && endsAt == 0 ? ack : endsAt;
        });
    }
    Simulator::Run();
    Simulator::Destroy();
    return endsAt;
}

/// A train of ACKs as long as half of the round trip ends slow start, or eight longer round trips.
class SlowStartEnds : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Time rtt = MilliSeconds(40);
        // 20.5 ms: half of 40 ms and 1 ms for joined segments, from the first ACK on.
        NS_TEST_EXPECT_MSG_EQ(EndsAt(MilliSeconds(1), rtt, 40), 22, "the first ACK 20.5 ms on");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(MilliSeconds(3), rtt, 40), 0, "3 ms apart they are no train");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(MilliSeconds(1), rtt, 15), 0, "a small window goes on");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(MilliSeconds(3), MilliSeconds(46), 40),
                              9,
                              "after eight round trips longer by more than an eighth");
        NS_TEST_EXPECT_MSG_EQ(EndsAt(MilliSeconds(3), MilliSeconds(44), 40), 0, "by less");
    }
};

/// A window that grows by ACKs in a steady rhythm.
struct Window
{
    Ptr<TcpSocketState> tcb{CreateObject<TcpSocketState>()}; //!< with it
    Cubic cubic;                                             //!< what lets it grow

    /// Begin with so many segments, after a loss.
    explicit Window(uint32_t segments)
    {
        tcb->m_segmentSize = MSS;
        tcb->m_isCwndLimited = true;
        Lose(segments);
    }

    /// A loss is found at so many segments.
    void Lose(uint32_t segments)
    {
        tcb->m_cWnd = segments * MSS;
        tcb->m_ssThresh = cubic.GetSsThresh(tcb, 0);
        tcb->m_cWnd = tcb->m_ssThresh.Get();
    }

    /// @return the window after a time in which every segment is acknowledged alone [segments]
    double After(Time time, Time rtt)
    {
        const Time end = Simulator::Now() + time;
        std::function<void()> ack = [&]() {
            cubic.PktsAcked(tcb, 1, rtt);
            cubic.IncreaseWindow(tcb, 1);
            const Time next = rtt * MSS / tcb->m_cWnd.Get();
            if (Simulator::Now() + next < end)
            {
                Simulator::Schedule(next, ack);
            }
        };
        Simulator::ScheduleNow(ack);
        Simulator::Run();
        return static_cast<double>(tcb->m_cWnd) / MSS;
    }
};

/// After a loss the window is seven tenths, comes back to where it was after K, and rests there.
class FollowsTheCurve : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Time rtt = MilliSeconds(200);
        Window window(1000);
        NS_TEST_EXPECT_MSG_EQ(window.tcb->m_cWnd / MSS, 700, "seven tenths");
        const double k = std::cbrt(300 / 0.4);
        double t = 0;
        for (const double step : {2.0, 3.0, 4.0, 2.0})
        {
            const double seen = window.After(Seconds(step), rtt);
            t += step;
            const double curve = 1000 + 0.4 * std::pow(t - k, 3);
            NS_TEST_EXPECT_MSG_EQ_TOL(seen, curve, 10, "the window after " << t << " s, K " << k);
        }
        Simulator::Destroy();
    }
};

/// Where the curve is flat, the window grows like Reno's would: by 0.53 segments a round trip.
class FriendlyToReno : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Window window(10);
        const double seen = window.After(MilliSeconds(500), MilliSeconds(10));
        NS_TEST_EXPECT_MSG_EQ_TOL(seen, 7 + 50 * 0.9 / 1.7, 2, "after 50 round trips");
        Simulator::Destroy();
    }
};

/// A loss below the last plateau lowers the next one further (fast convergence).
class MakesRoom : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Time rtt = MilliSeconds(200);
        Window again(1000);
        again.Lose(800);
        Window once(800);
        const double first = again.After(Seconds(9), rtt);
        Simulator::Destroy();
        const double other = once.After(Seconds(9), rtt);
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ_TOL(first, 0.85 * 800, 15, "rests at 0.85 of the window");
        NS_TEST_EXPECT_MSG_EQ_TOL(other, 800, 15, "and alone at the window");
    }
};

/// Rounded towards the plateau as Linux does, the window is back there a second before K.
class BackEarly : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Window window(20);
        const double k = std::cbrt(6 / 0.4);
        const Time early = Seconds(k) - Seconds(1);
        NS_TEST_EXPECT_MSG_EQ(window.After(early, MilliSeconds(200)), 20, "at " << early.As());
        Simulator::Destroy();
    }
};

/// A window may be less than a segment, once the MSS has grown.
class LessThanASegment : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Window window(10);
        window.tcb->m_ssThresh = 0; // no slow start
        window.tcb->m_cWnd = MSS / 2;
        const double seen = window.After(Seconds(1), MilliSeconds(10));
        NS_TEST_EXPECT_MSG_GT(seen, 1, "it grows");
        window.tcb->m_cWnd = MSS / 2;
        window.cubic.IncreaseWindow(window.tcb, 1000000);
        NS_TEST_EXPECT_MSG_GT(window.tcb->m_cWnd, MSS, "whatever is acknowledged");
        Simulator::Destroy();
    }
};

/// Time in which the window is not used up is not part of the curve (RFC 9438, 4.2 and 5.8).
class LeavesPausesOut : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Time rtt = MilliSeconds(200);
        for (const bool idle : {true, false})
        {
            Window window(1000);
            const double before = window.After(Seconds(5), rtt);
            Simulator::Schedule(Seconds(20), [&]() {
                if (idle)
                {
                    window.cubic.CwndEvent(window.tcb, TcpSocketState::CA_EVENT_TX_START);
                    return;
                }
                window.tcb->m_isCwndLimited = false;
                window.cubic.IncreaseWindow(window.tcb, 1);
                window.tcb->m_isCwndLimited = true;
            });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(window.tcb->m_cWnd / MSS, before, "as it was");
            const double seen = window.After(Seconds(2), rtt);
            const double curve = 1000 + 0.4 * std::pow(7 - std::cbrt(300 / 0.4), 3);
            NS_TEST_EXPECT_MSG_EQ_TOL(seen, curve, 10, "as if there had been no pause");
            Simulator::Destroy();
        }
    }
};

/// A timeout begins everything afresh (RFC 9438, 4.8): what was acknowledged before counts no more.
class ForgetsAtTimeout : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto grownWith = [](uint32_t before) {
            Window window(20);
            window.tcb->m_cWnd = 4 * MSS;
            window.tcb->m_ssThresh = 0; // no slow start
            window.cubic.IncreaseWindow(window.tcb, before);
            window.cubic.CongestionStateSet(window.tcb, TcpSocketState::CA_LOSS);
            window.tcb->m_cWnd = 4 * MSS;
            uint32_t acknowledged = 0;
            while (window.tcb->m_cWnd == 4 * MSS && acknowledged < 1000)
            {
                window.cubic.IncreaseWindow(window.tcb, 1);
                ++acknowledged;
            }
            return acknowledged;
        };
        const uint32_t afresh = grownWith(0);
        for (const uint32_t before : {1, 2, 3, 5, 7, 11})
        {
            NS_TEST_EXPECT_MSG_EQ(grownWith(before), afresh, before << " acknowledged before");
        }
        Simulator::Destroy();
    }
};

const Suite g_cubicSuite("cubic",
                         {new SlowStartEnds("slow start ends when the path is full"),
                          new FollowsTheCurve("the window follows CUBIC's curve"),
                          new FriendlyToReno("a small window grows like Reno's"),
                          new LeavesPausesOut("a pause is no part of the curve"),
                          new ForgetsAtTimeout("a timeout begins afresh"),
                          new LessThanASegment("a window of less than a segment grows, too"),
                          new BackEarly("a window of some tens is back early"),
                          new MakesRoom("fast convergence")}); //!< registers itself

} // namespace
