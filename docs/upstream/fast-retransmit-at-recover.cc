/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * After a retransmission timeout without SACK, a fast retransmit may begin only where more than
 * "recover" is acknowledged (RFC 6582, 3.2, step 2, and 4). ns-3 begins one at "recover" itself.
 *
 *   sender ------ 1 Mbit/s, 50 ms each way ------ receiver
 *
 * Packets 47 and 103 to the receiver are lost: a segment, and its retransmission.
 */

#include "ns3/bulk-send-application.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/core-module.h"
#include "ns3/error-model.h"
#include "ns3/internet-module.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/point-to-point-helper.h"

using namespace ns3;

/// No fast retransmit begins for duplicates of what a timeout has sent again.
class FastRetransmitAtRecoverTest : public TestCase
{
  public:
    FastRetransmitAtRecoverTest()
        : TestCase("After a timeout, an ACK of recover itself begins no fast retransmit")
    {
    }

  private:
    void DoRun() override;
    /// Watch the sender's socket.
    void Watch(Ptr<Socket> socket);
    /// The sender's congestion state has changed.
    void StateChanged(TcpSocketState::TcpCongState_t before, TcpSocketState::TcpCongState_t now);

    SequenceNumber32 m_sent;    //!< end of all that was sent
    SequenceNumber32 m_acked;   //!< highest acknowledgment number
    SequenceNumber32 m_recover; //!< end of all that was sent when the last timer expired
    uint32_t m_timeouts{0};     //!< retransmission timeouts
};

void
FastRetransmitAtRecoverTest::DoRun()
{
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(65536));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(65535));
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TcpNewReno::GetTypeId()));
    NodeContainer nodes(2);
    PointToPointHelper line;
    line.SetDeviceAttribute("DataRate", StringValue("1Mbps"));
    line.SetChannelAttribute("Delay", StringValue("50ms"));
    NetDeviceContainer ends = line.Install(nodes);
    InternetStackHelper().Install(nodes);
    const auto addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(ends);
    const auto losses = CreateObject<ReceiveListErrorModel>();
    losses->SetList({47, 103});
    ends.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(losses));

    const InetSocketAddress receiver(addresses.GetAddress(1), 9);
    PacketSinkHelper("ns3::TcpSocketFactory", receiver).Install(nodes.Get(1));
    BulkSendHelper bulk("ns3::TcpSocketFactory", receiver);
    bulk.SetAttribute("MaxBytes", UintegerValue(500000));
    const auto source = DynamicCast<BulkSendApplication>(bulk.Install(nodes.Get(0)).Get(0));
    Simulator::Schedule(TimeStep(1), [this, source]() { Watch(source->GetSocket()); });
    Simulator::Stop(Minutes(1));
    Simulator::Run();
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(m_timeouts, 1, "the lost retransmission is found by a timeout");
}

void
FastRetransmitAtRecoverTest::Watch(Ptr<Socket> socket)
{
    using Numbers = Callback<void, SequenceNumber32, SequenceNumber32>;
    socket->TraceConnectWithoutContext(
        "HighestSequence",
        Numbers([this](SequenceNumber32, SequenceNumber32 now) { m_sent = now; }));
    socket->TraceConnectWithoutContext(
        "HighestRxAck",
        Numbers([this](SequenceNumber32, SequenceNumber32 now) { m_acked = now; }));
    socket->TraceConnectWithoutContext(
        "CongState",
        MakeCallback(&FastRetransmitAtRecoverTest::StateChanged, this));
}

void
FastRetransmitAtRecoverTest::StateChanged(TcpSocketState::TcpCongState_t,
                                          TcpSocketState::TcpCongState_t now)
{
    if (now == TcpSocketState::CA_LOSS)
    {
        ++m_timeouts;
        m_recover = m_sent;
    }
    else if (now == TcpSocketState::CA_RECOVERY && m_timeouts > 0)
    {
        NS_TEST_EXPECT_MSG_GT(m_acked,
                              m_recover,
                              "fast retransmit at " << Simulator::Now().As(Time::S)
                                                    << " for duplicates of retransmitted segments");
    }
}

/// One case.
static struct FastRetransmitAtRecoverSuite : public TestSuite
{
    FastRetransmitAtRecoverSuite()
        : TestSuite("tcp-fast-retransmit-at-recover", Type::UNIT)
    {
        AddTestCase(new FastRetransmitAtRecoverTest, Duration::QUICK);
    }
} g_suite; //!< registers it

int
main(int argc, char* argv[])
{
    return TestRunner::Run(argc, argv);
}
