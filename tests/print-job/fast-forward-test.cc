/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * When CycleDetector takes a run for one that repeats itself, and when not.
 */

#include "model/proof/cycle-detector.h"
#include "tests/suite.h"

#include <functional>
#include <optional>
#include <string>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// Stretches of a made-up run, a second each, in which a total grows by 10.
class MadeUpRun
{
  public:
    /**
     * @brief Go on by a stretch.
     * @param event what happens in it
     * @param value the state at its end
     * @param timerValue what of the state decides only when a timer expires
     * @param leastLeft how long that timer runs on at least
     * @param sinceStart how long ago it was started
     * @return the cycle, if it is proven
     */
    std::optional<CycleDetector::Cycle> Go(int64_t event,
                                           int64_t value,
                                           int64_t timerValue = 0,
                                           Time leastLeft = Seconds(9),
                                           Time sinceStart = Seconds(0))
    {
        StateRecord state;
        state.Add(value);
        state.AddForTimer(leastLeft, sinceStart, timerValue);
        return Go(event, state);
    }

    /**
     * @brief Go on by a stretch.
     * @param event what happens in it
     * @param state the state at its end
     * @return the cycle, if it is proven
     */
    std::optional<CycleDetector::Cycle> Go(int64_t event, const StateRecord& state)
    {
        now += Seconds(1);
        total += 10;
        detector.Note({event});
        return detector.Mark(now, state, {total});
    }

    /**
     * @param cycle stretches in the cycle
     * @param most how many stretches to try
     * @return after how many stretches the cycle was proven; 0 if it was not
     */
    std::size_t ProvenAfter(std::size_t cycle, std::size_t most)
    {
        for (std::size_t i = 1; i <= most; ++i)
        {
            if (Go(i % cycle, 7))
            {
                return i;
            }
        }
        return 0;
    }

    CycleDetector detector; //!< what is tested
    Time now;               //!< the instant
    int64_t total{0};       //!< grows by 10 a stretch
};

/// One repeat proves a cycle.
class RepeatsProve : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // The first stretch has no growth of its own, so it equals none.
        NS_TEST_EXPECT_MSG_EQ(MadeUpRun().ProvenAfter(1, 100), 3, "the third is as the second");
        NS_TEST_EXPECT_MSG_EQ(MadeUpRun().ProvenAfter(5, 100), 7, "the seventh is as the second");
        MadeUpRun run;
        run.ProvenAfter(5, 100);
        const auto cycle = run.Go(8 % 5, 7);
        NS_TEST_ASSERT_MSG_EQ(cycle.has_value(), true, "it goes on");
        NS_TEST_EXPECT_MSG_EQ(cycle->length, Seconds(5), "five stretches of a second");
        NS_TEST_EXPECT_MSG_EQ(cycle->growth.at(0), 50, "five stretches of 10");
    }
};

/// Whatever differs in the last repeat, there is no cycle.
class AnyDifferenceCounts : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto differs = [this](const std::string& what, std::function<bool(MadeUpRun&)> last) {
            MadeUpRun run;
            NS_TEST_EXPECT_MSG_EQ(run.ProvenAfter(1, 2), 0, "not yet");
            NS_TEST_EXPECT_MSG_EQ(last(run), false, what << " differs");
        };
        differs("an event", [](MadeUpRun& run) { return run.Go(1, 7).has_value(); });
        differs("the state", [](MadeUpRun& run) { return run.Go(0, 8).has_value(); });
        differs("the time", [](MadeUpRun& run) {
            run.now += NanoSeconds(1);
            return run.Go(0, 7).has_value();
        });
        differs("a total", [](MadeUpRun& run) {
            run.total += 1;
            return run.Go(0, 7).has_value();
        });
        differs("the number of events", [](MadeUpRun& run) {
            run.detector.Note({0});
            return run.Go(0, 7).has_value();
        });
        MadeUpRun run;
        run.ProvenAfter(1, 2);
        NS_TEST_EXPECT_MSG_EQ(run.Go(0, 7).has_value(), true, "and when nothing does, there is");
    }
};

/// A timer's state does not hold up cycles in which it cannot expire.
class TimersCountWhereTheyCanExpire : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // Cycles of two steps of a second; the timer's state is never the same twice.
        const auto proven = [](Time leastLeft, Time sinceStart) {
            MadeUpRun run;
            bool any = false;
            for (int64_t i = 0; i < 50; ++i)
            {
                any = run.Go(i % 2, 7, i, leastLeft, sinceStart).has_value() || any;
            }
            return any;
        };
        NS_TEST_EXPECT_MSG_EQ(proven(Seconds(1), Seconds(0)), false, "it can expire");
        NS_TEST_EXPECT_MSG_EQ(proven(Seconds(2), Seconds(0)), true, "each step is over before");
        NS_TEST_EXPECT_MSG_EQ(proven(Seconds(1), Seconds(2)), false, "started within the cycle");
        NS_TEST_EXPECT_MSG_EQ(proven(Seconds(1), Seconds(3)), true, "started before the cycle");

        // Steps of a second and of three.
        const auto provenBefore = [](Time leftBeforeShort, Time leftBeforeLong) {
            MadeUpRun run;
            bool any = false;
            for (int64_t i = 0; i < 50; ++i)
            {
                const bool wasLong = i % 2 == 0;
                run.now += wasLong ? Seconds(2) : Seconds(0);
                const Time left = wasLong ? leftBeforeShort : leftBeforeLong;
                any = run.Go(i % 2, 7, i, left).has_value() || any;
            }
            return any;
        };
        NS_TEST_EXPECT_MSG_EQ(provenBefore(Seconds(2), Seconds(4)), true, "it outlasts each");
        NS_TEST_EXPECT_MSG_EQ(provenBefore(Seconds(4), Seconds(3)), false, "not the long one");
        NS_TEST_EXPECT_MSG_EQ(provenBefore(Seconds(1), Seconds(4)), false, "not the short one");

        // It first starts in the long step of what looks like a cycle.
        MadeUpRun run;
        bool any = run.Go(5, 7, 0, Seconds(2), Time::Max()).has_value();
        for (int64_t i = 0; i < 4; ++i)
        {
            const bool wasLong = i % 3 == 2;
            run.now += wasLong ? Seconds(2) : Seconds(0);
            const Time sinceStart = i < 2 ? Time::Max() : wasLong ? Seconds(2) : Seconds(3);
            any = run.Go(i % 3, 7, i, Seconds(2), sinceStart).has_value() || any;
        }
        NS_TEST_EXPECT_MSG_EQ(any, false, "it ran from another phase");
    }
};

/// A store of which there is enough may grow, and nothing else.
class ReservesMayGrow : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto last = [](
                              std::function<double(int64_t)> amount,
                              std::function<uint64_t(int64_t)> shorts,
                              std::function<double(int64_t)> rest = [](int64_t) { return 0; }) {
            MadeUpRun run;
            std::optional<CycleDetector::Cycle> cycle;
            for (int64_t i = 0; i < 20; ++i)
            {
                StateRecord state;
                state.AddReserve(amount(i), shorts(i), rest(i));
                cycle = run.Go(0, state);
            }
            return cycle;
        };
        const auto growing = [](int64_t i) { return 0.1 * static_cast<double>(i); };
        const auto never = [](int64_t) { return uint64_t{3}; };
        const auto always = [](int64_t i) { return static_cast<uint64_t>(i); };
        const auto equal = last([](int64_t) { return 0.1; }, always);
        NS_TEST_ASSERT_MSG_EQ(equal.has_value(), true, "equal to the last bit: whatever it lacks");
        NS_TEST_EXPECT_MSG_EQ(equal->reserveGrows.at(0), false, "it does not grow");
        const auto same = [](int64_t) { return 0.1; };
        const auto filling = last(same, never, growing);
        NS_TEST_ASSERT_MSG_EQ(filling.has_value(), true, "it will be more, and that is no matter");
        NS_TEST_EXPECT_MSG_EQ(filling->reserveGrows.at(0), true, "nothing of the rest is lost");
        NS_TEST_EXPECT_MSG_EQ(last(same, always, growing).has_value(),
                              false,
                              "it will be more, and that changes something");
        const auto grows = last(growing, never);
        NS_TEST_ASSERT_MSG_EQ(grows.has_value(), true, "more of it changes nothing");
        NS_TEST_EXPECT_MSG_EQ(grows->reserveGrows.at(0), true, "it grows");
        NS_TEST_EXPECT_MSG_EQ(last(growing, always).has_value(), false, "more changes something");
        const auto shrinking = [](int64_t i) { return -static_cast<double>(i); };
        NS_TEST_EXPECT_MSG_EQ(last(shrinking, never).has_value(), false, "it will be too small");
        // Up and down, and never enough.
        const auto sawtooth = [](int64_t i) { return static_cast<double>(i % 5); };
        const auto five = last(sawtooth, always);
        NS_TEST_ASSERT_MSG_EQ(five.has_value(), true, "it is as it was after five");
        NS_TEST_EXPECT_MSG_EQ(five->growth.at(0), 50, "five stretches of 10");
        NS_TEST_EXPECT_MSG_EQ(five->reserveGrows.at(0), false, "it does not grow");
        const auto twenty = [](int64_t i) { return static_cast<double>(i % 20); };
        NS_TEST_EXPECT_MSG_EQ(last(twenty, always).has_value(), false, "not as it was yet");
    }
};

/// Chance, recovery, and cycles that are too long.
class KnowsWhenToStop : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        StateRecord chance;
        chance.SetUnprovable(Obstacle::CHANCE);
        MadeUpRun random;
        random.Go(0, chance);
        NS_TEST_EXPECT_MSG_EQ(random.detector.HasGivenUp(), true, "chance");
        NS_TEST_EXPECT_MSG_EQ(random.ProvenAfter(1, 100), 0, "for good");

        MadeUpRun unsettled;
        unsettled.ProvenAfter(1, 2);
        StateRecord grows;
        grows.SetUnsettled(Obstacle::RECOVERY);
        unsettled.Go(0, grows);
        NS_TEST_EXPECT_MSG_EQ(unsettled.ProvenAfter(1, 100), 3, "all of it again");

        MadeUpRun endless;
        endless.ProvenAfter(1000000, CycleDetector::MOST_STRETCHES);
        NS_TEST_EXPECT_MSG_EQ(endless.detector.HasGivenUp(), false, "still looking");
        endless.Go(0, 7);
        NS_TEST_EXPECT_MSG_EQ(endless.detector.HasGivenUp(), true, "long enough");
    }
};

/// A state without what is in flight is like no other.
class WholeStatesProve : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        MadeUpRun late;
        std::size_t proven = 0;
        for (std::size_t i = 1; i <= 20 && proven == 0; ++i)
        {
            proven =
                Go(late, i % 5, [&](const StateRecord& s) { return late.detector.MayRepeat(s); })
                    ? i
                    : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(proven, 11, "five outlines, five whole states, and one as before");

        MadeUpRun gaps;
        bool isProven = false;
        for (std::size_t i = 0; i < 40; ++i)
        {
            isProven |= Go(gaps, i % 5, [i](const auto&) { return i % 5 != 3; });
        }
        NS_TEST_EXPECT_MSG_EQ(isProven, false, "nobody knows how one of the five ended");
    }

    /// Go on by a stretch. @return true if a cycle is proven
    static bool Go(MadeUpRun& run,
                   int64_t event,
                   const std::function<bool(const StateRecord&)>& isWhole)
    {
        StateRecord state;
        state.Add(event);
        state.isWhole = isWhole(state);
        if (state.isWhole)
        {
            state.AddForTimer(Seconds(9), Seconds(0), 0);
        }
        return run.Go(event, state).has_value();
    }
};

/// What is kept has an end, however long a stretch is, and however many there are.
class KeepsOnlySoMuch : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        CycleDetector one;
        for (std::size_t i = 0; i < CycleDetector::MOST_IN_STRETCH; ++i)
        {
            one.Note({0});
        }
        NS_TEST_EXPECT_MSG_EQ(one.HasGivenUp(), false, "as many as may be");
        one.Note({0});
        NS_TEST_EXPECT_MSG_EQ(one.HasGivenUp(), true, "one more");

        MadeUpRun many;
        constexpr std::size_t inEach = CycleDetector::MOST_IN_STRETCH / 2;
        std::size_t stretches = 0;
        constexpr std::size_t enough = CycleDetector::MOST_NUMBERS / inEach;
        while (!many.detector.HasGivenUp() && stretches < 2 * enough)
        {
            for (std::size_t i = 0; i < inEach; ++i)
            {
                many.detector.Note({0});
            }
            many.Go(static_cast<int64_t>(++stretches), 7); // each another
        }
        // Besides what was noted of each, there are its state and its growth.
        NS_TEST_EXPECT_MSG_EQ(stretches, enough, "what is in former stretches counts");

        CycleDetector afresh;
        for (int part = 0; part < 2; ++part)
        {
            for (std::size_t i = 0; i < CycleDetector::MOST_IN_STRETCH; ++i)
            {
                afresh.Note({0});
            }
            afresh.Reset();
        }
        NS_TEST_EXPECT_MSG_EQ(afresh.HasGivenUp(), false, "what is forgotten does not count");
    }
};

const Suite g_fastForwardSuite(
    "fast-forward",
    {new RepeatsProve("a cycle is proven by one repeat, with its length and growth"),
     new AnyDifferenceCounts("an event, the state, the time or a total that differs: no cycle"),
     new TimersCountWhereTheyCanExpire(
         "a timer's state counts where a step is as long as it runs, and where it runs"),
     new ReservesMayGrow(
         "a reserve that grows and suffices is no obstacle; one that shrinks, or grows "
         "and was too small in a repeat, is"),
     new KnowsWhenToStop(
         "it gives up on chance and on what does not repeat, and starts afresh after "
         "what is not settled"),
     new WholeStatesProve(
         "a cycle has whole states only: where they are completed at a repeat, it is "
         "proven a cycle later, and never across a state that is not whole"),
     new KeepsOnlySoMuch(
         "a detector that would keep too many numbers gives up, and a proof needs fewer")});

} // namespace
