/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a host learnt from the kernel: which segments it acknowledges at once when it adapts, what a
 * small segment waits for under Minshall's rule, where PSH is, and when a SYN or data come again.
 */

#include "model/tcp/host-acks.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1448;

/// @return the rule of a host with so large a window
HostAcks
Adaptive(uint32_t window)
{
    HostAcks acks;
    acks.Begin({.rule = HostAcks::ADAPTIVE,
                .quickAcks = 16,
                .window = window,
                .patience = MilliSeconds(40)});
    return acks;
}

/// As HostTcpSocket does: what is acknowledged at once is told so.
bool
Take(HostAcks& acks, uint32_t payload, bool pushed = false)
{
    const bool atOnce = acks.Take(0, payload, pushed);
    if (atOnce)
    {
        acks.TellAckSent();
    }
    return atOnce;
}

/// Sixteen, or half the window's segments if they are fewer; then more than one whole segment.
class QuickThenEverySecond : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [window, quick] : {std::pair{65160U, 16U}, {14480U, 5U}, {2896U, 2U}})
        {
            HostAcks acks = Adaptive(window);
            for (uint32_t i = 0; i < quick; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(Take(acks, MSS), true, "quick ACK " << i << ", " << window);
            }
            for (uint32_t i = 0; i < 6; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(Take(acks, MSS), (i % 2 == 1), "segment " << i << " after");
            }
        }
    }
};

/// With the quick ones spent: a burst's end, and a small one, do not wait for a timer.
class WhatIsReadIsAcknowledged : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        HostAcks acks = Adaptive(2 * MSS);
        Take(acks, MSS);
        Take(acks, MSS);
        NS_TEST_EXPECT_MSG_EQ(Take(acks, MSS, true), true, "a whole one with PSH");
        NS_TEST_EXPECT_MSG_EQ(Take(acks, 100), true, "a small one");
        NS_TEST_EXPECT_MSG_EQ(Take(acks, MSS), false, "a whole one in a burst");
    }
};

/// Data in answer to data: from then on an ACK waits, but not behind a second small segment.
class InteractiveAfterAnAnswer : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        HostAcks acks = Adaptive(65160);
        Simulator::Schedule(MilliSeconds(1), [&] {
            acks.TellDataSent(); // nothing has come yet that it could answer
            NS_TEST_EXPECT_MSG_EQ(Take(acks, 10), true, "the first command");
        });
        Simulator::Schedule(MilliSeconds(2), [&] { acks.TellDataSent(); });
        Simulator::Schedule(MilliSeconds(3), [&] {
            NS_TEST_EXPECT_MSG_EQ(Take(acks, 10, true), false, "the next one");
            NS_TEST_EXPECT_MSG_EQ(Take(acks, 2, true), true, "a second small one");
            NS_TEST_EXPECT_MSG_EQ(Take(acks, 10, true), false, "and afresh");
        });
        Simulator::Run();
        Simulator::Destroy();
    }
};

/// Data sent long after what came are no answer: a lone download's client stays quick.
class LateDataAreNoAnswer : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        HostAcks acks = Adaptive(65160);
        Simulator::Schedule(MilliSeconds(1), [&] { Take(acks, 10); });
        Simulator::Schedule(MilliSeconds(41), [&] {
            acks.TellDataSent();
            NS_TEST_EXPECT_MSG_EQ(Take(acks, 10), true, "40 ms later");
        });
        Simulator::Run();
        Simulator::Destroy();
    }
};

/// @return a host's socket with one attribute set, and others as they are
ObjectFactory
Host(const std::string& name, const AttributeValue& value)
{
    return ObjectFactory("ns3::study::HostTcpSocket", name, value);
}

/// A whole segment and a byte, and three bytes more when both are out.
class SmallSegments : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [rule, atOnce] : {std::pair{"rfc896", 1U}, {"minshall", 2U}})
        {
            ObjectFactory host = Host("NagleRule", StringValue(rule));
            ObjectFactory device("ns3::study::DeviceTcpSocket");
            device.Set("AckLatency", StringValue("50ms"));
            device.Set("InteractiveAckLatency", StringValue("50ms"));
            TcpPair pair(host, device);
            Simulator::Schedule(MilliSeconds(100), &TcpPair::WriteNow, &pair, 1461);
            Simulator::Schedule(MilliSeconds(120), &TcpPair::WriteNow, &pair, 3);
            pair.RunUntil(MilliSeconds(140));
            NS_TEST_EXPECT_MSG_EQ(pair.HostData().size(), atOnce, "before an ACK, " << rule);
            pair.RunUntil(Seconds(2));
            NS_TEST_EXPECT_MSG_EQ(pair.received, 1464, "in the end, " << rule);
        }
    }
};

/// The last of what was written, and the last of what a window lets out at once; none if not asked.
class PshEndsABurst : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool push : {false, true})
        {
            ObjectFactory host = Host("PushFlag", BooleanValue(push));
            host.Set("InitialWindow", UintegerValue(3));
            TcpPair pair(host, ObjectFactory("ns3::study::DeviceTcpSocket"));
            pair.Write(4 * 1460);
            pair.RunUntil(Seconds(1));
            const std::vector<SeenSegment> data = pair.HostData();
            NS_TEST_ASSERT_MSG_EQ(data.size(), 4, "segments");
            for (std::size_t i = 0; i < data.size(); ++i)
            {
                const bool has = data[i].header.GetFlags() & TcpHeader::PSH;
                NS_TEST_EXPECT_MSG_EQ(has, push && i >= 2, "PSH of segment " << i);
            }
        }
    }
};

/// The first SYN is lost: the second comes after this time, the third after twice that.
class SynComesAgain : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(Host("InitialRto", StringValue("700ms")),
                     ObjectFactory("ns3::study::DeviceTcpSocket"));
        pair.SetLossToHost(true);
        pair.Write(10);
        pair.RunUntil(Seconds(2.5));
        std::vector<Time> syns;
        for (const SeenSegment& each : pair.seen)
        {
            if (each.fromHost && each.header.GetFlags() & TcpHeader::SYN)
            {
                syns.push_back(each.time);
            }
        }
        NS_TEST_ASSERT_MSG_EQ(syns.size(), 3, "SYNs in 2.5 s");
        NS_TEST_EXPECT_MSG_EQ(syns[1] - syns[0], MilliSeconds(700), "to the second");
        NS_TEST_EXPECT_MSG_EQ(syns[2] - syns[1], MilliSeconds(1400), "to the third");
    }
};

/// A round trip of 60 ms was measured once, so RFC 6298 makes 60 + 4 x 30 ms of it: less than 200.
class WhatTheLeastTimeoutBounds : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [rule, timeout] : {std::pair{"rfc6298", 0.2}, {"linux", 0.26}})
        {
            ObjectFactory host = Host("RtoRule", StringValue(rule));
            host.Set("MinimumRto", StringValue("200ms"));
            TcpPair pair(
                host,
                ObjectFactory("ns3::study::DeviceTcpSocket", "SynAckLatency", StringValue("60ms")));
            pair.RunUntil(Seconds(1));
            pair.SetLossToHost(true);
            pair.WriteNow(10);
            pair.RunUntil(Seconds(1.5));
            const std::vector<SeenSegment> sent = pair.HostData();
            NS_TEST_ASSERT_MSG_EQ(sent.size(), 2, "segments in half a second, " << rule);
            NS_TEST_EXPECT_MSG_EQ_TOL((sent[1].time - sent[0].time).GetSeconds(),
                                      timeout,
                                      0.001,
                                      "seconds to the second, " << rule);
        }
    }
};

/// The suite; it registers itself.
Suite g_hostAcksSuite(
    "host-acks",
    {new QuickThenEverySecond("quick ACKs up to half the window, then more than a whole segment"),
     new WhatIsReadIsAcknowledged("PSH and a small segment are acknowledged once read"),
     new InteractiveAfterAnAnswer("an answer ends the quick ACKs"),
     new LateDataAreNoAnswer("data long after are no answer"),
     new SmallSegments("NagleRule: a byte behind a whole segment leaves, one behind a byte waits"),
     new PshEndsABurst("PushFlag: PSH ends a write and a burst"),
     new WhatTheLeastTimeoutBounds("RtoRule: MinimumRto bounds the timeout, or what it adds"),
     new SynComesAgain("InitialRto: a SYN comes again after it, then after twice that")});

} // namespace
