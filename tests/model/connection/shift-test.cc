/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Values that are a cycle apart, shifted onto each other. That a shifted value goes on as the
 * original would, every packet script shows.
 */

#include "packet-script.h"
#include "pair.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;
using namespace ns3::study::tcp;

namespace
{

constexpr Nanos CYCLE = 200us + 5ms + 15us; //!< there and back, attention, reply

/// @return settings of a packet script
ConnectionSettings
Make(const std::vector<std::pair<std::string, std::string>>& settings)
{
    ConnectionSettings made;
    for (const auto& [name, value] : settings)
    {
        SetByName(made, name, value);
    }
    return made;
}

/// A steady exchange: two segments, and one ACK of both 5 ms later.
struct Exchange : Pair
{
    explicit Exchange(const std::string& growth,
                      const std::string& smallWindow = "rfc1122",
                      uint64_t octets = 100000000,
                      const std::string& firstWindow = "0")
        : Pair(Make({{"ReplyTime", "15us"},
                     {"Nagle", "false"},
                     {"AckFrequency", "2"},
                     {"FirstWindow", firstWindow},
                     {"CongestionControl", growth},
                     {"SillyWindowAvoidance", smallWindow}}),
               Make({{"Window", "2920"}, {"AckLatency", "5ms"}, {"Nagle", "false"}}),
               100us)
    {
        Give(0, &Connection::Open);
        RunUntil(1ms);
        Write(1, 10); // once
        Write(0, octets);
        RunUntil(99ms);
    }

    /// @return an end as the proof of cycles compares it, and with `loosen` what decides under a
    /// condition only apart from it
    std::pair<Connection, LooseState> Take(int end, bool loosen = true) const
    {
        End taken = m_ends[end];
        LooseState loose;
        if (loosen)
        {
            loose = taken.connection.Loosen(m_now, 5ms, Nanos::max());
        }
        taken.Shift(m_now);
        return {taken.connection, loose};
    }

    /// @return true if an end is as a cycle before
    bool Repeats(const Exchange& before, int end, bool loosen = true) const
    {
        return before.Take(end, loosen).first == Take(end, loosen).first;
    }
};

/// A value that kept an instant or a number of the past would never be equal to a later one, and
/// the proof of a cycle would not come about. If a copy shared anything with its original, it would
/// be equal to it whenever it is looked at.
class CyclesAreEqual : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const std::string growth : {"newreno", "reno", "cubic"})
        {
            Exchange exchange(growth);
            for (int cycle = 0; cycle < 5; ++cycle)
            {
                const Exchange before = exchange;
                exchange.RunUntil(exchange.m_now + CYCLE);
                for (const int end : {0, 1})
                {
                    const bool same = exchange.Repeats(before, end);
                    NS_TEST_EXPECT_MSG_EQ(same, true, "end " << end << ", cycle " << cycle);
                }
            }
            exchange.RunUntil(exchange.m_now + 1ms);
            Exchange later = exchange;
            later.RunUntil(exchange.m_now + 1us);
            const bool same = later.Repeats(exchange, 0);
            NS_TEST_EXPECT_MSG_EQ(same, false, "what is in flight has gone on by a microsecond");
            Exchange copy = exchange;
            exchange.RunUntil(exchange.m_now + 10 * CYCLE);
            const auto equal = [&](int end) {
                return copy.m_ends[end].connection == exchange.m_ends[end].connection;
            };
            NS_TEST_EXPECT_MSG_EQ(equal(0) || equal(1), false, "the original has gone on");
            copy.RunUntil(exchange.m_now);
            NS_TEST_EXPECT_MSG_EQ(equal(0) && equal(1), true, "and the copy as far");
        }
        // The whole value repeats as well, once the estimate has converged.
        Exchange exchange("cubic");
        for (const int cycles : {0, 300})
        {
            exchange.RunUntil(99ms + cycles * CYCLE);
            const Exchange before = exchange;
            exchange.RunUntil(exchange.m_now + CYCLE);
            const bool same = exchange.Repeats(before, 0, false);
            NS_TEST_EXPECT_MSG_EQ(same, (cycles > 0), "all of it after " << cycles << " cycles");
        }
    }
};

/// A host measures the round trip that its own window grows by from when data last came. Taken for
/// state, that instant would hold up each cycle in which none come.
class AQuietReceiverRepeats : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Exchange exchange("cubic", "rfc1122", 100000000, "2920");
        const Exchange before = exchange;
        exchange.RunUntil(exchange.m_now + CYCLE);
        NS_TEST_EXPECT_MSG_EQ(exchange.Repeats(before, 0), true, "no data have come since");
        constexpr std::size_t MEASURES = 5; // behind timeout, pause, ACK policy and pace
        const auto apart = [&](const Exchange& at) {
            return at.Take(0).second.timers.at(MEASURES);
        };
        const Nanos quiet = apart(before).sinceStart;
        NS_TEST_EXPECT_MSG_EQ((quiet > CYCLE), true, "before the cycle: " << quiet.count());
        const bool same = apart(before).values == apart(exchange).values;
        NS_TEST_EXPECT_MSG_EQ(same, false, "and they would matter if any had");
        exchange.Write(1, 10);
        exchange.RunUntil(exchange.m_now + CYCLE);
        const Nanos since = apart(exchange).sinceStart;
        NS_TEST_EXPECT_MSG_EQ((since < CYCLE), true, "they have: " << since.count());

        Connection skipped = before.m_ends[0].connection;
        skipped.Skip(before.m_now, 10 * CYCLE, {}, 10);
        const LooseState loose = skipped.Loosen(before.m_now, 5ms, Nanos::max());
        NS_TEST_EXPECT_MSG_EQ((loose.timers.at(MEASURES).sinceStart - quiet).count(),
                              Nanos(10 * CYCLE).count(),
                              "the time of the cycles taken off is in it");
    }
};

/// Were the wait of a host that goes by its retransmission timeout taken for the longer one of
/// RFC 1122, a cycle would be proven in which that timer expires.
class OverrideIsNoLonger : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Exchange exchange("newreno", "burst");
        const Nanos timeout = exchange.m_ends[0].connection.GetRecovery().m_timeout.Get();
        const Nanos leastLeft = exchange.Take(0).second.timers.back().leastLeft;
        NS_TEST_EXPECT_MSG_EQ((leastLeft <= timeout), true, leastLeft.count() << " ns");
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

/// What no window reaches decides nothing: with less of it, all goes on as before.
class FarOctets : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Exchange whole("newreno", "rfc1122", 65000);
        Exchange less = whole;
        const Connection& connection = whole.m_ends[0].connection;
        const uint32_t unsent = connection.GetBuffered() - connection.GetOutstanding();
        const uint32_t far = connection.CountFar();
        NS_TEST_EXPECT_MSG_EQ(far, unsent - 2920 - 2 * 1460, "behind the window and two segments");
        less.m_ends[0].connection.TakeBack(far);
        NS_TEST_EXPECT_MSG_EQ(less.m_ends[0].connection.CountFar(), 0, "taken back");
        for (Exchange* exchange : {&whole, &less})
        {
            exchange->RunUntil(exchange->m_now + CYCLE);
        }
        const auto equal = [&]() {
            return whole.m_ends[0].connection == less.m_ends[0].connection;
        };
        NS_TEST_EXPECT_MSG_EQ(equal(), false, "one has less to send");
        whole.m_ends[0].connection.ForgetUnsent();
        less.m_ends[0].connection.ForgetUnsent();
        NS_TEST_EXPECT_MSG_EQ(equal(), true, "and nothing else is otherwise");
        const uint32_t full = Exchange("newreno").m_ends[0].connection.CountFar();
        NS_TEST_EXPECT_MSG_EQ(full, 0, "a full buffer has a say in small segments");
    }
};

const Suite g_suite(
    "connection-shift",
    {new CyclesAreEqual("both ends are equal cycle by cycle, the estimate of the round trip apart"),
     new AQuietReceiverRepeats("a receiver to which no data come has nothing that goes on"),
     new FarOctets("octets in the send buffer that no window reaches"),
     new SkippedSamples("samples of skipped cycles"),
     new OverrideIsNoLonger(
         "the override timer of a host with small bursts runs for one timeout at least")});

} // namespace
