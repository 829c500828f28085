/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Windows below one MSS: what the host's sender does with them (RFC 1122, 4.2.3.4), and what a
 * stock ns-3 socket does, which is why the study has a sender of its own.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/**
 * @param window the device's receive window in bytes
 * @return a device that answers within 100 us
 */
ObjectFactory
Device(uint32_t window)
{
    return ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(window));
}

/**
 * A window of 1024 B against an MSS of 1460 B: segments of exactly 1024 B, as in the traces of
 * the Netgear and the Linksys. A sender that waited for room for a whole segment would send none.
 */
class SmallWindowIsFilled : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), Device(1024));
        pair.Write(10 * 1024);
        pair.RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 10 * 1024, "bytes the device has read");
        for (const auto& segment : pair.HostData())
        {
            NS_TEST_EXPECT_MSG_EQ(segment.size, 1024, "payload at " << segment.time.As(Time::MS));
        }
    }
};

/**
 * The same device and a stock ns-3 socket with the same MSS, in three simulated hours. If this
 * fails, ns-3 has learnt the rule and the study's sender may be obsolete.
 */
class StockSenderNeverSends : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory stock("ns3::TcpSocketBase", "SegmentSize", UintegerValue(1460));
        stock.Set("Timestamp", BooleanValue(false));
        ObjectFactory stockDevice("ns3::TcpSocketBase", "RcvBufSize", UintegerValue(1024));
        stockDevice.Set("SegmentSize", UintegerValue(1460));
        stockDevice.Set("Timestamp", BooleanValue(false));
        TcpPair pair(stock, stockDevice);
        pair.Write(10 * 1024);
        pair.RunUntil(Hours(3));
        const bool connected = pair.deviceSocket != nullptr;
        NS_TEST_EXPECT_MSG_EQ(connected, true, "the two are connected");
        NS_TEST_EXPECT_MSG_EQ(pair.received, 0, "bytes the device has read");
    }
};

/// The stock rule is there by name, so that its effect can be studied.
class WholeSegmentRuleStalls : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Received(1024), 0, "bytes read through a window of 1024 B");
        NS_TEST_EXPECT_MSG_EQ(Received(1460), 10 * 1024, "bytes read through one of 1460 B");
    }

    /**
     * @param window the device's receive window in bytes
     * @return what the device has read after three hours
     */
    static uint64_t Received(uint32_t window)
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket",
                                   "SillyWindowAvoidance",
                                   StringValue("whole-segment")),
                     Device(window));
        pair.Write(10 * 1024);
        pair.RunUntil(Hours(3));
        return pair.received;
    }
};

/**
 * Half of the largest window is enough, less is not: of a window of 2000 B, 540 are left beside a
 * segment of 1460 and are not used, since they are below 1000.
 */
class LessThanHalfWaits : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), Device(2000));
        pair.Write(14600);
        pair.RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 14600, "bytes the device has read");
        for (const auto& segment : pair.HostData())
        {
            NS_TEST_EXPECT_MSG_EQ(segment.size, 1460, "payload at " << segment.time.As(Time::MS));
        }
    }
};

/**
 * A window of 80 B is left, far below half of the largest, nothing is outstanding and the device
 * says no more: the override timer sends into it after its 500 ms (RFC 1122, 4.2.3.4: 0.1 to 1 s).
 * A sender without it would wait for ever.
 */
class OverrideTimerSends : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), Device(3000));
        pair.SetReading(false);
        pair.Write(10000);
        pair.RunUntil(Seconds(2));
        const auto data = pair.HostData();
        NS_TEST_ASSERT_MSG_EQ(data.size(), 3, "segments sent: 1460, 1460 and what is left");
        NS_TEST_EXPECT_MSG_EQ(data[2].size, 80, "payload of the last");
        Time lastAck;
        for (const auto& segment : pair.DeviceSegments())
        {
            lastAck = segment.time < data[2].time ? segment.time : lastAck;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL((data[2].time - lastAck).GetSeconds(),
                                  0.5,
                                  0.001,
                                  "seconds from the last ACK to the override");
    }
};

/// The peer's MSS option bounds the segment; without one it would be 536 B (RFC 9293, 3.7.1).
class PeerMssIsHonoured : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory device = Device(8000);
        device.Set("Mss", UintegerValue(700));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), device);
        pair.Write(7000);
        pair.RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 7000, "bytes the device has read");
        for (const auto& segment : pair.HostData())
        {
            NS_TEST_EXPECT_MSG_EQ(segment.size, 700, "payload at " << segment.time.As(Time::MS));
        }
    }
};

/// Nagle on holds the second small write until the first is acknowledged (RFC 896); off does not.
class NagleHoldsSmallSegments : public TestCase
{
  public:
    explicit NagleHoldsSmallSegments(bool nagle)
        : TestCase(nagle ? "with Nagle's algorithm the second small write waits for an ACK"
                         : "without Nagle's algorithm the second small write leaves at once"),
          m_nagle(nagle)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device = Device(8000);
        device.Set("InteractiveAckLatency", StringValue("50ms"));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket", "Nagle", BooleanValue(m_nagle)),
                     device);
        pair.RunUntil(Seconds(1));
        pair.WriteNow(100);
        pair.RunUntil(Seconds(1) + MilliSeconds(1));
        pair.WriteNow(100);
        pair.RunUntil(Seconds(3));
        const auto data = pair.HostData();
        NS_TEST_ASSERT_MSG_EQ(data.size(), 2, "segments sent");
        const double gap = (data[1].time - data[0].time).GetSeconds();
        const double expected = m_nagle ? 0.05 : 0.001; // the device's latency, or none
        NS_TEST_EXPECT_MSG_EQ_TOL(gap, expected, 0.0005, "seconds between the two");
    }

    bool m_nagle; //!< whether Nagle's algorithm is on
};

const Suite g_senderRuleSuite(
    "sender-rule",
    {new SmallWindowIsFilled("a window of 1024 B and an MSS of 1460 B: every segment has 1024 B"),
     new StockSenderNeverSends(
         "a stock ns-3 socket moves nothing into a window of 1024 B with an MSS of 1460"),
     new WholeSegmentRuleStalls(
         "SillyWindowAvoidance=whole-segment waits for ever at a window of 1024 B"),
     new LessThanHalfWaits("a usable window below half the largest one is left alone"),
     new OverrideTimerSends("the override timer sends into a window that nothing else would use"),
     new PeerMssIsHonoured("no segment is larger than the MSS the peer's SYN announced"),
     new NagleHoldsSmallSegments(true),
     new NagleHoldsSmallSegments(false)}); //!< registers itself

} // namespace
