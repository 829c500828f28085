/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Fixed streams of random numbers: two runs that differ in one thing share their luck.
 */

#include "model/ethernet/interface-setup.h"
#include "model/tcp/device-tcp.h"
#include "model/tcp/shared-draw.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/double.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return when segments were seen
std::vector<Time>
TimesOf(const std::vector<SeenSegment>& segments)
{
    std::vector<Time> times;
    for (const SeenSegment& segment : segments)
    {
        times.push_back(segment.time);
    }
    return times;
}

/// A pair over a line that loses a tenth either way, and what became of each frame.
class LossyRun
{
  public:
    /// @param ackLatency of the device, by which runs differ @param path instead of an Ethernet
    explicit LossyRun(const std::string& ackLatency, bool path = false)
    {
        ObjectFactory device("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(8760));
        device.Set("AckLatency", StringValue(ackLatency));
        device.Set("AckLatencySpread", StringValue("3ms"));
        ObjectFactory link(path ? "ns3::study::PathLink" : "ns3::study::EthernetLink");
        link.Set(path ? "PathLossBack" : "LossToHost", DoubleValue(0.1));
        link.Set(path ? "PathLoss" : "LossToDevice", DoubleValue(0.1));
        TcpPair pair(ObjectFactory("ns3::study::HostTcp"), device, link);
        const auto watch = [](Ptr<NetDevice> interface, std::vector<bool>& lost) {
            interface->TraceConnectWithoutContext(
                "PhyRxDrop",
                Callback<void, Ptr<const Packet>>([&lost](auto) { lost.push_back(true); }));
            interface->TraceConnectWithoutContext(
                "MacRx",
                Callback<void, Ptr<const Packet>>([&lost](auto) { lost.push_back(false); }));
        };
        watch(pair.hostSocket->GetNode()->GetDevice(0), lostToHost);
        watch(pair.listener->GetNode()->GetDevice(0), lostToDevice);
        pair.Write(200000, true);
        pair.RunUntil(Minutes(10));
        times = TimesOf(pair.seen);
    }

    std::vector<Time> times;        //!< of every segment at the host
    std::vector<bool> lostToHost;   //!< of each frame from the device, whether it was lost
    std::vector<bool> lostToDevice; //!< of each frame from the host
};

/// BBR draws where in its cycle it begins.
class BbrDraws : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto run = [](int64_t stream) {
            ObjectFactory host("ns3::study::HostTcp", "CongestionControl", StringValue("bbr"));
            ObjectFactory path("ns3::study::PathLink", "Rtt", StringValue("20ms"));
            TcpPair pair(host, ObjectFactory("ns3::study::DeviceTcp"), path, stream);
            pair.Write(3000000);
            pair.RunUntil(Minutes(1));
            return TimesOf(pair.HostData());
        };
        const auto first = run(50);
        NS_TEST_EXPECT_MSG_EQ((run(50) == first), true, "the same stream, the same phase");
        NS_TEST_EXPECT_MSG_EQ((run(51) == first), false, "another stream, another phase");
    }
};

/// Before and after of a what-if: the k-th frame of a direction is lost in both or in neither,
/// whatever else draws; in another run of ns-3's others are.
class SameLuck : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool path : {false, true})
        {
            const LossyRun before("10ms", path);
            const Ptr<UniformRandomVariable> unrelated = CreateObject<UniformRandomVariable>();
            const LossyRun again("10ms", path);
            NS_TEST_EXPECT_MSG_GT(before.times.size(), 150, "segments seen");
            NS_TEST_EXPECT_MSG_EQ((again.times == before.times), true, "the same exchange");
            RngSeedManager::SetRun(2);
            const LossyRun second("10ms", path);
            NS_TEST_EXPECT_MSG_EQ(RngSeedManager::GetRun(), 2, "the run that was asked for");
            RngSeedManager::SetRun(1);
            NS_TEST_EXPECT_MSG_EQ((before.lostToDevice == second.lostToDevice), false, "losses");
        }
        const LossyRun before("10ms");
        const LossyRun after("20ms");
        NS_TEST_EXPECT_MSG_EQ((before.times == after.times), false, "runs that differ");
        Compare(before.lostToHost, after.lostToHost, true, "to the host");
        Compare(before.lostToDevice, after.lostToDevice, true, "to the device");
        Compare(before.lostToHost, before.lostToDevice, false, "the two directions");
    }

    /// Compare what became of the frames that both have.
    void Compare(std::vector<bool> a, std::vector<bool> b, bool same, const std::string& what)
    {
        const std::size_t common = std::min(a.size(), b.size());
        NS_TEST_EXPECT_MSG_GT(common, 50, "frames " << what);
        a.resize(common);
        b.resize(common);
        NS_TEST_EXPECT_MSG_EQ((a == b), same, what);
    }
};

/// What is made around an Ethernet draws from streams of its own.
class AutomaticStreams : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto drawn = [](bool segments) {
            RngSeedManager::ResetNextStreamIndex();
            std::vector<double> values;
            uint64_t index = 0;
            for (int i = 0; i < 3; ++i)
            {
                values.push_back(CreateObject<UniformRandomVariable>()->GetValue());
                if (segments)
                {
                    InstallCsmaSegment(NodeContainer(2), DataRate("10Mbps"), MicroSeconds(1));
                }
                index = RngSeedManager::GetNextStreamIndex();
            }
            Simulator::Destroy();
            return std::pair{values, index};
        };
        const auto [around, after] = drawn(true);
        NS_TEST_EXPECT_MSG_NE(around[0], around[1], "before one and after it");
        NS_TEST_EXPECT_MSG_NE(around[1], around[2], "before the next and after it");
        NS_TEST_EXPECT_MSG_NE(around[0], around[2], "before both and after them");
        NS_TEST_EXPECT_MSG_EQ(drawn(false).first[0], around[0], "the first has what it would have");
        NS_TEST_EXPECT_MSG_GT(after, drawn(false).second, "what is inside takes streams, too");
    }
};

/// A listening socket's stream is that of its connections.
class FixedAtTheListener : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto run = [](int64_t stream, int others) {
            RngSeedManager::ResetNextStreamIndex();
            for (int i = 0; i < others; ++i)
            {
                CreateObject<UniformRandomVariable>();
            }
            ObjectFactory device("ns3::study::DeviceTcp");
            device.Set("AckLatency", StringValue("5ms"));
            device.Set("AckLatencySpread", StringValue("3ms"));
            TcpPair pair(ObjectFactory("ns3::study::HostTcp"), device);
            pair.listener->AssignStreams(stream);
            pair.Write(300000);
            pair.RunUntil(Minutes(1));
            return TimesOf(pair.DeviceSegments());
        };
        const auto early = run(77, 0);
        NS_TEST_EXPECT_MSG_GT(early.size(), 20, "ACKs");
        NS_TEST_EXPECT_MSG_EQ((run(77, 5) == early), true, "whatever else is made");
        NS_TEST_EXPECT_MSG_EQ((run(78, 0) == early), false, "another stream");
    }
};

/// Copies draw from one source of numbers, whoever is first.
class OneSource : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SharedDraw alone;
        alone.SetStream(9);
        const double first = alone.Get();
        const double second = alone.Get();
        NS_TEST_EXPECT_MSG_NE(first, second, "two numbers");
        SharedDraw listener;
        SharedDraw connection = listener; // before anything is drawn, and before the stream
        listener.SetStream(9);
        SharedDraw other = listener;
        NS_TEST_EXPECT_MSG_EQ(connection.Get(), first, "the first of the stream");
        NS_TEST_EXPECT_MSG_EQ(other.Get(), second, "the next");
        listener.SetStream(9);
        NS_TEST_EXPECT_MSG_EQ(other.Get(), first, "from the beginning");
    }
};

const Suite g_streamsSuite(
    "streams",
    {new AutomaticStreams("what is made before and after an Ethernet has streams of its own"),
     new FixedAtTheListener("a connection draws from its listening socket's stream"),
     new OneSource("a socket and its copies draw from one source of numbers"),
     new BbrDraws("BBR draws from the stream that its host is given"),
     new SameLuck(
         "the k-th frame of each direction has the same luck, and another in another run")});

} // namespace
