/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Copies of a connection, and values that are a cycle apart, shifted onto each other.
 */

#include "pair.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;
using namespace ns3::study::tcp;

namespace
{

constexpr Nanos CYCLE = 200us + 5ms + 15us; //!< there and back, attention, reply

/// @return a host that sends without Nagle's algorithm
ConnectionSettings
MakeHost()
{
    ConnectionSettings host;
    host.replyTime = 15us;
    host.nagle = false;
    host.acks.frequency = 2;
    return host;
}

/// @return a pair in a steady exchange: two segments, and one ACK of both 5 ms later
Pair
MakePair(const ConnectionSettings& host)
{
    ConnectionSettings device;
    device.window = 2920;
    device.attention.bulk = 5ms;
    device.nagle = false;
    Pair pair(host, device, 100us);
    pair.m_ends[0].toWrite = 100000000;
    pair.m_ends[1].toWrite = 10; // once, at the beginning
    pair.Give(0, Open{});
    return pair;
}

/// A value as the proof of cycles compares it.
struct Shifted
{
    Connection connection;
    LooseState loose;
};

/// @param loosen what decides under a condition only is taken out
Shifted
Take(const Pair& pair, int end, bool loosen = true)
{
    const auto sent = [&pair](int of) {
        return pair.m_ends[of].connection.GetRecovery().GetNext() -
               pair.m_ends[of].connection.GetRecovery().GetSegments().GetTotal() - 1;
    };
    Shifted shifted{pair.m_ends[end].connection, {}};
    if (loosen)
    {
        shifted.loose = shifted.connection.Loosen(pair.m_now, 5ms, Nanos::max());
    }
    // No segment is in flight at the instants that are compared.
    shifted.connection.Shift(pair.m_now, sent(end), sent(1 - end));
    return shifted;
}

/// A value that kept an instant or a number of the past would never be equal to a later one, and
/// the proof of a cycle would not come about.
class CyclesAreEqual : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const GrowthRule rule : {GrowthRule::NEWRENO, GrowthRule::RENO, GrowthRule::CUBIC})
        {
            ConnectionSettings host = MakeHost();
            host.recovery.growth = rule;
            Pair pair = MakePair(host);
            pair.RunUntil(99ms);
            for (int cycle = 0; cycle < 5; ++cycle)
            {
                const Pair before = pair;
                pair.RunUntil(pair.m_now + CYCLE);
                for (const int end : {0, 1})
                {
                    const bool same = Take(before, end).connection == Take(pair, end).connection;
                    NS_TEST_EXPECT_MSG_EQ(same, true, "end " << end << ", cycle " << cycle);
                }
            }
            pair.RunUntil(pair.m_now + 1ms);
            Pair later = pair;
            later.RunUntil(pair.m_now + 1us);
            const bool same = Take(pair, 0).connection == Take(later, 0).connection;
            NS_TEST_EXPECT_MSG_EQ(same, false, "what is in flight has gone on by a microsecond");
        }
        // The whole value repeats as well, once the estimate has converged.
        ConnectionSettings host = MakeHost();
        host.recovery.growth = GrowthRule::CUBIC;
        Pair pair = MakePair(host);
        for (const int cycles : {0, 300})
        {
            pair.RunUntil(99ms + cycles * CYCLE);
            const Pair before = pair;
            pair.RunUntil(pair.m_now + CYCLE);
            const bool same = Take(before, 0, false).connection == Take(pair, 0, false).connection;
            NS_TEST_EXPECT_MSG_EQ(same, (cycles > 0), "all of it after " << cycles << " cycles");
        }
    }
};

/// Were something forgotten that decides, the shifted value would go another way.
class GoesOnTheSame : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // Ticks, delayed ACKs, timestamps, SACK, RACK, losses: whatever has an instant or a number.
        for (const int variant : {0, 1, 2, 3, 4, 5})
        {
            ConnectionSettings one = MakeHost();
            one.nagle = variant % 2 == 1;
            one.timestamps = one.sack = one.recovery.rack = variant >= 2;
            one.recovery.growth = variant >= 4 ? GrowthRule::CUBIC : GrowthRule::RENO;
            one.clock = one.recovery.timeout.clock =
                TimerClock(variant == 3 ? 10ms : 1ms, variant >= 4);
            ConnectionSettings other = one;
            other.acks.timeout = 40ms;
            other.acks.clock = one.clock;
            other.acks.timer = variant == 1 ? DelayedAck::FREE_RUNNING : DelayedAck::ONE_SHOT;
            Pair pair(one, other, 7ms);
            pair.m_ends[0].toWrite = 400000;
            pair.Give(0, Open{});
            for (const Nanos from : {31ms, 77ms, 310ms})
            {
                pair.RunUntil(from);
                Pair shifted = pair;
                // Whole milliseconds, which timestamps count in.
                shifted.Shift(from, 1000, 0);
                Pair original = pair;
                int data = 0;
                const auto loses = [&data](const Pair::Sent& sent) {
                    return sent.segment.payload > 0 && ++data % 40 == 3;
                };
                original.m_loses = shifted.m_loses = loses;
                const std::size_t begin = original.m_sent.size();
                original.RunUntil(from + 3s);
                data = 0;
                shifted.RunUntil(3s);
                const std::size_t sent = original.m_sent.size();
                NS_TEST_EXPECT_MSG_EQ(shifted.m_sent.size(), sent, "segments, " << variant);
                bool same = true;
                for (std::size_t i = begin; same && i < sent; ++i)
                {
                    Pair::Sent each = original.m_sent[i];
                    each.segment.Shift(from, each.from == 0 ? 1000 : 0, each.from == 0 ? 0 : 1000);
                    same = i < shifted.m_sent.size() && shifted.m_sent[i].at == each.at - from &&
                           shifted.m_sent[i].segment == each.segment;
                    NS_TEST_EXPECT_MSG_EQ(same, true, "segment " << i << ", variant " << variant);
                }
            }
        }
    }
};

/// A clock that stood still where time was skipped would let timers expire at other ticks.
class SkippedTimeTicks : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TimerClock skipped(10ms);
        skipped.Shift(3ms);
        NS_TEST_EXPECT_MSG_EQ((skipped.ToNextTick(1ms, 20ms) == 27ms), true, "30 ms, less 3");
        NS_TEST_EXPECT_MSG_EQ((skipped.GetPhase(1ms, 20ms) == 4ms), true, "phase");
        TimerClock wheel(1ms, true);
        TimerClock shifted = wheel;
        shifted.Shift(1234567us);
        NS_TEST_EXPECT_MSG_EQ(
            (shifted.ToNextTick(100us, 300ms) + 1234567us == wheel.ToNextTick(1234667us, 300ms)),
            true,
            "the wheel's bucket");
    }
};

/// Were the wait of a host that goes by its retransmission timeout taken for the longer one of
/// RFC 1122, a cycle would be proven in which that timer expires.
class OverrideIsNoLonger : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ConnectionSettings host = MakeHost();
        host.smallWindow = SmallWindowRule::BURST;
        Pair pair = MakePair(host);
        pair.RunUntil(99ms);
        const Nanos timeout = pair.m_ends[0].connection.GetRecovery().Timeout().Get();
        const Nanos leastLeft = Take(pair, 0).loose.timers.back().leastLeft;
        NS_TEST_EXPECT_MSG_EQ((leastLeft <= timeout), true, leastLeft.count() << " ns");
    }
};

/// If a copy shared anything with its original, running one would change the other.
class CopyIsWhole : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Pair pair = MakePair(MakeHost());
        pair.RunUntil(33ms);
        Pair copy = pair;
        pair.RunUntil(40ms);
        const auto same = [&](int end) {
            return copy.m_ends[end].connection == pair.m_ends[end].connection;
        };
        NS_TEST_EXPECT_MSG_EQ(same(0) || same(1), false, "the original has gone on");
        copy.RunUntil(40ms);
        NS_TEST_EXPECT_MSG_EQ(same(0) && same(1), true, "and the copy as far");
        NS_TEST_EXPECT_MSG_EQ(copy.m_sent.size(), pair.m_sent.size(), "segments sent");
    }
};

/// The samples of skipped cycles leave the same estimate as when they are measured one by one.
class SkippedSamples : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        RetransmissionTimeout skipped({.least = 1ms});
        skipped.Measure(80ms);
        RetransmissionTimeout measured = skipped;
        for (int i = 0; i < 1000; ++i)
        {
            measured.Measure(90ms);
            measured.Measure(91ms);
        }
        skipped.MeasureCycles({90ms, 91ms}, 1000);
        NS_TEST_EXPECT_MSG_EQ(skipped.Get().count(), measured.Get().count(), "timeouts");
        skipped.BackOff();
        const Nanos before = skipped.Get();
        skipped.MeasureCycles({90ms, 91ms}, 1000);
        NS_TEST_EXPECT_MSG_EQ((skipped.Get() == before), true, "nothing new: still backed off");
    }
};

const Suite g_suite(
    "connection-shift",
    {new CopyIsWhole("a copy is equal, and goes on as the original does"),
     new CyclesAreEqual("both ends are equal cycle by cycle, the estimate of the round trip apart"),
     new GoesOnTheSame(
         "a shifted value sends what the original sends, at instants and numbers as shifted"),
     new SkippedTimeTicks(
         "a timer that is started after skipped time expires at a tick of the whole time"),
     new SkippedSamples("samples of skipped cycles"),
     new OverrideIsNoLonger(
         "the override timer of a host with small bursts runs for one timeout at least")});

} // namespace
