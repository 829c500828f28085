/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/core/trace-listener.h"
#include "model/ethernet/interface-setup.h"
#include "tests/suite.h"

#include "ns3/csma-net-device.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <vector>

namespace ns3::study
{

namespace
{

/// Stations of a segment whose frames wait for one another.
class WaitingStationTest : public Claim
{
    using Claim::Claim;

    /// What a station has done.
    struct Station
    {
        uint32_t looks{0}; //!< how often it has found the line busy
        Time began;        //!< when its frame began
    };

    void DoRun() override
    {
        const NodeContainer nodes(3);
        const NetDeviceContainer interfaces =
            InstallCsmaSegment(nodes, DataRate("10Mbps"), NanoSeconds(500));
        std::vector<Station> stations(nodes.GetN());
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            const auto interface = DynamicCast<CsmaNetDevice>(interfaces.Get(i));
            ListenToPackets(interface, {"MacTxBackoff"}, [&, i]() { ++stations[i].looks; });
            ListenToPackets(interface, {"PhyTxBegin"}, [&, i]() {
                stations[i].began = Simulator::Now();
            });
            Simulator::Schedule(MicroSeconds(100 * i), [interface]() {
                interface->Send(Create<Packet>(1500), interface->GetBroadcast(), 0x0800);
            });
        }
        Simulator::Run();
        Simulator::Destroy();
        // 1518 octets and 0.5 us of propagation: the line is idle from 1214.9 us. The third station
        // looks at 200 us and each 9.6 us from there, the second at 100 us and so on.
        NS_TEST_EXPECT_MSG_EQ(stations[0].began, Time(0), "the line is free");
        NS_TEST_EXPECT_MSG_EQ(stations[2].began, NanoSeconds(1217600), "its first look after that");
        NS_TEST_EXPECT_MSG_EQ(stations[1].began,
                              NanoSeconds(2432800),
                              "its first look after the third's frame, idle from 2432.5 us");
        NS_TEST_EXPECT_MSG_EQ(stations[2].looks, 2, "at once, and before the line is idle");
        NS_TEST_EXPECT_MSG_LT(stations[1].looks, 5, "twice a frame");
    }
};

/// The Ethernet's suite.
const Suite g_suite(
    "study-interface-setup",
    {new WaitingStationTest(
        "A station that waits for a frame of 1.2 ms sends in the gap that it would have "
        "found "
        "by looking at each, and looks twice")});

} // namespace

} // namespace ns3::study
