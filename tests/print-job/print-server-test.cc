/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a print server holds on to.
 */

#include "model/core/trace-listener.h"
#include "model/ethernet/ethernet-link.h"
#include "model/tcp/configured-tcp-factory.h"
#include "print-job/print-job-client.h"
#include "print-job/print-server.h"
#include "tests/suite.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
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

    ~Office()
    {
        Simulator::Destroy();
    }

    /// Send the print server a job.
    Ptr<PrintJobClient> Print(uint16_t port, const PrintJobScript& script) const
    {
        const auto client = CreateObject<PrintJobClient>();
        client->SetJob(InetSocketAddress(address, port),
                       Socket::CreateSocket(host, ConfiguredTcpFactory::GetTypeId()),
                       script);
        host->AddApplication(client);
        return client;
    }

    /// Let the jobs end.
    void Run() const
    {
        device->AddApplication(server);
        Simulator::Stop(Minutes(10));
        Simulator::Run();
    }

    Ptr<Node> host{CreateObject<Node>()};                 //!< sends the jobs
    Ptr<Node> device{CreateObject<Node>()};               //!< has the print server
    Ipv4Address address;                                  //!< the device's
    Ptr<PrintServer> server{CreateObject<PrintServer>()}; //!< set its attributes before Run()
};

/// A connection that closed in order is nobody's any more.
class LetsGo : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Office office;
        std::vector<Ptr<Socket>> accepted;
        Listen(office.server, "Accepted", [&accepted](Ptr<Socket> socket) {
            accepted.push_back(socket);
        });
        office.Print(PrintServer::LPR_PORT, MakeLprScript(5000));
        office.Print(PrintServer::RAW_PORT, MakeRawScript(5000));
        office.Run();
        NS_TEST_ASSERT_MSG_EQ(accepted.size(), 2, "connections");
        for (const auto& socket : accepted)
        {
            NS_TEST_EXPECT_MSG_EQ(socket->GetReferenceCount(), 1, "only this test holds it");
        }
    }
};

/// A stream that is fixed while the drain has no spread is kept until it has.
class KeepsItsStream : public Claim
{
    using Claim::Claim;

    /// @return when the port took bytes, with this stream
    std::vector<Time> Drained(int64_t stream, bool late)
    {
        const Office office;
        const TimeValue spread(MilliSeconds(20));
        if (!late)
        {
            office.server->SetAttribute("DrainLatencySpread", spread);
        }
        office.server->AssignStreams(stream);
        office.server->SetAttribute("DrainLatencySpread", spread);
        std::vector<Time> times;
        Listen(office.server, "Drained", [&times](uint32_t) { times.push_back(Simulator::Now()); });
        office.Print(PrintServer::RAW_PORT, MakeRawScript(20000));
        office.Run();
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
class PausesWhereDue : public Claim
{
    using Claim::Claim;

    /// @return what the port had taken when each of its pauses began [B]
    std::vector<uint64_t> PausesAfter(uint32_t every, uint32_t window)
    {
        const Office office(window);
        office.server->SetAttribute("DrainPauseEvery", UintegerValue(every));
        office.server->SetAttribute("DrainPause", TimeValue(MilliSeconds(100)));
        uint64_t taken = 0;
        Time last;
        std::vector<uint64_t> pauses;
        Listen(office.server, "Drained", [&](uint32_t size) {
            if (taken > 0 && Simulator::Now() - last >= MilliSeconds(90))
            {
                pauses.push_back(taken);
            }
            taken += size;
            last = Simulator::Now();
        });
        office.Print(PrintServer::RAW_PORT, MakeRawScript(20440)); // 14 segments
        office.Run();
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

/// Two jobs at once to one device over LPR: both end, each with its own dialogue.
class TwoJobsAtOnce : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Office office(1024);
        office.server->SetAttribute("PortRate", StringValue("1Mbps"));
        int finished = 0;
        Time last;
        const PrintJobScript script = MakeLprScript(50000);
        for (int i = 0; i < 2; ++i)
        {
            const auto client = office.Print(PrintServer::LPR_PORT, script);
            client->SetEndCallback([&finished, &last](PrintJobClient::End end) {
                finished += end == PrintJobClient::End::FINISHED;
                last = Simulator::Now();
            });
        }
        office.Run();
        NS_TEST_EXPECT_MSG_EQ(finished, 2, "jobs finished");
        NS_TEST_EXPECT_MSG_EQ(office.server->GetReceived(), 2 * GetSize(script), "bytes passed on");
        const double portTime = 2 * GetSize(script) * 8 / 1e6; // they share one port of 1 Mbit/s
        NS_TEST_EXPECT_MSG_EQ_TOL(last.GetSeconds() / portTime, 1, 0.1, "time over the port's");
    }
};

const Suite g_printServerSuite(
    "print-server",
    {new LetsGo("a print server lets go of a connection that closed in order"),
     new KeepsItsStream("a print server keeps its stream while its drain has no spread"),
     new PausesWhereDue("a pause begins with the chunk that reaches the next multiple"),
     new TwoJobsAtOnce("two jobs at once to one device both end")});

} // namespace
