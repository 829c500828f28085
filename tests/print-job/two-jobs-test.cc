/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A print server with two jobs at once, which share its port.
 */

#include "model/ethernet/ethernet-link.h"
#include "model/tcp/configured-tcp-factory.h"
#include "print-job/print-job-client.h"
#include "print-job/print-server.h"
#include "tests/suite.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

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
        ConfiguredTcpFactory::Install(host, ObjectFactory("ns3::study::HostTcp"));
        ConfiguredTcpFactory::Install(
            device,
            ObjectFactory("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(1024)));
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

const Suite g_twoJobsSuite("two-jobs",
                           {new TwoJobsAtOnce("two jobs at once to one device both end")});

} // namespace
