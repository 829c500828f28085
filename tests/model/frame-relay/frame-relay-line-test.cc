/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * One end of a frame-relay line: how long a frame takes, what is refused, what the node is told.
 */

#include "cloud.h"
#include "tests/suite.h"

#include "ns3/double.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// Told it were a broadcast medium or had one peer, the stack would believe that all hear it.
class Nbma : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ptr<NetDevice> device = CreateObject<FrameRelayNetDevice>();
        NS_TEST_EXPECT_MSG_EQ(device->IsPointToPoint(), false, "many circuits, many peers");
        NS_TEST_EXPECT_MSG_EQ(device->IsBroadcast(), false, "no frame for all of them");
        NS_TEST_EXPECT_MSG_EQ(device->IsMulticast(), false, "nor for some");
        NS_TEST_EXPECT_MSG_EQ(device->NeedsArp(), false, "a circuit is configured");
        device->SetAddress(Mac16Address(102));
        NS_TEST_EXPECT_MSG_EQ(Mac16Address::ConvertFrom(device->GetBroadcast()).ConvertToInt(),
                              102,
                              "where what is not resolved goes");
    }
};

/// Without flag, check sequence or inserted zeros a frame would be on the line too short a time.
class TimeOnTheLine : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // 1484 octets and 2 of check sequence are 11888 bits, a flag 8, a bit at 256 kbit/s
        // 3906.25 ns; every 62 bits between the flags bring one more.
        Check(0, NanoSeconds(46468750));
        Check(1.0 / 62, NanoSeconds(47217742));
        Check(0.2, NanoSeconds(55756250));
    }

    /**
     * @param stuffed fraction of zeros inserted
     * @param expected from the first bit to the last of 1484 octets
     */
    void Check(double stuffed, Time expected)
    {
        Cloud cloud;
        const auto a = cloud.Add(DataRate("256kbps"));
        a->device->SetAttribute("StuffedBits", DoubleValue(stuffed));
        std::vector<Time> begun;
        std::vector<Time> ended;
        std::vector<Time> arrived;
        const auto note = [](std::vector<Time>& times) {
            return [&times]() { times.push_back(Simulator::Now()); };
        };
        ListenToPackets(a->device, {"PhyTxBegin"}, note(begun));
        ListenToPackets(a->device, {"PhyTxEnd"}, note(ended));
        ListenToPackets(a->port, {"PhyRxEnd"}, note(arrived));
        for (int i = 0; i < 2; ++i) // 1474 octets, 8 of encapsulation, 2 of address
        {
            a->device->Send(Create<Packet>(1474), a->device->GetBroadcast(), IPX);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 2, "frames sent");
        NS_TEST_EXPECT_MSG_EQ(ended[0] - begun[0], expected, "with a fraction of " << stuffed);
        NS_TEST_EXPECT_MSG_EQ(begun[1], ended[0], "the second follows the first at once");
        NS_TEST_EXPECT_MSG_EQ(arrived[1], ended[1], "a line of no length");
    }
};

/// What an interface refuses to send, and what it can make nothing of.
class Refused : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        constexpr uint16_t ipv4 = 0x0800;
        Cloud cloud;
        const auto a = cloud.Add(DataRate("1Mbps"));
        const auto b = cloud.Add(DataRate("1Mbps"));
        cloud.network->AddCircuit({a->port, 16}, {b->port, 16}, Anything(), Anything());
        uint32_t dropped = 0;
        uint32_t damaged = 0;
        uint32_t unreadable = 0;
        ListenToPackets(a->device, {"MacTxDrop"}, [&dropped]() { ++dropped; });
        ListenToPackets(b->device, {"PhyRxDrop"}, [&damaged]() { ++damaged; });
        ListenToPackets(b->device, {"MacRxDrop"}, [&unreadable]() { ++unreadable; });
        b->device->SetReceiveCallback(
            [](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) { return true; });
        a->device->SetMtu(1000);
        for (const uint16_t protocol : {ipv4, IPX})
        {
            a->device->Send(Create<Packet>(1000), a->device->GetBroadcast(), protocol);
            a->device->Send(Create<Packet>(1001), a->device->GetBroadcast(), protocol);
        }
        Ptr<Packet> noise = Create<Packet>(10);
        FrameRelayHeader address;
        address.SetDlci(16);
        noise->AddHeader(address);
        a->device->SendFrame(noise);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(b->heard.size(), 3, "two packets of 1000 octets, and the noise");
        NS_TEST_EXPECT_MSG_EQ(dropped, 2, "the two of 1001");
        NS_TEST_EXPECT_MSG_EQ(unreadable, 1, "frames that tell nothing");
        NS_TEST_EXPECT_MSG_EQ(damaged, 0, "frames that the line has damaged");
    }
};

const Suite g_frameRelayLineSuite(
    "frame-relay-line",
    {new Nbma("an interface is neither point-to-point nor broadcast, and resolves nothing"),
     new TimeOnTheLine("a frame takes its octets, check sequence, flag and inserted zeros"),
     new Refused(
         "a packet above the MTU is dropped, whatever its encapsulation takes")}); //!< registers
                                                                                   //!< itself

} // namespace
