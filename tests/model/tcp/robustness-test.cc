/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Every byte arrives: under loss in either direction, through windows of any size, with two jobs
 * at once; and a connection that is closed or reset by either end ends.
 */

#include "print-job/print-job-client.h"
#include "print-job/print-server.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// 200 seeds a rate and direction: every job ends with every byte, and both ends learn of the end.
class EveryByteArrives : public TestCase
{
  public:
    EveryByteArrives(const std::string& direction, double rate)
        : TestCase(direction + "=" + std::to_string(rate) + ": every byte arrives, 200 seeds"),
          m_direction(direction),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 200; ++seed)
        {
            RngSeedManager::SetSeed(seed);
            const uint32_t window = 512 * (1 + seed % 12);
            ObjectFactory device("ns3::study::DeviceTcpSocket",
                                 "ReceiveWindow",
                                 UintegerValue(window));
            device.Set("AckLatency", StringValue(seed % 2 ? "1ms" : "117ms"));
            ObjectFactory host("ns3::study::HostTcpSocket", "Nagle", BooleanValue(seed % 3 == 0));
            ObjectFactory link = TcpPair::Ethernet();
            link.Set(m_direction, DoubleValue(m_rate));
            TcpPair pair(host, device, link);
            constexpr uint64_t size = 30000;
            pair.Write(size, true);
            pair.RunUntil(Hours(1));
            NS_TEST_EXPECT_MSG_EQ(pair.received, size, "bytes read with seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(pair.deviceClosed, true, "FIN arrived with seed " << seed);
        }
        RngSeedManager::SetSeed(1);
    }

    std::string m_direction; //!< the link's attribute that loses
    double m_rate;           //!< the share of frames lost
};

/**
 * The device's window update is lost, and it says no more. The probe fetches the window; without
 * it both would wait for ever.
 */
class LostWindowUpdate : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(
            ObjectFactory("ns3::study::HostTcpSocket"),
            ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(2920)));
        pair.SetReading(false);
        pair.Write(8760);
        pair.RunUntil(MilliSeconds(150));
        pair.SetLossToHost(true);
        pair.SetReading(true);
        pair.RunUntil(MilliSeconds(160));
        NS_TEST_EXPECT_MSG_EQ(pair.HostData().size(), 2, "segments sent before the update is lost");
        pair.SetLossToHost(false);
        pair.RunUntil(MilliSeconds(199));
        NS_TEST_EXPECT_MSG_EQ(pair.HostData().size(), 2, "segments sent while nobody speaks");
        pair.RunUntil(Seconds(2));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 8760, "bytes read in the end");
    }
};

/// The device closes first; the host learns of it and can close too.
class DeviceClosesFirst : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"),
                     ObjectFactory("ns3::study::DeviceTcpSocket"));
        pair.Write(5000);
        pair.RunUntil(Seconds(1));
        pair.deviceSocket->Close();
        pair.RunUntil(Seconds(2));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 5000, "bytes read");
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told");
        pair.hostSocket->Close();
        pair.RunUntil(Seconds(3));
        const bool fin = pair.seen[pair.seen.size() - 2].header.GetFlags() & TcpHeader::FIN;
        NS_TEST_EXPECT_MSG_EQ(fin, true, "the host's FIN is the last but one segment");
    }
};

/// The device resets in the middle of the job; the host's socket ends, and says so.
class DeviceResets : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(2920));
        device.Set("AckLatency", StringValue("50ms"));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), device);
        pair.SetReading(false);
        pair.Write(100000);
        pair.RunUntil(Seconds(1));
        pair.deviceSocket->Close(); // with unread data: ns-3 resets
        pair.RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told");
        const std::size_t sent = pair.seen.size();
        pair.RunUntil(Hours(1));
        NS_TEST_EXPECT_MSG_EQ(pair.seen.size(), sent, "segments after the end");
    }
};

/// Windows and segments at the ends of their ranges.
class ExtremeSizes : public TestCase
{
  public:
    ExtremeSizes(uint32_t window, uint32_t mss, uint32_t sendBuffer)
        : TestCase("window " + std::to_string(window) + " B, MSS " + std::to_string(mss) +
                   " B, send buffer " + std::to_string(sendBuffer) + " B"),
          m_window(window),
          m_mss(mss),
          m_sendBuffer(sendBuffer)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory host("ns3::study::HostTcpSocket", "Mss", UintegerValue(m_mss));
        host.Set("SendBuffer", UintegerValue(m_sendBuffer));
        TcpPair pair(
            host,
            ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(m_window)));
        constexpr uint64_t size = 3000;
        pair.Write(size);
        pair.RunUntil(Hours(1));
        NS_TEST_EXPECT_MSG_EQ(pair.received, size, "bytes read");
        const uint32_t largest = std::min({m_window, m_mss, m_sendBuffer});
        for (const auto& segment : pair.HostData())
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(segment.size, largest, "payload of a segment");
        }
    }

    uint32_t m_window;     //!< the device's window [B]
    uint32_t m_mss;        //!< the host's MSS [B]
    uint32_t m_sendBuffer; //!< the host's send buffer [B]
};

/// Two jobs at once to one device over LPR: both end, each with its own dialogue.
class TwoJobsAtOnce : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ptr<Node> host = CreateObject<Node>();
        Ptr<Node> device = CreateObject<Node>();
        Ptr<EthernetLink> link = CreateObject<EthernetLink>();
        link->Join(host, device);
        ConfiguredTcpFactory::Install(host, ObjectFactory("ns3::study::HostTcpSocket"));
        ConfiguredTcpFactory::Install(
            device,
            ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(1024)));
        Ptr<PrintServer> server = CreateObject<PrintServer>();
        server->SetAttribute("PortRate", StringValue("1Mbps"));
        device->AddApplication(server);
        int finished = 0;
        Time last;
        const PrintJobScript script = MakeLprScript(50000);
        for (int i = 0; i < 2; ++i)
        {
            Ptr<PrintJobClient> client = CreateObject<PrintJobClient>();
            client->SetJob(InetSocketAddress(link->GetDeviceAddress(), PrintServer::LPR_PORT),
                           Socket::CreateSocket(host, ConfiguredTcpFactory::GetTypeId()),
                           script);
            client->SetEndCallback([&finished, &last](PrintJobClient::End end) {
                finished += end == PrintJobClient::End::FINISHED;
                last = Simulator::Now();
            });
            host->AddApplication(client);
        }
        Simulator::Stop(Minutes(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(finished, 2, "jobs finished");
        NS_TEST_EXPECT_MSG_EQ(server->GetReceived(), 2 * GetSize(script), "bytes passed on");
        const double portTime = 2 * GetSize(script) * 8 / 1e6; // they share one port of 1 Mbit/s
        NS_TEST_EXPECT_MSG_EQ_TOL(last.GetSeconds() / portTime, 1, 0.1, "time over the port's");
        Simulator::Destroy();
    }
};

/// The suite.
class RobustnessSuite : public TestSuite
{
  public:
    RobustnessSuite()
        : TestSuite("robustness", Type::SYSTEM)
    {
        for (const std::string direction : {"LossToDevice", "LossToHost"})
        {
            for (const double rate : {0.01, 0.05, 0.10})
            {
                AddTestCase(new EveryByteArrives(direction, rate), Duration::QUICK);
            }
        }
        AddTestCase(new LostWindowUpdate("a lost window update is made good by the next probe"),
                    Duration::QUICK);
        AddTestCase(new DeviceClosesFirst("a FIN from the device reaches the host's application"),
                    Duration::QUICK);
        AddTestCase(new DeviceResets("a reset from the device ends the host's connection"),
                    Duration::QUICK);
        AddTestCase(new ExtremeSizes(1, 1460, 65536), Duration::QUICK);
        AddTestCase(new ExtremeSizes(1024, 1460, 65536), Duration::QUICK);
        AddTestCase(new ExtremeSizes(500, 1460, 700), Duration::QUICK);
        AddTestCase(new ExtremeSizes(65535, 1, 65536), Duration::QUICK);
        AddTestCase(new ExtremeSizes(65535, 1460, 1), Duration::QUICK);
        AddTestCase(new TwoJobsAtOnce("two jobs at once to one device both end"), Duration::QUICK);
    }
};

RobustnessSuite g_robustnessSuite; //!< registers itself

} // namespace
