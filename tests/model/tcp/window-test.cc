/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The window a device announces while its buffer fills and empties, and the silly window syndrome
 * that follows when both ends let it (RFC 1122, 4.2.3.3 and 4.2.3.4).
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::study;

namespace
{

/**
 * A segment of 1008 B into a buffer of 1024 leaves a window of 16; reading it opens 1024 again. So
 * the printed exchange of the Netgear. The host does not use the 16.
 */
class WindowIsWhatIsFree : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(
            ObjectFactory("ns3::study::HostTcpSocket"),
            ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(1024)));
        pair.SetReading(false);
        pair.RunUntil(Seconds(1));
        pair.WriteNow(1008);
        pair.RunUntil(Seconds(1.1));
        pair.WriteNow(1000);
        pair.RunUntil(Seconds(1.2));
        NS_TEST_ASSERT_MSG_EQ(pair.HostData().size(), 1, "segments sent into 1024 and into 16");
        pair.ReadNow(1008);
        pair.RunUntil(Seconds(1.3));
        const auto acks = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_GT_OR_EQ(acks.size(), 2, "ACK and window update");
        NS_TEST_EXPECT_MSG_EQ(acks[0].header.GetWindowSize(), 16, "window of the ACK");
        NS_TEST_EXPECT_MSG_EQ(acks[1].header.GetWindowSize(), 1024, "window of the update");
        NS_TEST_EXPECT_MSG_EQ(acks[1].header.GetAckNumber(),
                              SequenceNumber32(1009),
                              "the update acknowledges nothing new");
        NS_TEST_EXPECT_MSG_EQ(pair.HostData().size(), 2, "segments sent after the update");
    }
};

/**
 * The application takes 128 B at a time out of a full buffer of 4096. Without the receiver's rule
 * every 128 B are announced; with it, 1460 B at least (RFC 1122, 4.2.3.3).
 */
class SmallOpenings : public TestCase
{
  public:
    explicit SmallOpenings(bool avoided)
        : TestCase(avoided ? "with the receiver's rule no opening below one MSS is announced"
                           : "without the receiver's rule every opening is announced"),
          m_avoided(avoided)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(4096));
        device.Set("DeviceSillyWindowAvoidance", BooleanValue(m_avoided));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), device);
        pair.SetReading(false);
        pair.Write(100000);
        pair.RunUntil(Seconds(0.9)); // 2920 B are in; the 1176 left are used after 500 ms
        const std::size_t before = pair.DeviceSegments().size();
        constexpr uint32_t piece = 128;
        for (int i = 0; i < 24; ++i)
        {
            pair.ReadNow(piece);
            pair.RunUntil(Simulator::Now() + MicroSeconds(100));
        }
        pair.RunUntil(Seconds(0.95));
        const auto updates = pair.DeviceSegments();
        const std::size_t announced = updates.size() - before;
        if (m_avoided)
        {
            NS_TEST_EXPECT_MSG_LT(announced, 6, "segments of the device for 24 reads");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(announced, 24, "segments of the device for 24 reads");
            NS_TEST_EXPECT_MSG_EQ(updates[before].header.GetWindowSize(), piece, "first update");
        }
    }

    bool m_avoided; //!< whether the device avoids announcing them
};

/**
 * A sender that fills whatever window there is, and a receiver that announces every 128 B: the
 * segments shrink to 128 B and stay so (RFC 813). One end's rule is enough to prevent it.
 */
class SillyWindowSyndrome : public TestCase
{
  public:
    SillyWindowSyndrome(const std::string& sender, bool device, bool silly)
        : TestCase("sender " + sender + ", device " + (device ? "avoiding" : "not avoiding") +
                   ": " + (silly ? "silly" : "no silly") + " windows"),
          m_sender(sender),
          m_device(device),
          m_silly(silly)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory host("ns3::study::HostTcpSocket",
                           "SillyWindowAvoidance",
                           StringValue(m_sender));
        host.Set("Nagle", BooleanValue(false));
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(4096));
        device.Set("DeviceSillyWindowAvoidance", BooleanValue(m_device));
        TcpPair pair(host, device);
        pair.SetReading(false);
        pair.Write(200000);
        pair.RunUntil(Seconds(0.1));
        for (int i = 0; i < 800; ++i)
        {
            pair.ReadNow(128);
            pair.RunUntil(Simulator::Now() + MilliSeconds(1));
        }
        const auto data = pair.HostData();
        const double mean = std::accumulate(data.begin(),
                                            data.end(),
                                            0.0,
                                            [](double sum, const SeenSegment& segment) {
                                                return sum + segment.size;
                                            }) /
                            data.size();
        if (m_silly)
        {
            NS_TEST_EXPECT_MSG_LT(mean, 150, "mean payload of the host's segments");
        }
        else
        {
            NS_TEST_EXPECT_MSG_GT(mean, 700, "mean payload of the host's segments");
        }
    }

    std::string m_sender; //!< what the sender does with small windows
    bool m_device;        //!< whether the device avoids announcing them
    bool m_silly;         //!< whether the syndrome is to be seen
};

/// Window updates are no duplicate ACKs: nothing is retransmitted (RFC 5681, 2).
class UpdatesAreNoDuplicates : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(8760));
        device.Set("AckLatency", StringValue("50ms"));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), device);
        pair.SetReading(false);
        pair.Write(20000);
        for (int i = 0; i < 400; ++i)
        {
            pair.RunUntil(MilliSeconds(i + 1));
            if (pair.deviceSocket)
            {
                pair.ReadNow(64);
            }
        }
        std::set<uint32_t> numbers;
        for (const auto& segment : pair.HostData())
        {
            numbers.insert(segment.header.GetSequenceNumber().GetValue());
        }
        NS_TEST_EXPECT_MSG_EQ(numbers.size(), pair.HostData().size(), "distinct segments sent");
        NS_TEST_EXPECT_MSG_GT(pair.DeviceSegments().size(), 20, "segments of the device");
    }
};

/// How Linux since 2.4 cuts a window: at most half of it a segment, and the rest behind a block of
/// whole ones that could be longer. What is written leaves in blocks of half the window; what an
/// ACK lets go in blocks of two segments, or of half the congestion window where round trips are
/// short.
class HalfWindowSegments : public TestCase
{
  public:
    HalfWindowSegments(uint32_t window,
                       std::string latency,
                       std::vector<uint32_t> first,
                       std::vector<uint32_t> sizes)
        : TestCase("half-window, burst: how a window of " + std::to_string(window) +
                   " B is filled, ACKs after " + latency),
          m_window(window),
          m_latency(std::move(latency)),
          m_first(std::move(first)),
          m_sizes(std::move(sizes))
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory host("ns3::study::HostTcpSocket", "SegmentBound", StringValue("half-window"));
        host.Set("SillyWindowAvoidance", StringValue("burst"));
        host.Set("InitialWindow", UintegerValue(10));
        host.Set("Nagle", BooleanValue(false));
        ObjectFactory device("ns3::study::DeviceTcpSocket",
                             "ReceiveWindow",
                             UintegerValue(m_window));
        device.Set("AckLatency", StringValue(m_latency));
        device.Set("InteractiveAckLatency", StringValue(m_latency));
        device.Set("SynAckLatency", StringValue(m_latency));
        TcpPair pair(host, device);
        pair.Write(10 * m_window);
        pair.RunUntil(Seconds(5));
        std::vector<uint32_t> expected = m_first;
        for (const auto* flight : {&m_sizes, &m_sizes})
        {
            expected.insert(expected.end(), flight->begin(), flight->end());
        }
        const auto data = pair.HostData();
        NS_TEST_ASSERT_MSG_GT_OR_EQ(data.size(), expected.size(), "segments sent");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(data[i].size, expected[i], "segment " << i);
        }
    }

    uint32_t m_window;             //!< the device's window [B]
    std::string m_latency;         //!< of its ACKs
    std::vector<uint32_t> m_first; //!< the segments of the first flights [B]
    std::vector<uint32_t> m_sizes; //!< those of each later one [B]
};

const Suite g_windowSuite(
    "window",
    {new WindowIsWhatIsFree("after 1008 of 1024 B the window is 16, after reading it is 1024"),
     new SmallOpenings(false),
     new SmallOpenings(true),
     new SillyWindowSyndrome("none", false, true),
     new SillyWindowSyndrome("rfc1122", false, false),
     new SillyWindowSyndrome("none", true, false),
     new UpdatesAreNoDuplicates("window updates with data outstanding cause no retransmission"),
     // Measured on Linux 6.18 with these windows; the first segments have ACKs of their own.
     new HalfWindowSegments(1024, "50ms", {512, 512}, {512, 512}),
     new HalfWindowSegments(1460, "50ms", {730, 730}, {730, 730}),
     new HalfWindowSegments(2048, "50ms", {1024, 1024}, {1024, 1024}),
     new HalfWindowSegments(4096, "3ms", {1460, 1460, 1460, 1176, 1460}, {1460, 1460, 1176}),
     new HalfWindowSegments(4096, "50ms", {1460, 1460, 1460, 1176}, {1460, 1460}),
     new HalfWindowSegments(8000,
                            "50ms",
                            {1460, 1460, 1460, 1460, 1460, 700},
                            {1460})}); //!< registers itself

} // namespace
