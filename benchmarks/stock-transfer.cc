/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What the study is measured against: one transfer as ns-3's own examples write it, with ns-3's
 * helpers, sockets and applications and nothing of this project.
 *
 *   host ----- CSMA, 10 Mbit/s, 0.5 us ----- device
 *   BulkSend                                 PacketSink
 *
 * Options that a scenario's TCP does not have are off, so that both put the same data segments on
 * the wire.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    uint64_t size = 65536;
    uint32_t window = 32120;
    bool count = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Bytes to send [B]", size);
    cmd.AddValue("window", "Receive window, the receive buffer's size [B]", window);
    cmd.AddValue("count", "Print the frames each way too", count);
    cmd.Parse(argc, argv);

    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(window));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(65536));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::WindowScaling", BooleanValue(false));

    NodeContainer nodes(2);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("10Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("500ns"));
    NetDeviceContainer devices = csma.Install(nodes);
    InternetStackHelper internet;
    internet.Install(nodes);
    Ipv4AddressHelper addresses("10.1.1.0", "255.255.255.0");
    Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

    const uint16_t port = 9100;
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(interfaces.GetAddress(1), port));
    source.SetAttribute("MaxBytes", UintegerValue(size));
    source.Install(nodes.Get(0));
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), port));
    ApplicationContainer sinks = sink.Install(nodes.Get(1));

    Time last;
    Ptr<PacketSink> received = DynamicCast<PacketSink>(sinks.Get(0));
    received->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&last](Ptr<const Packet>, const Address&) { last = Simulator::Now(); }));
    uint64_t data = 0;
    uint64_t others = 0;
    uint64_t acks = 0;
    if (count)
    {
        devices.Get(0)->TraceConnectWithoutContext(
            "PhyTxEnd",
            Callback<void, Ptr<const Packet>>([&data, &others](Ptr<const Packet> frame) {
                ++(frame->GetSize() > 64 ? data : others); // one without data is padded to 64
            }));
        devices.Get(1)->TraceConnectWithoutContext(
            "PhyTxEnd",
            Callback<void, Ptr<const Packet>>([&acks](Ptr<const Packet>) { ++acks; }));
    }

    Simulator::Stop(Hours(1));
    Simulator::Run();
    std::cout << received->GetTotalRx() << " bytes in " << last.GetSeconds() << " s\n";
    if (count)
    {
        std::cout << data << " data frames, " << others << " others, " << acks << " back\n";
    }
    Simulator::Destroy();
    return received->GetTotalRx() == size ? 0 : 1;
}
