/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A what-if of your own, with ns-3's own applications: how fast does a backup of 5 MB go to a unit
 * that offers 8760 bytes and acknowledges after 20 ms?
 *
 *   ./waf build --run backup-unit
 *   ./waf build --run "backup-unit --window=17520 --latency=10ms"
 */

#include "model/ethernet/ethernet-link.h"
#include "model/tcp/configured-tcp-factory.h"

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

int
main(int argc, char* argv[])
{
    uint32_t window = 8760;
    Time latency = MilliSeconds(20);
    CommandLine command(__FILE__);
    command.AddValue("window", "Receive window of the unit [B]", window);
    command.AddValue("latency", "ACK latency of the unit", latency);
    command.Parse(argc, argv);

    Ptr<Node> host = CreateObject<Node>();
    Ptr<Node> unit = CreateObject<Node>();
    Ptr<EthernetLink> link = CreateObject<EthernetLink>();
    link->Join(host, unit);
    ConfiguredTcpFactory::Install(host, ObjectFactory("ns3::study::HostTcp"));
    ObjectFactory unitTcp("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(window));
    unitTcp.Set("AckLatency", TimeValue(latency));
    ConfiguredTcpFactory::Install(unit, unitTcp);

    const std::string tcp = ConfiguredTcpFactory::GetTypeId().GetName();
    const InetSocketAddress address(link->GetDeviceAddress(), 9000);
    const uint64_t size = 5000000;
    BulkSendHelper backup(tcp, address);
    backup.SetAttribute("MaxBytes", UintegerValue(size));
    backup.Install(host);
    PacketSinkHelper store(tcp, address);
    Ptr<PacketSink> sink = DynamicCast<PacketSink>(store.Install(unit).Get(0));
    Time last;
    sink->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&last](Ptr<const Packet>, const Address&) { last = Simulator::Now(); }));

    Simulator::Stop(Hours(10));
    Simulator::Run();
    const bool finished = sink->GetTotalRx() == size;
    const double rate = size / last.GetSeconds() / 1000;
    std::cout << (finished ? std::to_string(rate) + " kB/s" : "stalled") << '\n';
    Simulator::Destroy();
    return finished ? 0 : 1;
}
