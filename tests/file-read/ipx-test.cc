/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * IPX: the octets of its header, sockets, routes, and the routers' hop count.
 */

#include "model/core/trace-listener.h"
#include "netware-pair.h"
#include "tests/suite.h"

#include "ns3/net-device.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint16_t SOCKET = 0x4003; //!< any

/**
 * @param n number of nodes
 * @return nodes with IPX
 */
NodeContainer
MakeNodes(uint32_t n)
{
    NodeContainer nodes;
    nodes.Create(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        nodes.Get(i)->AggregateObject(CreateObject<IpxProtocol>());
    }
    return nodes;
}

/**
 * @param nodes nodes with IPX
 * @param i which
 * @return its IPX
 */
Ptr<IpxProtocol>
Ipx(const NodeContainer& nodes, uint32_t i)
{
    return nodes.Get(i)->GetObject<IpxProtocol>();
}

/// Every field where Wireshark and the specification have it.
class HeaderOctets : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        IpxHeader header;
        header.length = 0x0102;
        header.hops = 3;
        header.destination = {0x0a0b0c0d, Mac48Address("11:12:13:14:15:16"), 0x0451};
        header.source = {0x1a1b1c1d, Mac48Address("21:22:23:24:25:26"), 0x4003};
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(header);
        const std::string octets = "ffff"         // no checksum
                                   "0102"         // length
                                   "03"           // hops
                                   "11"           // type
                                   "0a0b0c0d"     // destination: network, node, socket
                                   "111213141516" //
                                   "0451"         //
                                   "1a1b1c1d"     // source
                                   "212223242526" //
                                   "4003";
        NS_TEST_EXPECT_MSG_EQ(Hex(packet), octets, "octets");
        IpxHeader read;
        packet->RemoveHeader(read);
        packet->AddHeader(read);
        NS_TEST_EXPECT_MSG_EQ(read.source.node, header.source.node, "the source's node");
        NS_TEST_EXPECT_MSG_EQ(Hex(packet), octets, "written as read");
    }
};

/// A router counts itself, and leaves out what the Ethernet put behind.
class Forwarding : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const NodeContainer nodes = MakeNodes(3); // 1 is the router
        JoinIpx(NodeContainer(nodes.Get(0), nodes.Get(1)), 1);
        JoinIpx(NodeContainer(nodes.Get(1), nodes.Get(2)), 2);
        Ipx(nodes, 0)->AddRoute(2, 0, Ipx(nodes, 1)->GetAddress(0).node);
        IpxAddress destination = Ipx(nodes, 2)->GetAddress(0);
        destination.socket = SOCKET;
        uint32_t arrived = 0;
        Ipx(nodes, 2)->Open(SOCKET, [&](Ptr<Packet> packet, const IpxHeader& header) {
            ++arrived;
            NS_TEST_EXPECT_MSG_EQ(unsigned{header.hops}, 1, "hops");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 2, "without the Ethernet's padding");
            NS_TEST_EXPECT_MSG_EQ(header.source.network, 1, "the source's network");
            // Twice a frame of 14 + 46 + 4 octets at 10 Mbit/s and 500 ns.
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(2 * 51700), "time");
        });
        Ipx(nodes, 0)->Send(Create<Packet>(2), SOCKET, destination);
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(arrived, 1, "packets arrived");
    }
};

/// Two routers that each think the other knows the way.
class HopCount : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const NodeContainer nodes = MakeNodes(2);
        const NetDeviceContainer interfaces = JoinIpx(nodes, 1);
        uint32_t frames = 0;
        std::vector<IpxProtocol::DropReason> reasons;
        for (uint32_t i = 0; i < 2; ++i)
        {
            Ipx(nodes, i)->AddRoute(9, 0, Ipx(nodes, 1 - i)->GetAddress(0).node);
            ListenToPackets(interfaces.Get(i), {"MacTx"}, [&frames]() { ++frames; });
            Listen(Ipx(nodes, i),
                   "Drop",
                   [&reasons](Ptr<const Packet>, IpxProtocol::DropReason reason) {
                       reasons.push_back(reason);
                   });
        }
        Ipx(nodes, 0)->Send(Create<Packet>(100), SOCKET, {9, Mac48Address(), SOCKET});
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_ASSERT_MSG_EQ(reasons.size(), 1, "dropped");
        NS_TEST_EXPECT_MSG_EQ(reasons[0], IpxProtocol::DROP_HOPS, "why");
        NS_TEST_EXPECT_MSG_EQ(frames, 16, "the sender's frame and those of fifteen routers");
    }
};

/// What has nowhere to go is dropped, with the reason.
class Drops : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const NodeContainer nodes = MakeNodes(2);
        JoinIpx(nodes, 1);
        std::vector<IpxProtocol::DropReason> reasons;
        for (uint32_t i = 0; i < 2; ++i)
        {
            Listen(Ipx(nodes, i),
                   "Drop",
                   [&reasons](Ptr<const Packet>, IpxProtocol::DropReason reason) {
                       reasons.push_back(reason);
                   });
        }
        Ipx(nodes, 0)->Send(Create<Packet>(100), SOCKET, {7, Mac48Address(), SOCKET});
        IpxAddress destination = Ipx(nodes, 1)->GetAddress(0);
        destination.socket = SOCKET;
        Ipx(nodes, 0)->Send(Create<Packet>(100), SOCKET, destination);
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_ASSERT_MSG_EQ(reasons.size(), 2, "drops");
        NS_TEST_EXPECT_MSG_EQ(reasons[0], IpxProtocol::DROP_NO_ROUTE, "the first");
        NS_TEST_EXPECT_MSG_EQ(reasons[1], IpxProtocol::DROP_NO_SOCKET, "the second");
    }
};

const Suite g_ipxSuite(
    "ipx",
    {new HeaderOctets("an IPX header is the thirty octets of the specification"),
     new Forwarding("a router passes a packet on to the next network, one hop later"),
     new HopCount("a packet in a loop is dropped at the sixteenth router"),
     new Drops("a packet without a route or a socket is dropped")});

} // namespace
