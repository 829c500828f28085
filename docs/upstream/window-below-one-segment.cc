/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A sender uses a window that is at least half the largest one it was offered, or any after a
 * timeout (RFC 1122, 4.2.3.4; RFC 9293, 3.8.6.2.1). ns-3 waits for room for a whole segment.
 *
 * The receiver's buffer has room for 1024 octets. The sender has 4096 to send.
 */

#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-helper.h"

using namespace ns3;

/// Octets arrive.
class WindowBelowOneSegmentTest : public TestCase
{
  public:
    WindowBelowOneSegmentTest()
        : TestCase("A window of 1024 octets is used by a sender with segments of 1460")
    {
    }

  private:
    void DoRun() override;
};

void
WindowBelowOneSegmentTest::DoRun()
{
    NodeContainer nodes(2);
    NetDeviceContainer ends = PointToPointHelper().Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(ends);

    const auto listener = Socket::CreateSocket(nodes.Get(1), TcpSocketFactory::GetTypeId());
    listener->SetAttribute("RcvBufSize", UintegerValue(1024));
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
    Simulator::Schedule(Seconds(1), [sender]() { sender->Send(Create<Packet>(4096)); });
    Simulator::Stop(Minutes(1));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(peer->GetRxAvailable(), 1024, "the window is filled within a minute");
    Simulator::Destroy();
}

/// One case.
static struct WindowBelowOneSegmentSuite : public TestSuite
{
    WindowBelowOneSegmentSuite()
        : TestSuite("tcp-window-below-one-segment", Type::UNIT)
    {
        AddTestCase(new WindowBelowOneSegmentTest, Duration::QUICK);
    }
} g_suite; //!< registers it

int
main(int argc, char* argv[])
{
    return TestRunner::Run(argc, argv);
}
