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

#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

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
        Ptr<Node> host = CreateObject<Node>();
        Ptr<Node> device = CreateObject<Node>();
        Ptr<EthernetLink> link = CreateObject<EthernetLink>();
        link->Join(host, device);
        ConfiguredTcpFactory::Install(host, ObjectFactory("ns3::study::HostTcpSocket"));
        ConfiguredTcpFactory::Install(device, ObjectFactory("ns3::study::DeviceTcpSocket"));
        Ptr<PrintServer> server = CreateObject<PrintServer>();
        std::vector<Ptr<Socket>> accepted;
        server->TraceConnectWithoutContext(
            "Accepted",
            Callback<void, Ptr<Socket>>(
                [&accepted](Ptr<Socket> socket) { accepted.push_back(socket); }));
        device->AddApplication(server);
        for (const uint16_t port : {PrintServer::LPR_PORT, PrintServer::RAW_PORT})
        {
            Ptr<PrintJobClient> client = CreateObject<PrintJobClient>();
            const InetSocketAddress address(link->GetDeviceAddress(), port);
            client->SetJob(address,
                           Socket::CreateSocket(host, ConfiguredTcpFactory::GetTypeId()),
                           port == PrintServer::LPR_PORT ? MakeLprScript(5000)
                                                         : MakeRawScript(5000));
            host->AddApplication(client);
        }
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

/// The suite.
class PrintServerSuite : public TestSuite
{
  public:
    PrintServerSuite()
        : TestSuite("print-server", Type::UNIT)
    {
        AddTestCase(new LetsGo, Duration::QUICK);
    }
};

PrintServerSuite g_printServerSuite; //!< registers itself

} // namespace
