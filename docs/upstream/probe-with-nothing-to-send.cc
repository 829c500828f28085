/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The persist timer runs for a sender with data to send (RFC 9293, 3.8.6.1). ns-3 starts it at
 * every closed window; when it expires with nothing left to send, the process ends.
 *
 * The receiver's buffer has room for 2920 octets, and its application reads none. The sender sends
 * 2920.
 */

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-helper.h"

using namespace ns3;

/// The run ends with all octets at the receiver.
class ProbeWithNothingToSendTest : public TestCase
{
  public:
    ProbeWithNothingToSendTest()
        : TestCase("A closed window with nothing left to send brings no probe, and no crash")
    {
    }

  private:
    void DoRun() override;
};

void
ProbeWithNothingToSendTest::DoRun()
{
    NodeContainer nodes(2);
    NetDeviceContainer ends = PointToPointHelper().Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(ends);

    const auto listener = Socket::CreateSocket(nodes.Get(1), TcpSocketFactory::GetTypeId());
    listener->SetAttribute("RcvBufSize", UintegerValue(2920));
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
    listener->Listen();
    Ptr<Socket> peer;
    listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        Callback<void, Ptr<Socket>, const Address&>(
            [&peer](Ptr<Socket> accepted, const Address&) { peer = accepted; }));

    const auto sender = Socket::CreateSocket(nodes.Get(0), TcpSocketFactory::GetTypeId());
    sender->SetAttribute("SegmentSize", UintegerValue(1460));
    sender->Bind();
    const InetSocketAddress receiver(addresses.GetAddress(1), 9);
    Simulator::Schedule(Seconds(0), [&]() { sender->Connect(receiver); });
    Simulator::Schedule(Seconds(1), [sender]() { sender->Send(Create<Packet>(2920)); });
    Simulator::Stop(Minutes(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(peer->GetRxAvailable(), 2920, "all octets are at the receiver");
    Simulator::Destroy();
}

/// One case.
static struct ProbeWithNothingToSendSuite : public TestSuite
{
    ProbeWithNothingToSendSuite()
        : TestSuite("tcp-probe-with-nothing-to-send", Type::UNIT)
    {
        AddTestCase(new ProbeWithNothingToSendTest, Duration::QUICK);
    }
} g_suite; //!< registers it

int
main(int argc, char* argv[])
{
    return TestRunner::Run(argc, argv);
}
