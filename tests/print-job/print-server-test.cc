/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a print server holds on to.
 */

#include "model/ethernet/ethernet-link.h"
#include "model/tcp/configured-tcp-factory.h"
#include "print-job/print-job-client.h"
#include "print-job/print-server.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A host and a device on an Ethernet, with the sockets of either.
struct Office
{
    /// @param window the device's receive window [B]
    explicit Office(uint32_t window = 32120)
    {
        const auto link = CreateObject<EthernetLink>();
        link->Join(host, device);
        ConfiguredTcpFactory::Install(host, ObjectFactory("ns3::study::HostTcp"));
        ConfiguredTcpFactory::Install(
            device,
            ObjectFactory("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(window)));
        address = link->GetDeviceAddress();
    }

    /// Send a print server a job.
    void Print(uint16_t port, const PrintJobScript& script) const
    {
        const auto client = CreateObject<PrintJobClient>();
        client->SetJob(InetSocketAddress(address, port),
                       Socket::CreateSocket(host, ConfiguredTcpFactory::GetTypeId()),
                       script);
        host->AddApplication(client);
    }

    Ptr<Node> host{CreateObject<Node>()};   //!< sends the jobs
    Ptr<Node> device{CreateObject<Node>()}; //!< is to have the print server
    Ipv4Address address;                    //!< the device's
};

/// A connection that closed in order is nobody's any more.
class LetsGo : public TestCase
{
  public:
    LetsGo()
        : TestCase("a print server lets go of a connection that closed in order")
    {
    }

  private:
    void DoRun() override
    {
        const Office office;
        Ptr<PrintServer> server = CreateObject<PrintServer>();
        std::vector<Ptr<Socket>> accepted;
        server->TraceConnectWithoutContext(
            "Accepted",
            Callback<void, Ptr<Socket>>(
                [&accepted](Ptr<Socket> socket) { accepted.push_back(socket); }));
        office.device->AddApplication(server);
        office.Print(PrintServer::LPR_PORT, MakeLprScript(5000));
        office.Print(PrintServer::RAW_PORT, MakeRawScript(5000));
        Simulator::Stop(Minutes(10));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(accepted.size(), 2, "connections");
        for (const auto& socket : accepted)
        {
            NS_TEST_EXPECT_MSG_EQ(socket->GetReferenceCount(), 1, "only this test holds it");
        }
        accepted.clear();
        Simulator::Destroy();
    }
};

/// A stream that is fixed while the drain has no spread is kept until it has.
class KeepsItsStream : public TestCase
{
  public:
    KeepsItsStream()
        : TestCase("a print server keeps its stream while its drain has no spread")
    {
    }

  private:
    /// @return when the port took bytes, with this stream
    std::vector<Time> Drained(int64_t stream, bool late)
    {
        const Office office;
        Ptr<PrintServer> server = CreateObject<PrintServer>();
        const TimeValue spread(MilliSeconds(20));
        if (!late)
        {
            server->SetAttribute("DrainLatencySpread", spread);
        }
        server->AssignStreams(stream);
        server->SetAttribute("DrainLatencySpread", spread);
        std::vector<Time> times;
        server->TraceConnectWithoutContext("Drained", Callback<void, uint32_t>([&times](auto) {
                                               times.push_back(Simulator::Now());
                                           }));
        office.device->AddApplication(server);
        office.Print(PrintServer::RAW_PORT, MakeRawScript(20000));
        Simulator::Stop(Minutes(10));
        Simulator::Run();
        Simulator::Destroy();
        return times;
    }

    void DoRun() override
    {
        const auto early = Drained(77, false);
        NS_TEST_EXPECT_MSG_GT(early.size(), 2, "drains");
        NS_TEST_EXPECT_MSG_EQ((Drained(77, true) == early), true, "the same stream");
        NS_TEST_EXPECT_MSG_EQ((Drained(78, true) == early), false, "another stream");
    }
};

/// A pause is due at each multiple of DrainPauseEvery: what a chunk holds beyond one counts towards
/// the next. All is worked out here: the host sends 1460 B at a time, which the port takes at once.
class PausesWhereDue : public TestCase
{
  public:
    PausesWhereDue()
        : TestCase("a pause begins with the chunk that reaches the next multiple")
    {
    }

  private:
    /// @return what the port had taken when each of its pauses began [B]
    std::vector<uint64_t> PausesAfter(uint32_t every, uint32_t window)
    {
        const Office office(window);
        Ptr<PrintServer> server = CreateObject<PrintServer>();
        server->SetAttribute("DrainPauseEvery", UintegerValue(every));
        server->SetAttribute("DrainPause", TimeValue(MilliSeconds(100)));
        uint64_t taken = 0;
        Time last;
        std::vector<uint64_t> pauses;
        server->TraceConnectWithoutContext("Drained", Callback<void, uint32_t>([&](uint32_t size) {
                                               if (taken > 0 &&
                                                   Simulator::Now() - last >= MilliSeconds(90))
                                               {
                                                   pauses.push_back(taken);
                                               }
                                               taken += size;
                                               last = Simulator::Now();
                                           }));
        office.device->AddApplication(server);
        office.Print(PrintServer::RAW_PORT, MakeRawScript(20440)); // 14 segments
        Simulator::Stop(Minutes(10));
        Simulator::Run();
        Simulator::Destroy();
        return pauses;
    }

    void DoRun() override
    {
        using Places = std::vector<uint64_t>;
        // Segments 2, 3, 5, ... are the first to reach 2900, 4000, ... and their multiples.
        const Places at2900{2920, 5840, 8760, 11680, 14600, 17520};
        const Places at3000{4380, 7300, 10220, 13140, 16060, 18980};
        const Places at4000{4380, 8760, 13140, 16060};
        NS_TEST_EXPECT_MSG_EQ((PausesAfter(2900, 1460) == at2900), true, "each 2900 B");
        NS_TEST_EXPECT_MSG_EQ((PausesAfter(3000, 1460) == at3000), true, "each 3000 B");
        NS_TEST_EXPECT_MSG_EQ((PausesAfter(4000, 1460) == at4000), true, "each 4000 B");
        // Less than a segment, and a window of many: none is passed over.
        NS_TEST_EXPECT_MSG_EQ(PausesAfter(1000, 1460).size(), 20, "each 1000 B");
        NS_TEST_EXPECT_MSG_EQ(PausesAfter(1000, 14600).size(), 20, "each 1000 B of a large window");
    }
};

/// The suite.
class PrintServerSuite : public TestSuite
{
  public:
    PrintServerSuite()
        : TestSuite("print-server", Type::UNIT)
    {
        AddTestCase(new LetsGo, Duration::QUICK);
        AddTestCase(new KeepsItsStream, Duration::QUICK);
        AddTestCase(new PausesWhereDue, Duration::QUICK);
    }
};

PrintServerSuite g_printServerSuite; //!< registers itself

} // namespace
