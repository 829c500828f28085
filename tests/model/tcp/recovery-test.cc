/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How a host gets over losses, on a path that loses the packets it is told to: what it sends again,
 * and when (RFC 6582, RFC 6675, RFC 6298), with each congestion control.
 */

#include "model/tcp/congestion-control.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>

using namespace ns3;
using namespace ns3::study;

namespace
{

const Time RTT = MilliSeconds(100); //!< there and back, without a queue

/// @return a path of 10 Mbit/s that loses these packets towards the device
ObjectFactory
Path(const std::string& lost)
{
    ObjectFactory path("ns3::study::PathLink");
    path.Set("PathRate", DataRateValue(DataRate("10Mbps")));
    path.Set("PathDelay", TimeValue(RTT / 2));
    path.Set("PathLostPackets", StringValue(lost));
    return path;
}

/// @return a host's sockets with room for a long path
ObjectFactory
Host(CongestionControl control, bool sack)
{
    ObjectFactory host("ns3::study::HostTcpSocket");
    host.Set("SendBuffer", UintegerValue(1000000));
    host.Set("InitialWindow", UintegerValue(10));
    host.Set("CongestionControl", EnumValue(control));
    host.Set("HostSack", BooleanValue(sack));
    return host;
}

/// @return a device's sockets with the largest unscaled window
ObjectFactory
Device()
{
    ObjectFactory device("ns3::study::DeviceTcpSocket");
    device.Set("ReceiveWindow", UintegerValue(65535));
    device.Set("DeviceSack", BooleanValue(true));
    return device;
}

/// @return the segments sent again
std::vector<SeenSegment>
SentAgain(const TcpPair& pair)
{
    std::vector<SeenSegment> again;
    std::map<SequenceNumber32, int> times;
    for (const SeenSegment& segment : pair.HostData())
    {
        if (++times[segment.header.GetSequenceNumber()] > 1)
        {
            again.push_back(segment);
        }
    }
    return again;
}

/// Three holes in one window: with SACK they are filled in one round trip, without in three.
class ThreeHoles : public TestCase
{
  public:
    explicit ThreeHoles(bool sack)
        : TestCase(sack ? "with SACK three holes are filled in one round trip"
                        : "without SACK three holes take three round trips"),
          m_sack(sack)
    {
    }

  private:
    void DoRun() override
    {
        TcpPair pair(Host(CongestionControl::NEWRENO, m_sack), Device(), Path("60,64,68"));
        pair.Write(300000);
        pair.RunUntil(Seconds(30));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 300000, "bytes read");
        const auto again = SentAgain(pair);
        NS_TEST_ASSERT_MSG_EQ(again.size(), 3, "segments sent again");
        const Time took = again.back().time - again.front().time;
        NS_TEST_EXPECT_MSG_EQ((took < RTT), m_sack, "from the first to the last " << took.As());
        NS_TEST_EXPECT_MSG_LT(took, 3 * RTT, "and no timeout");
    }

    bool m_sack; //!< with SACK
};

/// A retransmission is lost itself. The timeout makes it good, or, with SACK, what has overtaken
/// it; what was never lost is not sent again, then or later (RFC 6582, 3.2, step 2).
class RetransmissionLost : public TestCase
{
  public:
    RetransmissionLost(bool sack, const std::string& lost, std::size_t count)
        : TestCase(std::string(sack ? "with" : "without") + " SACK, " + lost +
                   " lost: no more is sent again than that"),
          m_sack(sack),
          m_lost(lost),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        // Fast retransmit sends packet 60's segment again; which packet that is, a first run tells.
        std::size_t place = 0;
        {
            TcpPair pair(Host(CongestionControl::NEWRENO, m_sack), Device(), Path(m_lost));
            pair.Write(600000);
            pair.RunUntil(Seconds(30));
            const auto first = SentAgain(pair).front();
            for (const SeenSegment& each : pair.seen)
            {
                place += each.fromHost && each.time <= first.time;
            }
        }
        TcpPair pair(Host(CongestionControl::NEWRENO, m_sack),
                     Device(),
                     Path(m_lost + "," + std::to_string(place)));
        pair.Write(600000);
        pair.RunUntil(Minutes(2));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 600000, "bytes read");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(SentAgain(pair).size(), m_count, "segments sent again");
        NS_TEST_EXPECT_MSG_GT(SentAgain(pair).size(), 1, "the retransmission was lost");
    }

    bool m_sack;         //!< with SACK
    std::string m_lost;  //!< packets lost besides
    std::size_t m_count; //!< segments that may be sent again
};

/// Every congestion control brings a transfer through losses; BBR takes them for no signal.
class Controls : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        constexpr uint64_t size = 3000000;
        std::map<CongestionControl, Time> ended;
        for (const auto control : {CongestionControl::NEWRENO,
                                   CongestionControl::RENO,
                                   CongestionControl::CUBIC,
                                   CongestionControl::BBR})
        {
            ObjectFactory path = Path("");
            path.Set("PathLoss", DoubleValue(0.01));
            TcpPair pair(Host(control, true), Device(), path);
            pair.Write(size);
            pair.RunUntil(Minutes(5));
            NS_TEST_EXPECT_MSG_EQ(pair.received, size, "bytes read, " << static_cast<int>(control));
            ended[control] = pair.HostData().back().time;
        }
        NS_TEST_EXPECT_MSG_GT(ended[CongestionControl::NEWRENO],
                              1.5 * ended[CongestionControl::BBR],
                              "halved for every loss, or for none");
        NS_TEST_EXPECT_MSG_NE(ended[CongestionControl::RENO],
                              ended[CongestionControl::CUBIC],
                              "two controls");
    }
};

const Suite g_recoverySuite(
    "loss-recovery",
    {new ThreeHoles(true),
     new ThreeHoles(false),
     new RetransmissionLost(true, "60", 2),
     new RetransmissionLost(false, "60", 2),
     new RetransmissionLost(true, "60,62,63", 4),
     new RetransmissionLost(false, "60,62,63", 8),
     new Controls("every congestion control gets over losses")}); //!< registers itself

} // namespace
