/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * When the timers of a host end whose kernel has them in Linux's timer wheel (kernel/time/timer.c),
 * wherever in a beat of the clock they start: to the microsecond.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

const Time TICK = MilliSeconds(4);              //!< of the host's clock
const Time ALMOST = MicroSeconds(1);            //!< what the host's own events take at most
const Time LOST = Seconds(1);                   //!< nothing arrives at the device from then on
constexpr uint32_t SEGMENT = 1000;              //!< what is lost [B]
constexpr int PHASES = 40;                      //!< starts that are tried
const Time APART = TICK * 10 / PHASES + ALMOST; //!< of them, over more than the coarser beat of 8

/// @return hosts with timers in the wheel, that send each small segment at once
ObjectFactory
Host(const std::string& minimumRto, HostTcpSocket::LossDetection detection)
{
    ObjectFactory host("ns3::study::HostTcpSocket");
    host.Set("TimerTick", TimeValue(TICK));
    host.Set("TimerWheel", BooleanValue(true));
    host.Set("MinimumRto", StringValue(minimumRto));
    host.Set("LossDetection", EnumValue(detection));
    host.Set("HostSack", BooleanValue(true));
    host.Set("InitialWindow", UintegerValue(10));
    host.Set("Nagle", BooleanValue(false));
    host.Set("HostAckFrequency", UintegerValue(1));
    return host;
}

/// @return devices that acknowledge each segment
ObjectFactory
Device()
{
    ObjectFactory device("ns3::study::DeviceTcpSocket");
    device.Set("DeviceSack", BooleanValue(true));
    device.Set("ReceiveWindow", UintegerValue(65535));
    return device;
}

/// @return a path that loses these packets to the device
ObjectFactory
Path(Time rtt, const std::string& lost = "")
{
    ObjectFactory path("ns3::study::PathLink");
    path.Set("PathRate", DataRateValue(DataRate("20Mbps")));
    path.Set("PathDelay", TimeValue(rtt / 2));
    path.Set("PathLostPackets", StringValue(lost));
    return path;
}

/// @return when a timer ends that starts then and runs so many ticks of buckets of so many
Time
End(Time start, int64_t ticks, int64_t bucket)
{
    const int64_t due = start.GetTimeStep() / TICK.GetTimeStep() + ticks;
    return (due / bucket + 1) * bucket * TICK;
}

/// @return when the host sent data since the device heard nothing
std::vector<Time>
Sent(const TcpPair& pair)
{
    std::vector<Time> times;
    for (const SeenSegment& each : pair.HostData())
    {
        if (each.time >= LOST)
        {
            times.push_back(each.time);
        }
    }
    return times;
}

/// The same from starts all over a beat of the clock, and more than one of the coarser beat.
class EachPhase : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (int phase = 0; phase < PHASES; ++phase)
        {
            From(phase);
        }
    }

    /// The claim, with what is lost sent so many parts of the beat later.
    virtual void From(int phase) = 0;

  protected:
    /// Connect, send a segment that arrives, and lose from an instant on what is sent.
    static void LoseFrom(TcpPair& pair, Time start)
    {
        pair.Write(SEGMENT);
        pair.RunUntil(start);
        pair.DeafenDevice();
    }

    /// What was sent at the first of some times is sent again after 52 ticks, and after 104.
    void ExpectDoubled(const std::vector<Time>& sent, int phase)
    {
        NS_TEST_ASSERT_MSG_GT_OR_EQ(sent.size(), 3, "sent");
        const Time first = End(sent[0], 52, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[1], first, ALMOST, "first, from phase " << phase);
        const Time second = End(first, 104, 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[2], second, ALMOST, "second, from phase " << phase);
    }
};

/// 205 ms are 52 ticks, each of which has a bucket; it is 104 that double them, of which every
/// eighth has, whatever is acknowledged meanwhile.
class Timeouts : public EachPhase
{
  public:
    explicit Timeouts(bool acknowledging)
        : EachPhase(std::string("52 ticks are 104 when they double") +
                    (acknowledging ? ", while ACKs leave" : "")),
          m_acknowledging(acknowledging)
    {
    }

  private:
    void From(int phase) override
    {
        TcpPair pair(Host("205ms", HostTcpSocket::RFC6675), Device(), Path(MilliSeconds(20)));
        LoseFrom(pair, LOST + phase * APART);
        pair.WriteNow(SEGMENT);
        // What comes while the first timeout runs on to its tick is acknowledged at once.
        Simulator::Schedule(MicroSeconds(195300), [this, &pair]() {
            if (m_acknowledging)
            {
                pair.deviceSocket->Send(Create<Packet>(100), 0);
            }
        });
        pair.RunUntil(Seconds(2));
        ExpectDoubled(Sent(pair), phase);
    }

    bool m_acknowledging; //!< the device sends, and the host acknowledges
};

/// A FIN's timeout doubles the same ticks.
class FinTimeouts : public EachPhase
{
    using EachPhase::EachPhase;

    void From(int phase) override
    {
        TcpPair pair(Host("205ms", HostTcpSocket::RFC6675), Device(), Path(MilliSeconds(20)));
        LoseFrom(pair, LOST + phase * APART);
        pair.hostSocket->Close();
        pair.RunUntil(Seconds(2));
        std::vector<Time> sent;
        for (const SeenSegment& each : pair.seen)
        {
            if (each.fromHost && (each.header.GetFlags() & TcpHeader::FIN))
            {
                sent.push_back(each.time);
            }
        }
        ExpectDoubled(sent, phase);
    }
};

/// The timeout watches the first of two segments, the probe the second, and both are due at once:
/// the probe goes, and what comes next is the timeout, which it has started afresh and has not
/// doubled.
class ProbeGoesFirst : public EachPhase
{
    using EachPhase::EachPhase;

    void From(int phase) override
    {
        TcpPair pair(Host("300ms", HostTcpSocket::RACK_TLP), Device(), Path(MilliSeconds(100)));
        LoseFrom(pair, LOST + phase * APART);
        pair.WriteNow(SEGMENT);
        pair.RunUntil(LOST + phase * APART + MicroSeconds(249900 + 100 * phase));
        pair.WriteNow(SEGMENT);
        pair.RunUntil(Seconds(3));
        const std::vector<Time> sent = Sent(pair);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(sent.size(), 5, "sent");
        const Time probe = sent[2] - sent[0];
        NS_TEST_EXPECT_MSG_GT_OR_EQ(probe, MilliSeconds(300), "from phase " << phase);
        NS_TEST_EXPECT_MSG_LT(probe, MilliSeconds(300) + 3 * TICK, "from phase " << phase);
        const Time timeout = End(sent[2], 75, 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[3], timeout, ALMOST, "timeout, from phase " << phase);
    }
};

/// What leaves while the timeout runs on to its tick puts the probe off, and the timeout with it.
class ProbePutOff : public EachPhase
{
    using EachPhase::EachPhase;

    void From(int phase) override
    {
        const Time start = LOST + phase * APART;
        const Time later = start + MicroSeconds(300500);
        if (later >= End(start, 75, 1))
        {
            return; // it has timed out
        }
        TcpPair pair(Host("300ms", HostTcpSocket::RACK_TLP), Device(), Path(MilliSeconds(100)));
        LoseFrom(pair, start);
        pair.WriteNow(SEGMENT);
        pair.RunUntil(later);
        pair.WriteNow(SEGMENT);
        pair.RunUntil(Seconds(3));
        const std::vector<Time> sent = Sent(pair);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(sent.size(), 5, "sent");
        const Time timeout = End(sent[2], 75, 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[3], timeout, ALMOST, "timeout, from phase " << phase);
    }
};

/// Data of the peer acknowledge nothing, and put no probe off.
class PeersData : public EachPhase
{
    using EachPhase::EachPhase;

    void From(int phase) override
    {
        const Time start = LOST + phase * APART;
        TcpPair pair(Host("1s", HostTcpSocket::RACK_TLP), Device(), Path(MilliSeconds(20)));
        LoseFrom(pair, start);
        pair.WriteNow(SEGMENT);
        for (int i = 1; i < 8; ++i)
        {
            Simulator::Schedule(MilliSeconds(50 * i),
                                [&pair]() { pair.deviceSocket->Send(Create<Packet>(100), 0); });
        }
        pair.RunUntil(start + MilliSeconds(900));
        const std::vector<Time> sent = Sent(pair);
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 2, "sent");
        const Time waited = sent[1] - sent[0]; // two round trips, 200 ms, and up to its tick
        NS_TEST_EXPECT_MSG_GT(waited, MilliSeconds(240), "from phase " << phase);
        NS_TEST_EXPECT_MSG_LT(waited, MilliSeconds(255), "from phase " << phase);
    }
};

/// While a probe is under way none is due, and the timeout waits for none: whatever leaves since.
class OneProbeAtATime : public EachPhase
{
    using EachPhase::EachPhase;

    void From(int phase) override
    {
        const Time start = LOST + phase * APART;
        ObjectFactory slow = Device();
        slow.Set("AckLatency", StringValue("60ms"));
        TcpPair pair(Host("201ms", HostTcpSocket::RACK_TLP), slow, Path(MilliSeconds(20)));
        pair.Write(SEGMENT);
        pair.RunUntil(start);
        pair.WriteNow(SEGMENT);
        pair.RunUntil(start + MilliSeconds(2));
        pair.WriteNow(SEGMENT);
        pair.RunUntil(start + MicroSeconds(11300)); // the first is there, the second is not
        pair.DeafenDevice();
        pair.RunUntil(start + MilliSeconds(270) + phase * MicroSeconds(100));
        pair.WriteNow(SEGMENT);
        pair.RunUntil(Seconds(2));
        const std::vector<Time> sent = Sent(pair);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(sent.size(), 5, "sent");
        const Time acknowledged = pair.DeviceSegments().back().time;
        NS_TEST_EXPECT_MSG_LT(sent[2], acknowledged, "a probe before the ACK of the first");
        const Time timeout = End(acknowledged, 51, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[4], timeout, ALMOST, "timeout, from phase " << phase);
    }
};

/// What has had a quarter of a round trip and 2 ms to come out of order: four ticks.
class ReorderingTimer : public EachPhase
{
    using EachPhase::EachPhase;

    void From(int phase) override
    {
        const Time rtt = MicroSeconds(40000 + 100 * phase);
        TcpPair pair(Host("200ms", HostTcpSocket::RACK_TLP), Device(), Path(rtt, "11"));
        pair.Write(10 * 1460);
        pair.RunUntil(LOST);
        const std::vector<SeenSegment> sent = pair.HostData();
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 11, "one is sent again");
        Time told;
        for (const SeenSegment& each : pair.DeviceSegments())
        {
            told = each.time < sent.back().time ? each.time : told;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sent.back().time,
                                  End(told, 4, 1),
                                  ALMOST,
                                  "from phase " << phase);
    }
};

const Suite g_timerWheelSuite(
    "timer-wheel",
    {new Timeouts(false),
     new Timeouts(true),
     new FinTimeouts("so do a FIN's"),
     new ProbeGoesFirst("a probe goes before the timeout that is due with it"),
     new ProbePutOff("and before one that runs on to its tick when it is put off"),
     new PeersData("data of the peer put no probe off"),
     new OneProbeAtATime("a timeout does not wait for a second probe"),
     new ReorderingTimer(
         "2 ms are added to a quarter round trip, whatever the beat")}); //!< registers

} // namespace
