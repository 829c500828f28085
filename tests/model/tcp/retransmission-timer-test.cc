/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The retransmission timer (RFC 6298): backed off until a segment has been timed, whatever is sent
 * meanwhile; of a SYN and of a FIN that are lost; none when nothing is outstanding.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return a path of a round trip, that loses these packets to the device
ObjectFactory
Path(const std::string& rtt, const std::string& lost = "")
{
    ObjectFactory path("ns3::study::PathLink", "Rtt", StringValue(rtt));
    path.Set("PathLostPackets", StringValue(lost));
    return path;
}

/// @return the times between the host's segments since an instant that carry data, or flags
std::vector<Time>
Gaps(const TcpPair& pair, Time since, uint8_t flags)
{
    std::vector<Time> gaps;
    Time last;
    for (const SeenSegment& each : pair.seen)
    {
        const bool counts = flags ? each.header.GetFlags() & flags : each.size > 0;
        if (each.fromHost && counts && each.time >= since)
        {
            if (!last.IsZero())
            {
                gaps.push_back(each.time - last);
            }
            last = each.time;
        }
    }
    return gaps;
}

/// The host acknowledges what the device sends, and its own segment waits longer each time.
class BackedOffWhileAcksLeave : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"),
                     ObjectFactory("ns3::study::DeviceTcpSocket"),
                     Path("20ms"));
        pair.Write(1000);
        pair.RunUntil(Seconds(1));
        pair.DeafenDevice();
        pair.WriteNow(1000);
        for (int i = 0; i < 60; ++i)
        {
            Simulator::Schedule(MilliSeconds(100 * i),
                                [&pair]() { pair.deviceSocket->Send(Create<Packet>(1000), 0); });
        }
        pair.RunUntil(Seconds(10));
        const std::vector<Time> gaps = Gaps(pair, Seconds(1), 0);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(gaps.size(), 4, "segments sent again");
        for (std::size_t i = 1; i < gaps.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL((gaps[i] / gaps[i - 1]).GetDouble(), 2, 0.01, "gap " << i);
        }
    }
};

/// The device dies, then the host closes.
class LostFin : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"),
                     ObjectFactory("ns3::study::DeviceTcpSocket"),
                     Path("20ms"));
        pair.Write(1000);
        pair.RunUntil(Seconds(1));
        pair.DeafenDevice();
        pair.hostSocket->Close();
        pair.RunUntil(Hours(1));
        const std::vector<Time> gaps = Gaps(pair, Seconds(1), TcpHeader::FIN);
        NS_TEST_ASSERT_MSG_EQ(gaps.size(), 15, "times it is sent again, as data are");
        for (std::size_t i = 1; i < gaps.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(gaps[i], Min(2 * gaps[i - 1], Minutes(1)), "gap " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "and then the application is told");
    }
};

/// The SYN is lost, and nothing has been timed when the data leave; or a timestamp has told.
class LostSyn : public TestCase
{
  public:
    LostSyn(bool timestamps, Time timeout)
        : TestCase(std::string("after a lost SYN the timeout is ") +
                   (timestamps ? "what the timestamp tells" : "3 s")),
          m_timestamps(timestamps),
          m_timeout(timeout)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory host("ns3::study::HostTcpSocket");
        host.Set("HostTimestamps", BooleanValue(m_timestamps));
        ObjectFactory device("ns3::study::DeviceTcpSocket");
        device.Set("DeviceTimestamps", BooleanValue(m_timestamps));
        TcpPair pair(host, device, Path("2s", "1"));
        Time timeout;
        pair.hostSocket->TraceConnectWithoutContext(
            "RTO",
            Callback<void, Time, Time>([&timeout](Time, Time now) { timeout = now; }));
        pair.Write(20000);
        pair.RunUntil(Seconds(6.5)); // the SYN left again after 3 s, the first data after 5
        NS_TEST_EXPECT_MSG_GT(pair.HostData().size(), 0, "data have left");
        NS_TEST_EXPECT_MSG_EQ_TOL(timeout.GetSeconds(),
                                  m_timeout.GetSeconds(),
                                  0.01,
                                  "the timeout that watches them");
        pair.RunUntil(Minutes(1));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 20000, "bytes read");
        NS_TEST_EXPECT_MSG_EQ(pair.HostData().size(), 14, "none is sent twice");
    }

    bool m_timestamps; //!< both ends offer them
    Time m_timeout;    //!< what it should be
};

/// The peer has acknowledged the FIN, and keeps its own direction open.
class AfterItsFin : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"),
                     ObjectFactory("ns3::study::DeviceTcpSocket"),
                     Path("20ms"));
        pair.Write(10000, true);
        pair.RunUntil(MilliSeconds(50));
        pair.deviceSocket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                             MakeNullCallback<void, Ptr<Socket>>());
        const auto host = DynamicCast<HostTcpSocket>(pair.hostSocket);
        for (const Time& then : {MilliSeconds(100), MilliSeconds(500), Seconds(5)})
        {
            pair.RunUntil(then);
            NS_TEST_EXPECT_MSG_EQ(host->IsRetransmitting(), false, "at " << then.As());
            NS_TEST_EXPECT_MSG_EQ(
                host->DescribeWait(),
                "all that was written is acknowledged and the peer's application is silent",
                "at " << then.As());
        }
    }
};

const Suite g_retransmissionTimerSuite(
    "retransmission-timer",
    {new BackedOffWhileAcksLeave("it stays backed off while the host acknowledges"),
     new LostFin("a lost FIN backs off, and is given up as data are"),
     new LostSyn(false, Seconds(3)),
     new LostSyn(true, Seconds(6)), // a round trip of 2 s and four times half of that
     new AfterItsFin("once the FIN is acknowledged nothing is outstanding")}); //!< registers itself

} // namespace
