/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How a run ends: once, and for the first of its reasons.
 */

#include "model/program/transfer-run.h"
#include "tests/suite.h"

#include "ns3/simulator.h"

#include <functional>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A run of nothing but what a test does at known instants.
class EmptyRun : public TransferRun
{
  public:
    /**
     * @param parameters no others than defaults
     * @param script called in the fresh simulator
     */
    EmptyRun(const ParameterSet& parameters, const std::function<void(EmptyRun&)>& script)
        : TransferRun(parameters, NO_FILES, "job"),
          m_script(script)
    {
    }

    using TransferRun::End;
    using TransferRun::Outcome;
    using TransferRun::Progress;
    using TransferRun::SetTimeLeft;
    using TransferRun::WatchForStall;

    bool atWork{false}; //!< something is

  private:
    void Build() override
    {
        m_script(*this);
    }

    void Report(JsonObject& record) override
    {
        AddOutcome(record, 3000, m_ended);
    }

    bool IsAtWork() const override
    {
        return atWork;
    }

    std::string DescribeWait() const override
    {
        return "waits";
    }

    void Ended() override
    {
        m_ended += Simulator::Now(); // a second time would show
        Simulator::Stop();
    }

    static const RunFiles NO_FILES; //!< leaves none

    std::function<void(EmptyRun&)> m_script; //!< what happens
    Time m_ended;                            //!< when it ended
};

const RunFiles EmptyRun::NO_FILES;

/// Scripts and the records they leave.
class EndsOnce : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Expect(R"("stalled","reason":"waits","bytes":3000,"duration_s":4.000000000,)"
               R"("throughput_Bps":null)",
               [](EmptyRun& run) { run.WatchForStall(Seconds(4)); });
        Expect(R"("stalled","reason":"waits","bytes":3000,"duration_s":7.000000000,)"
               R"("throughput_Bps":null)",
               [](EmptyRun& run) {
                   run.WatchForStall(Seconds(4));
                   Simulator::Schedule(Seconds(3), [&run]() { run.Progress(); });
               });
        // Looked at after 4, 8 and 12 s: at work the first two times.
        Expect(R"("stalled","reason":"waits","bytes":3000,"duration_s":12.000000000,)"
               R"("throughput_Bps":null)",
               [](EmptyRun& run) {
                   run.atWork = true;
                   run.WatchForStall(Seconds(4));
                   Simulator::Schedule(Seconds(9), [&run]() { run.atWork = false; });
               });
        Expect(
            R"("cut-off","reason":"the time limit was reached","bytes":3000,)"
            R"("duration_s":2.000000000,"throughput_Bps":null)",
            [](EmptyRun& run) { run.WatchForStall(Seconds(4)); },
            "2s");
        Expect(
            R"("finished","reason":"","bytes":3000,"duration_s":1.500000000,)"
            R"("throughput_Bps":2000)",
            [](EmptyRun& run) {
                Simulator::Schedule(MilliSeconds(1500), [&run]() {
                    run.End(EmptyRun::Outcome::FINISHED);
                    run.End(EmptyRun::Outcome::STALLED, "too late");
                });
            },
            "2s");
        Expect(
            R"("cut-off","reason":"the time limit was reached","bytes":3000,)"
            R"("duration_s":3.000000000,"throughput_Bps":null)",
            [](EmptyRun& run) {
                Simulator::Schedule(Seconds(1), [&run]() { run.SetTimeLeft(Seconds(2)); });
            },
            "2s");
    }

    /**
     * @param record what the record should say, from the outcome on
     * @param script what happens
     * @param timeLimit when the time limit ends it
     */
    void Expect(const std::string& record,
                const std::function<void(EmptyRun&)>& script,
                const std::string& timeLimit = "1000h")
    {
        ParameterSet parameters;
        parameters.AddType("job", RunLimits::GetTypeId());
        parameters.Set("time-limit", timeLimit);
        JsonObject told;
        EmptyRun(parameters, script).Run(told);
        NS_TEST_EXPECT_MSG_EQ(told.ToString(), R"({"outcome":)" + record + "}", "how it ended");
    }
};

const Suite g_transferRunSuite(
    "transfer-run",
    {new EndsOnce("a run ends once: done, stalled since the last progress, or at its time limit")});

} // namespace
