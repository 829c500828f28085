/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A sender of ns-3 without SACK after a lost retransmission: it sends again what was never lost.
 *
 *   sender ------ 1 Mbit/s, 50 ms each way ------ receiver
 *
 * The second run has the corrected sockets of this study; docs/reference/tcp-corrections.md says
 * what is corrected. Each line: the sockets, packets lost, segments sent again, the time it took.
 */

#include "model/tcp/configured-tcp-factory.h"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>

using namespace ns3;

namespace
{

const uint32_t SIZE = 500000;            //!< [B]
uint32_t g_sentAgain = 0;                //!< segments with old data
SequenceNumber32 g_sentUpTo;             //!< end of all that was sent
const std::list<uint32_t> LOST{47, 103}; //!< of the packets to the receiver, from 0

/// The sender has sent a segment.
void
Sent(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase>)
{
    const SequenceNumber32 end = header.GetSequenceNumber() + packet->GetSize();
    g_sentAgain += packet->GetSize() > 0 && end <= g_sentUpTo;
    g_sentUpTo = std::max(g_sentUpTo, end);
}

/// Send SIZE bytes with the sockets of a factory.
void
Run(const std::string& name, const std::string& factory)
{
    g_sentAgain = 0;
    g_sentUpTo = SequenceNumber32(0);
    NodeContainer nodes(2);
    PointToPointHelper line;
    line.SetDeviceAttribute("DataRate", StringValue("1Mbps"));
    line.SetChannelAttribute("Delay", StringValue("50ms"));
    NetDeviceContainer ends = line.Install(nodes);
    InternetStackHelper().Install(nodes);
    if (factory != "ns3::TcpSocketFactory")
    {
        ObjectFactory host("ns3::study::HostTcp");
        ObjectFactory device("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(65535));
        study::ConfiguredTcpFactory::Install(nodes.Get(0), host);
        study::ConfiguredTcpFactory::Install(nodes.Get(1), device);
    }
    Ipv4InterfaceContainer addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(ends);
    Ptr<ReceiveListErrorModel> losses = CreateObject<ReceiveListErrorModel>();
    losses->SetList(LOST);
    ends.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(losses));

    const InetSocketAddress receiver(addresses.GetAddress(1), 9);
    ApplicationContainer sink = PacketSinkHelper(factory, receiver).Install(nodes.Get(1));
    Time last;
    sink.Get(0)->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&](Ptr<const Packet>, const Address&) { last = Simulator::Now(); }));
    BulkSendHelper bulk(factory, receiver);
    bulk.SetAttribute("MaxBytes", UintegerValue(SIZE));
    ApplicationContainer source = bulk.Install(nodes.Get(0));
    source.Start(Seconds(0.1));
    Simulator::Schedule(Seconds(0.1) + TimeStep(1), [&]() {
        DynamicCast<BulkSendApplication>(source.Get(0))
            ->GetSocket()
            ->TraceConnectWithoutContext("Tx", MakeCallback(&Sent));
    });
    Simulator::Stop(Minutes(10));
    Simulator::Run();
    Simulator::Destroy();
    std::cout << name << ": " << LOST.size() << " lost, " << g_sentAgain << " sent again, "
              << last.As(Time::S) << std::endl;
}

} // namespace

int
main()
{
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(65536));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(65535));
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TcpNewReno::GetTypeId()));
    Run("ns-3", "ns3::TcpSocketFactory");
    Run("corrected", "ns3::study::ConfiguredTcpFactory");
    return 0;
}
