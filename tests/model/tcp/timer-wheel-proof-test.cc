/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What the proof of cycles is told of timers in Linux's timer wheel: no timer ends sooner, from
 * wherever in a beat, than it is said to run at least; and a phase says of which beat it is.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

const Time TICK = MilliSeconds(1);       //!< of the host's clock
constexpr int64_t COARSER = 8;           //!< ticks of a beat of what runs 63 of them and more
const Time ALMOST = MicroSeconds(1);     //!< what the host's own events take at most
const Time START = MilliSeconds(64 * 8); //!< a multiple of each beat
constexpr uint32_t SMALL = 1000;         //!< a segment that is not full [B]

/// @return a host with timers in the wheel, and a device a round trip of 40 ms away
TcpPair
InTheWheel()
{
    ObjectFactory host("ns3::study::HostTcpSocket");
    host.Set("TimerTick", TimeValue(TICK));
    host.Set("TimerWheel", BooleanValue(true));
    host.Set("MinimumRto", StringValue("2s"));
    host.Set("LossDetection", EnumValue(HostTcpSocket::RACK_TLP));
    host.Set("HostSack", BooleanValue(true));
    host.Set("InitialWindow", UintegerValue(10));
    host.Set("Nagle", BooleanValue(false));
    ObjectFactory device("ns3::study::DeviceTcpSocket", "DeviceSack", BooleanValue(true));
    device.Set("ReceiveWindow", UintegerValue(65535));
    ObjectFactory path("ns3::study::PathLink", "PathRate", DataRateValue(DataRate("20Mbps")));
    path.Set("PathDelay", TimeValue(MilliSeconds(20)));
    return {host, device, path};
}

/// @return what decides the host's course now
StateRecord
Describe(const TcpPair& pair)
{
    StateRecord state;
    DynamicCast<HostTcpSocket>(pair.hostSocket)->Describe(state);
    return state;
}

/// A probe after two round trips and 2 ms, some 84 ticks, has a bucket in every eighth of them.
class ProbeRunsAtLeast : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Time shortest = Time::Max(); // that a probe had to run, of all phases
        Time longest;                // that the record says it runs at least
        constexpr int phases = 20;
        for (int phase = 0; phase < phases; ++phase)
        {
            TcpPair pair = InTheWheel();
            pair.Write(SMALL);
            pair.RunUntil(START + phase * (COARSER + 1) * TICK / phases);
            pair.DeafenDevice();
            pair.WriteNow(SMALL);
            pair.RunUntil(Simulator::Now() + MicroSeconds(100)); // or else the two would be one
            pair.WriteNow(SMALL);
            pair.RunUntil(Simulator::Now() + MicroSeconds(100));
            const Time now = Simulator::Now();
            const StateRecord state = Describe(pair);
            const std::size_t sent = pair.HostData().size();
            pair.RunUntil(now + Seconds(1));
            NS_TEST_ASSERT_MSG_GT(pair.HostData().size(), sent, "a probe, from phase " << phase);
            const Time left = pair.HostData()[sent].time - now;
            const auto told = std::find_if(
                state.timerValues.begin(),
                state.timerValues.end(),
                [left](const auto& each) { return Abs(left - TimeStep(each.value)) < ALMOST; });
            NS_TEST_ASSERT_MSG_EQ((told != state.timerValues.end()), true, "the record has it");
            shortest = std::min(shortest, left);
            longest = std::max(longest, told->leastLeft);
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(longest, shortest + ALMOST, "what the record says, and is");
    }
};

/// The phase of a beat of one tick and that of a beat of eight are never taken for each other.
class PhaseTellsItsBeat : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        constexpr std::size_t phase = 4; // behind estimate, variation, timeout and what is left
        TcpPair pair = InTheWheel();
        pair.RunUntil(START);
        const StateRecord before = Describe(pair);
        pair.WriteNow(SMALL); // it is watched for more than 63 ticks
        pair.RunUntil(2 * START);
        const StateRecord after = Describe(pair);
        NS_TEST_EXPECT_MSG_EQ(before.timerValues.at(phase).value, TICK.GetTimeStep(), "of a tick");
        NS_TEST_EXPECT_MSG_EQ(after.timerValues.at(phase).value,
                              (COARSER * TICK).GetTimeStep(),
                              "of eight");
    }
};

/// The suite, which registers itself.
const Suite g_timerWheelProofSuite(
    "timer-wheel-proof",
    {new ProbeRunsAtLeast("no probe ends sooner than the proof is told, from any phase"),
     new PhaseTellsItsBeat("a phase says of which beat it is")});

} // namespace
