/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The congestion window of a long pipe after losses, with each control: megabytes in flight, far
 * above what a window without scaling lets through.
 */

#include "model/tcp/congestion-control.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1460;        //!< [B]
constexpr uint32_t WINDOW = 4000000;  //!< of either end [B]
constexpr double PATH_HOLDS = 1.25e6; //!< 100 Mbit/s for 100 ms [B]

/// @return both ends with everything a long pipe needs
std::pair<ObjectFactory, ObjectFactory>
LongPipe(CongestionControl control, uint32_t initialWindow)
{
    ObjectFactory host("ns3::study::HostTcpSocket", "HostSack", BooleanValue(true));
    host.Set("HostWindowScale", StringValue("auto"));
    host.Set("SendBuffer", UintegerValue(WINDOW));
    host.Set("InitialWindow", UintegerValue(initialWindow));
    host.Set("CongestionControl", EnumValue(control));
    ObjectFactory device("ns3::study::DeviceTcpSocket", "DeviceSack", BooleanValue(true));
    device.Set("DeviceWindowScale", StringValue("auto"));
    device.Set("ReceiveWindow", UintegerValue(WINDOW));
    device.Set("AckFrequency", UintegerValue(2));
    device.Set("DelayedAckTimeout", StringValue("40ms"));
    return {host, device};
}

/// @return a path of 100 Mbit/s and 100 ms with room for all that is sent
ObjectFactory
Path(const std::string& lost)
{
    ObjectFactory path("ns3::study::PathLink", "Rtt", StringValue("100ms"));
    path.Set("PathRate", StringValue("100Mbps"));
    path.Set("PathQueue", StringValue("4000p"));
    path.Set("PathLostPackets", StringValue(lost));
    return path;
}

/// @return how often each segment has left
std::map<SequenceNumber32, int>
Times(const TcpPair& pair)
{
    std::map<SequenceNumber32, int> times;
    for (const SeenSegment& each : pair.HostData())
    {
        ++times[each.header.GetSequenceNumber()];
    }
    return times;
}

/// @return which of the host's packets was the first to be sent again, counted from one
int
FirstSentAgain(const TcpPair& pair)
{
    std::set<SequenceNumber32> sent;
    int place = 0;
    for (const SeenSegment& each : pair.seen)
    {
        place += each.fromHost;
        if (each.fromHost && each.size > 0 && !sent.insert(each.header.GetSequenceNumber()).second)
        {
            return place;
        }
    }
    return place;
}

/// Three packets are lost far into slow start.
class AfterLosses : public TestCase
{
  public:
    AfterLosses(CongestionControl control, const std::string& name, double share, double least)
        : TestCase(name +
                   ": three packets lost of a window of megabytes are all that is sent again"),
          m_control(control),
          m_share(share),
          m_least(least)
    {
    }

  private:
    void DoRun() override
    {
        const auto [host, device] = LongPipe(m_control, 10);
        TcpPair pair(host, device, Path("700,710,760"));
        uint32_t before = 0;
        uint32_t largest = 0;
        uint32_t after = 0;
        bool recovers = false;
        pair.hostSocket->TraceConnectWithoutContext(
            "CongState",
            Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
                [&](auto, TcpSocketState::TcpCongState_t now) {
                    recovers = now == TcpSocketState::CA_RECOVERY;
                }));
        pair.hostSocket->TraceConnectWithoutContext(
            "CongestionWindow",
            Callback<void, uint32_t, uint32_t>([&](uint32_t old, uint32_t now) {
                before = recovers && before == 0 ? old : before;
                largest = before > 0 ? std::max(largest, now) : 0;
                after = now;
            }));
        uint64_t inRecovery = 0;
        pair.hostSocket->TraceConnectWithoutContext(
            "Tx",
            CorrectedTcpSocket::SegmentListener([&](Ptr<const Packet> packet, auto...) {
                inRecovery += recovers ? packet->GetSize() : 0;
            }));
        constexpr uint64_t size = 6000000;
        pair.Write(size);
        pair.RunUntil(Minutes(1));
        NS_TEST_EXPECT_MSG_EQ(pair.received, size, "bytes read");
        int again = 0;
        for (const auto& [segment, times] : Times(pair))
        {
            again += times - 1;
        }
        NS_TEST_EXPECT_MSG_EQ(again, 3, "segments sent again");
        NS_TEST_ASSERT_MSG_GT(before, 65535, "the window before");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(inRecovery, 1.1 * m_share * before, "sent in the recovery");
        // BBR's own bound: 2.89 times what the path holds. The others go up from what is left.
        const double most = m_control == CongestionControl::BBR ? 3 * PATH_HOLDS : 1.1 * before;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(largest, most, "the largest window since");
        NS_TEST_EXPECT_MSG_GT(after, m_least * before, "the window in the end");
    }

    CongestionControl m_control; //!< how the window shrinks
    double m_share; //!< of the window before that may leave in a round trip of recovery
    double m_least; //!< share of the window before that is left at the end
};

/// A whole window leaves at once, one segment is lost, and then its copy: the timer makes it good.
class TimeoutInRecovery : public TestCase
{
  public:
    TimeoutInRecovery(CongestionControl control, const std::string& name)
        : TestCase(name + ": a timeout in a recovery lowers ssthresh no further"),
          m_control(control)
    {
    }

  private:
    void DoRun() override
    {
        const auto [host, device] = LongPipe(m_control, 100);
        std::string lost = "30";
        for (int run = 0; run < 2; ++run)
        {
            TcpPair pair(host, device, Path(lost));
            std::vector<uint32_t> thresholds;
            pair.hostSocket->TraceConnectWithoutContext(
                "SlowStartThreshold",
                Callback<void, uint32_t, uint32_t>([&thresholds](uint32_t old, uint32_t now) {
                    if (now < old)
                    {
                        thresholds.push_back(now);
                    }
                }));
            pair.Write(100 * MSS);
            pair.RunUntil(Seconds(10));
            NS_TEST_EXPECT_MSG_EQ(pair.received, 100 * MSS, "bytes read");
            lost += "," + std::to_string(FirstSentAgain(pair));
            NS_TEST_ASSERT_MSG_EQ(thresholds.size(), 1, "times that ssthresh was lowered");
        }
    }

    CongestionControl m_control; //!< how the threshold is lowered
};

/// Of what leaves in a recovery one more is lost, and known to be before the recovery ends: another
/// window has had a loss, and is lowered (RFC 6675, 5).
class LossInRecovery : public TestCase
{
  public:
    LossInRecovery(CongestionControl control, const std::string& name, bool byTime = false)
        : TestCase(name + ": a loss of what left in a recovery begins another"),
          m_control(control),
          m_byTime(byTime)
    {
    }

  private:
    void DoRun() override
    {
        auto [host, device] = LongPipe(m_control, 10);
        host.Set("LossDetection", StringValue(m_byTime ? "rack-tlp" : "rfc6675"));
        std::string lost = "700,900";
        for (const int recoveries : {1, 2})
        {
            TcpPair pair(host, device, Path(lost));
            int begun = 0;
            int atOnce = 0; // as another ended
            Time over{-1};
            pair.hostSocket->TraceConnectWithoutContext(
                "CongState",
                Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
                    [&](TcpSocketState::TcpCongState_t old, TcpSocketState::TcpCongState_t now) {
                        const bool begins = now == TcpSocketState::CA_RECOVERY;
                        begun += begins;
                        atOnce += begins && over == Simulator::Now();
                        over = old == TcpSocketState::CA_RECOVERY ? Simulator::Now() : over;
                    }));
            pair.Write(6000000);
            pair.RunUntil(Minutes(1));
            NS_TEST_EXPECT_MSG_EQ(pair.received, 6000000, "bytes read");
            NS_TEST_EXPECT_MSG_EQ(begun, recoveries, "recoveries, " << lost << " lost");
            NS_TEST_EXPECT_MSG_EQ(atOnce, recoveries - 1, "as another ended");
            lost += "," + std::to_string(FirstSentAgain(pair) + 5);
        }
    }

    CongestionControl m_control; //!< how the window is lowered
    bool m_byTime;               //!< losses are found by time (RFC 8985)
};

/// The same after a timeout: what left while it was made good, and is known to be lost, begins a
/// recovery as soon as that is over.
class LossAfterTimeout : public TestCase
{
  public:
    LossAfterTimeout(CongestionControl control, const std::string& name)
        : TestCase(name + ": a loss of what left after a timeout begins a recovery"),
          m_control(control)
    {
    }

  private:
    void DoRun() override
    {
        const auto [host, device] = LongPipe(m_control, 100);
        int begun = 0;
        std::minstd_rand draw(1);
        for (int run = 0; run < 30; ++run)
        {
            std::string lost = "30";
            for (int packet = 31; packet < 400; ++packet)
            {
                lost += draw() % 5 == 0 ? "," + std::to_string(packet) : "";
            }
            TcpPair pair(host, device, Path(lost));
            Time timeoutOver{-1};
            pair.hostSocket->TraceConnectWithoutContext(
                "CongState",
                Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
                    [&](TcpSocketState::TcpCongState_t old, TcpSocketState::TcpCongState_t now) {
                        const bool recovers = now == TcpSocketState::CA_RECOVERY;
                        begun += recovers && timeoutOver == Simulator::Now();
                        timeoutOver =
                            old == TcpSocketState::CA_LOSS ? Simulator::Now() : timeoutOver;
                    }));
            pair.Write(400 * MSS);
            pair.RunUntil(Minutes(2));
            NS_TEST_EXPECT_MSG_EQ(pair.received, 400 * MSS, "bytes read, " << lost << " lost");
        }
        NS_TEST_EXPECT_MSG_GT(begun, 0, "recoveries that begin as a timeout is made good");
    }

    CongestionControl m_control; //!< how the window is lowered
};

const Suite g_longPipeLossesSuite("long-pipe-losses",
                                  {new AfterLosses(CongestionControl::NEWRENO, "newreno", 0.5, 0.4),
                                   new AfterLosses(CongestionControl::RENO, "reno", 0.5, 0.4),
                                   new AfterLosses(CongestionControl::CUBIC, "cubic", 0.7, 0.6),
                                   new AfterLosses(CongestionControl::BBR, "bbr", 3, 0.3),
                                   new LossInRecovery(CongestionControl::NEWRENO, "newreno"),
                                   new LossInRecovery(CongestionControl::CUBIC, "cubic"),
                                   new LossInRecovery(CongestionControl::BBR, "bbr"),
                                   new LossInRecovery(CongestionControl::CUBIC, "by time", true),
                                   new LossAfterTimeout(CongestionControl::NEWRENO, "newreno"),
                                   new LossAfterTimeout(CongestionControl::CUBIC, "cubic"),
                                   new TimeoutInRecovery(CongestionControl::NEWRENO, "newreno"),
                                   new TimeoutInRecovery(CongestionControl::RENO, "reno"),
                                   new TimeoutInRecovery(CongestionControl::CUBIC,
                                                         "cubic")}); //!< registers itself

} // namespace
