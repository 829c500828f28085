/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Losses found by time, and probes for the tail of a flight (RFC 8985), on a path that loses the
 * packets it is told to.
 */

#include "model/tcp/host-tcp-socket.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>

using namespace ns3;
using namespace ns3::study;

namespace
{

const Time RTT = MilliSeconds(40); //!< there and back, without the time on the line
constexpr uint32_t MSS = 1460;     //!< [B]
constexpr uint32_t SEGMENTS = 10;  //!< of a job, unless it says so

/// @return the host's sockets
ObjectFactory
Host(HostTcpSocket::LossDetection detection)
{
    ObjectFactory host("ns3::study::HostTcpSocket");
    host.Set("LossDetection", EnumValue(detection));
    host.Set("HostSack", BooleanValue(true));
    host.Set("InitialWindow", UintegerValue(10));
    host.Set("TimerTick", TimeValue(MilliSeconds(4)));
    return host;
}

/// @return the device's sockets, which acknowledge every segment
ObjectFactory
Device(bool sack)
{
    ObjectFactory device("ns3::study::DeviceTcpSocket");
    device.Set("ReceiveWindow", UintegerValue(65535));
    device.Set("DeviceSack", BooleanValue(sack));
    return device;
}

/// @return a path that loses these packets to the device
ObjectFactory
Path(const std::string& lost)
{
    ObjectFactory path("ns3::study::PathLink");
    path.Set("PathRate", DataRateValue(DataRate("20Mbps")));
    path.Set("PathDelay", TimeValue(RTT / 2));
    path.Set("PathLostPackets", StringValue(lost));
    return path;
}

/// What became of a job whose first ten segments are one flight: packet 3 is the first of them.
struct Job
{
    uint64_t received{0};           //!< bytes read
    std::vector<SeenSegment> again; //!< what was sent again
    Time last;                      //!< when the last segment was first sent

    Job(HostTcpSocket::LossDetection detection,
        bool sack,
        const std::string& lost,
        uint32_t segments = SEGMENTS)
    {
        TcpPair pair(Host(detection), Device(sack), Path(lost));
        pair.Write(segments * MSS);
        pair.RunUntil(Seconds(10));
        received = pair.received;
        std::set<SequenceNumber32> seen;
        for (const SeenSegment& segment : pair.HostData())
        {
            if (seen.insert(segment.header.GetSequenceNumber()).second)
            {
                last = segment.time;
            }
            else
            {
                again.push_back(segment);
            }
        }
    }
};

/// One segment beyond a hole is enough, once it has had a quarter of a round trip more.
class ReorderingTimer : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Job byTime(HostTcpSocket::RACK_TLP, true, "11");
        Job byCount(HostTcpSocket::RFC6675, true, "11");
        NS_TEST_EXPECT_MSG_EQ(byTime.received, SEGMENTS * MSS, "bytes read");
        NS_TEST_ASSERT_MSG_EQ(byTime.again.size(), 1, "sent again");
        NS_TEST_ASSERT_MSG_EQ(byCount.again.size(), 1, "sent again");
        // the round trip of the last one, 10 ms, two ticks, and the rest of a third
        const Time waited = byTime.again[0].time - byTime.last - RTT;
        NS_TEST_EXPECT_MSG_GT(waited, MilliSeconds(18), "after " << waited.As(Time::MS));
        NS_TEST_EXPECT_MSG_LT(waited, MilliSeconds(28), "after " << waited.As(Time::MS));
        NS_TEST_EXPECT_MSG_GT(byCount.again[0].time - byCount.last, MilliSeconds(190), "timeout");
    }
};

/// The last segment is lost, and nothing tells of it: it is sent again after two round trips.
class TailProbe : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Job tail(HostTcpSocket::RACK_TLP, true, "11,12");
        NS_TEST_ASSERT_MSG_EQ(tail.again.size(), 2, "sent again");
        const Time waited = tail.again[0].time - tail.last - RTT;
        NS_TEST_EXPECT_MSG_GT(waited, 2 * RTT, "after " << waited.As(Time::MS));
        NS_TEST_EXPECT_MSG_LT(waited, 2 * RTT + MilliSeconds(30), "after " << waited.As(Time::MS));
        NS_TEST_EXPECT_MSG_GT(tail.again[0].header.GetSequenceNumber(),
                              tail.again[1].header.GetSequenceNumber(),
                              "the last first, then what its ACK shows to be lost");
        NS_TEST_EXPECT_MSG_EQ(tail.received, SEGMENTS * MSS, "bytes read");
        NS_TEST_EXPECT_MSG_LT(tail.again[1].time - tail.again[0].time, 2 * RTT, "no timeout");
    }
};

/// A single segment may wait for a delayed ACK: its probe waits for 200 ms more.
class LonelySegment : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Job lone(HostTcpSocket::RACK_TLP, true, "12", SEGMENTS);
        NS_TEST_ASSERT_MSG_EQ(lone.again.size(), 1, "sent again");
        NS_TEST_EXPECT_MSG_GT(lone.again[0].time - lone.last, MilliSeconds(200), "not before");
    }
};

/// With Linux's rule it is the least timeout that it waits for.
class LonelySegmentOfLinux : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const int64_t leastMs : {500, 1000})
        {
            ObjectFactory host = Host(HostTcpSocket::RACK_TLP);
            host.Set("RtoRule", StringValue("linux"));
            host.Set("MinimumRto", TimeValue(MilliSeconds(leastMs)));
            TcpPair pair(host, Device(true), Path("12"));
            pair.Write(SEGMENTS * MSS);
            pair.RunUntil(Seconds(10));
            const std::vector<SeenSegment> sent = pair.HostData();
            NS_TEST_ASSERT_MSG_EQ(sent.size(), SEGMENTS + 1, "one is sent again");
            const Time waited = sent[SEGMENTS].time - sent[SEGMENTS - 1].time - RTT;
            NS_TEST_EXPECT_MSG_GT(waited, MilliSeconds(leastMs), "not before");
            NS_TEST_EXPECT_MSG_LT(waited, RTT + MilliSeconds(leastMs + 20), "as the timeout");
        }
    }
};

/// Without SACK there is neither.
class NeedsSack : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Job byTime(HostTcpSocket::RACK_TLP, false, "11");
        Job byCount(HostTcpSocket::RFC6675, false, "11");
        NS_TEST_ASSERT_MSG_EQ(byTime.again.size(), byCount.again.size(), "sent again");
        NS_TEST_EXPECT_MSG_EQ(byTime.again[0].time, byCount.again[0].time, "by the timeout");
    }
};

/// What was sent again and lost again is found a round trip later, not by the timeout.
class LostAgain : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // Packet 14 and those behind it are what the first ACKs let go; one is the retransmission.
        Job twice(HostTcpSocket::RACK_TLP, true, "5,19", 100);
        NS_TEST_EXPECT_MSG_EQ(twice.received, 100 * MSS, "bytes read");
        for (std::size_t i = 1; i < twice.again.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_LT(twice.again[i].time - twice.again[i - 1].time, 2 * RTT, "again");
        }
        NS_TEST_EXPECT_MSG_EQ(twice.again.size(), 2, "sent again");
    }
};

const Suite g_rackTlpSuite(
    "rack-tlp",
    {new ReorderingTimer("a hole is lost after a quarter round trip"),
     new TailProbe("the tail is probed for after two round trips"),
     new LonelySegment("a single segment has time for a delayed ACK"),
     new LonelySegmentOfLinux("with Linux's rule it has the least timeout"),
     new NeedsSack("without SACK nothing changes"),
     new LostAgain("a lost retransmission is found by time")}); //!< registers

} // namespace
