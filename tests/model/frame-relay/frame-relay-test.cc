/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Frame relay: what is on the line, how long it takes, where the network sends it, and what
 * contract and congestion do to it.
 */

#include "model/frame-relay/dlci-address.h"
#include "model/frame-relay/frame-relay-channel.h"
#include "model/frame-relay/frame-relay-header.h"
#include "model/frame-relay/frame-relay-net-device.h"
#include "model/frame-relay/frame-relay-switch.h"
#include "model/frame-relay/frame-relay-wan.h"
#include "model/frame-relay/rfc2427-header.h"
#include "tests/model/tcp/tcp-pair.h"

#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;

namespace
{

constexpr uint16_t IPX = 0x8137; // a protocol that travels under a SNAP header

/// A contract that no frame of these tests breaks.
TrafficContract
Anything()
{
    return {DataRate("1Gbps"), 1e12, 0};
}

/// The octets of a packet.
std::vector<uint8_t>
Octets(Ptr<const Packet> packet)
{
    std::vector<uint8_t> octets(packet->GetSize());
    packet->CopyData(octets.data(), packet->GetSize());
    return octets;
}

/// A switch, and stations on lines of their own.
class Cloud
{
  public:
    /// A station on a line of the switch.
    struct Station
    {
        Ptr<FrameRelayNetDevice> device;     //!< the station's end
        Ptr<FrameRelayNetDevice> port;       //!< the switch's end
        std::vector<FrameRelayHeader> heard; //!< address fields of what arrived
    };

    /**
     * @param threshold frames that wait at a congested port
     */
    explicit Cloud(uint32_t threshold = 1000)
    {
        network = CreateObjectWithAttributes<FrameRelaySwitch>("CongestionThreshold",
                                                               UintegerValue(threshold));
        m_node->AggregateObject(network);
    }

    ~Cloud()
    {
        Simulator::Destroy();
    }

    /**
     * @param rate of the line
     * @param queue frames that may wait at the port
     * @return a new station
     */
    std::shared_ptr<Station> Add(DataRate rate, uint32_t queue = 1000)
    {
        auto station = std::make_shared<Station>();
        station->device = MakeEnd(CreateObject<Node>(), rate, 1000);
        station->port = MakeEnd(m_node, rate, queue);
        Ptr<FrameRelayChannel> line = CreateObject<FrameRelayChannel>();
        station->device->Attach(line);
        station->port->Attach(line);
        network->AddPort(station->port);
        station->device->TraceConnectWithoutContext(
            "PhyRxEnd",
            Callback<void, Ptr<const Packet>>([raw = station.get()](Ptr<const Packet> frame) {
                FrameRelayHeader address;
                frame->PeekHeader(address);
                raw->heard.push_back(address);
            }));
        return station;
    }

    Ptr<FrameRelaySwitch> network = nullptr; //!< the switch

  private:
    /// @return an end of a line with a queue
    static Ptr<FrameRelayNetDevice> MakeEnd(Ptr<Node> node, DataRate rate, uint32_t queue)
    {
        Ptr<FrameRelayNetDevice> end = CreateObject<FrameRelayNetDevice>();
        end->SetAttribute("DataRate", DataRateValue(rate));
        Ptr<DropTailQueue<Packet>> frames = CreateObject<DropTailQueue<Packet>>();
        frames->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, queue));
        end->SetQueue(frames);
        node->AddDevice(end);
        return end;
    }

    Ptr<Node> m_node = CreateObject<Node>(); //!< the switch's
};

/// A frame with an information field of 100 octets.
Ptr<Packet>
MakeFrame(uint16_t dlci, bool eligible = false)
{
    Ptr<Packet> frame = Create<Packet>(100 - Rfc2427Header().GetSerializedSize());
    Rfc2427Header encapsulation;
    encapsulation.SetEtherType(IPX);
    frame->AddHeader(encapsulation);
    FrameRelayHeader address;
    address.SetDlci(dlci);
    address.SetDiscardEligible(eligible);
    frame->AddHeader(address);
    return frame;
}

constexpr double FRAME_BITS = 800; // of MakeFrame()'s information field

/// Written by hand from Q.922, figure 3-1: DLCI 6+4 bits, C/R, FECN, BECN, DE, EA 0 and 1.
class AddressField : public TestCase
{
  public:
    AddressField()
        : TestCase("each bit of the address field has its place")
    {
    }

  private:
    void DoRun() override
    {
        using Set = void (FrameRelayHeader::*)(bool);
        Check(16, nullptr, {0x04, 0x01});
        Check(102, nullptr, {0x18, 0x61});
        Check(1023, nullptr, {0xfc, 0xf1});
        Check(16, Set(&FrameRelayHeader::SetCommandResponse), {0x06, 0x01});
        Check(16, Set(&FrameRelayHeader::SetFecn), {0x04, 0x09});
        Check(16, Set(&FrameRelayHeader::SetBecn), {0x04, 0x05});
        Check(16, Set(&FrameRelayHeader::SetDiscardEligible), {0x04, 0x03});
        const std::vector<std::vector<uint8_t>> notTwoOctets{{0x05, 0x01}, {0x04, 0x00}, {0x04}};
        for (const auto& octets : notTwoOctets)
        {
            FrameRelayHeader address;
            Ptr<Packet> packet = Create<Packet>(octets.data(), octets.size());
            NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(address), 0, "no such address field");
        }
    }

    /**
     * @param dlci the circuit
     * @param bit what to set, or null
     * @param expected the two octets
     */
    void Check(uint16_t dlci,
               void (FrameRelayHeader::*bit)(bool),
               const std::vector<uint8_t>& expected)
    {
        FrameRelayHeader address;
        address.SetDlci(dlci);
        if (bit)
        {
            (address.*bit)(true);
        }
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(address);
        NS_TEST_EXPECT_MSG_EQ((Octets(packet) == expected), true, "octets of " << address);
        FrameRelayHeader read;
        packet->RemoveHeader(read);
        Ptr<Packet> again = Create<Packet>();
        again->AddHeader(read);
        NS_TEST_EXPECT_MSG_EQ((Octets(again) == expected), true, address << " is not read back");
    }
};

/// Written by hand from RFC 2427, 4.1 and 5: IPv4 has an NLPID, IPX goes under SNAP.
class Encapsulation : public TestCase
{
  public:
    Encapsulation()
        : TestCase("IPv4 has a protocol identifier of its own, all others an EtherType")
    {
    }

  private:
    void DoRun() override
    {
        Check(0x0800, {0x03, 0xcc});
        Check(IPX, {0x03, 0x00, 0x80, 0x00, 0x00, 0x00, 0x81, 0x37});
    }

    /**
     * @param etherType a protocol
     * @param expected its encapsulation
     */
    void Check(uint16_t etherType, const std::vector<uint8_t>& expected)
    {
        Rfc2427Header encapsulation;
        encapsulation.SetEtherType(etherType);
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(encapsulation);
        NS_TEST_EXPECT_MSG_EQ((Octets(packet) == expected), true, "octets of " << encapsulation);
        Rfc2427Header read;
        NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(read), expected.size(), "size read");
        NS_TEST_EXPECT_MSG_EQ(read.GetEtherType(), etherType, "EtherType read");
    }
};

/// Without flag, check sequence or inserted zeros a frame would be on the line too short a time.
class TimeOnTheLine : public TestCase
{
  public:
    TimeOnTheLine()
        : TestCase("a frame takes its octets, check sequence, flag and inserted zeros")
    {
    }

  private:
    void DoRun() override
    {
        // 1484 octets and 2 of check sequence are 11888 bits, a flag 8, a bit at 256 kbit/s
        // 3906.25 ns; every 62 bits between the flags bring one more.
        Check(0, NanoSeconds(46468750));
        Check(1.0 / 62, NanoSeconds(47217742));
        Check(0.2, NanoSeconds(55756250));
    }

    /**
     * @param stuffed share of zeros inserted
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
            return Callback<void, Ptr<const Packet>>(
                [&times](Ptr<const Packet>) { times.push_back(Simulator::Now()); });
        };
        a->device->TraceConnectWithoutContext("PhyTxBegin", note(begun));
        a->device->TraceConnectWithoutContext("PhyTxEnd", note(ended));
        a->port->TraceConnectWithoutContext("PhyRxEnd", note(arrived));
        for (int i = 0; i < 2; ++i) // 1474 octets, 8 of encapsulation, 2 of address
        {
            a->device->Send(Create<Packet>(1474), a->device->GetBroadcast(), IPX);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(ended.size(), 2, "frames sent");
        NS_TEST_EXPECT_MSG_EQ(ended[0] - begun[0], expected, "with a share of " << stuffed);
        NS_TEST_EXPECT_MSG_EQ(begun[1], ended[0], "the second follows the first at once");
        NS_TEST_EXPECT_MSG_EQ(arrived[1], ended[1], "a line of no length");
    }
};

/// What an interface refuses to send, and what it can make nothing of.
class Refused : public TestCase
{
  public:
    Refused()
        : TestCase("a packet above the MTU is dropped, whatever its encapsulation takes")
    {
    }

  private:
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
        const auto count = [](Ptr<NetDevice> device, const std::string& source, uint32_t& counter) {
            device->TraceConnectWithoutContext(
                source,
                Callback<void, Ptr<const Packet>>([&counter](Ptr<const Packet>) { ++counter; }));
        };
        count(a->device, "MacTxDrop", dropped);
        count(b->device, "PhyRxDrop", damaged);
        count(b->device, "MacRxDrop", unreadable);
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

/// A network that told circuits apart by port or by number alone would deliver to the wrong one.
class TwoCircuits : public TestCase
{
  public:
    TwoCircuits()
        : TestCase("a frame leaves where its circuit does, under its number there")
    {
    }

  private:
    void DoRun() override
    {
        Cloud cloud;
        const auto a = cloud.Add(DataRate("1Mbps"));
        const auto b = cloud.Add(DataRate("1Mbps"));
        const auto c = cloud.Add(DataRate("1Mbps"));
        cloud.network->AddCircuit({a->port, 20}, {b->port, 30}, Anything(), Anything());
        cloud.network->AddCircuit({a->port, 21}, {c->port, 20}, Anything(), Anything());
        a->device->Send(Create<Packet>(10), DlciAddress(20), IPX);
        a->device->Send(Create<Packet>(10), DlciAddress(21), IPX);
        c->device->Send(Create<Packet>(10), DlciAddress(20), IPX);
        c->device->Send(Create<Packet>(10), DlciAddress(30), IPX); // c has no such circuit
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(b->heard.size(), 1, "frames at b");
        NS_TEST_EXPECT_MSG_EQ(b->heard[0].GetDlci(), 30, "the circuit's number at b");
        NS_TEST_ASSERT_MSG_EQ(c->heard.size(), 1, "frames at c");
        NS_TEST_EXPECT_MSG_EQ(c->heard[0].GetDlci(), 20, "the circuit's number at c");
        NS_TEST_ASSERT_MSG_EQ(a->heard.size(), 1, "frames at a");
        NS_TEST_EXPECT_MSG_EQ(a->heard[0].GetDlci(), 21, "the circuit's number at a");
        NS_TEST_EXPECT_MSG_EQ(cloud.network->GetCounters().unknownDlci, 1, "no such circuit");
    }
};

/// Frames at even distances, or all at once, against a CIR of 64 kbit/s.
class Policing : public TestCase
{
  public:
    Policing()
        : TestCase("within Bc a frame passes, within Bc + Be it is marked, above it is dropped")
    {
    }

  private:
    void DoRun() override
    {
        const TrafficContract contract{DataRate("64kbps"), 10 * FRAME_BITS, 5 * FRAME_BITS};
        const Time atRate = MicroSeconds(12500); // 800 bits at 64 kbit/s
        Check("a burst", contract, 20, Time(0), false, {10, 5, 5});
        Check("at CIR", contract, 400, atRate, false, {400, 0, 0});
        Check("below CIR", contract, 400, atRate * 2, false, {400, 0, 0});
        // At twice the CIR: 10 tokens and 199.5 more until the last frame comes. The first that
        // finds none is the 20th; from then on Be's 5 tokens, and 95 more (Be/Tc is half the CIR).
        Check("twice CIR", contract, 400, atRate / 2, false, {209, 100, 91});
        Check("marked by the sender", contract, 20, Time(0), true, {0, 5, 15});
        // Nothing is promised; Be fills as fast as the line can bring frames.
        const TrafficContract none{DataRate(0), 10 * FRAME_BITS, 5 * FRAME_BITS};
        Check("CIR 0", none, 20, Time(0), false, {0, 20, 0});
        Check("nothing at all", {DataRate(0), 1, 0}, 20, Time(0), false, {0, 0, 20});
    }

    /// What becomes of frames.
    struct Fates
    {
        std::size_t passed;  //!< not marked
        std::size_t marked;  //!< DE
        std::size_t dropped; //!< above both
    };

    /**
     * @param what is tried
     * @param contract what the network promises
     * @param frames how many come
     * @param distance from one to the next
     * @param eligible the sender marks them DE
     * @param expected what becomes of them
     */
    void Check(const std::string& what,
               const TrafficContract& contract,
               std::size_t frames,
               Time distance,
               bool eligible,
               const Fates& expected)
    {
        Cloud cloud;
        const auto a = cloud.Add(DataRate("100Mbps")); // a burst lasts less than a token's time
        const auto b = cloud.Add(DataRate("100Mbps"));
        cloud.network->AddCircuit({a->port, 20}, {b->port, 30}, contract, Anything());
        for (std::size_t i = 0; i < frames; ++i)
        {
            Simulator::Schedule(distance * i, [&a, eligible]() {
                a->device->SendFrame(MakeFrame(20, eligible));
            });
        }
        Simulator::Run();
        const auto marked = static_cast<std::size_t>(
            std::count_if(b->heard.begin(), b->heard.end(), [](const FrameRelayHeader& each) {
                return each.GetDiscardEligible();
            }));
        const auto counters = cloud.network->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(b->heard.size() - marked, expected.passed, what << ": passed");
        NS_TEST_EXPECT_MSG_EQ(marked, expected.marked, what << ": marked");
        NS_TEST_EXPECT_MSG_EQ(counters.policed, expected.dropped, what << ": dropped");
        NS_TEST_EXPECT_MSG_EQ(counters.marked, (eligible ? 0 : marked), what << ": marked here");
    }
};

/// Twenty frames, every second one DE, for a slow line with a queue of 8 and a threshold of 4.
class Congestion : public TestCase
{
  public:
    Congestion()
        : TestCase("a congested port drops DE first, then all, and tells both directions")
    {
    }

  private:
    void DoRun() override
    {
        Cloud cloud(4);
        const auto fast = cloud.Add(DataRate("100Mbps"));
        const auto slow = cloud.Add(DataRate("8kbps"), 8);
        const TrafficContract marked{DataRate(1000000), 1e6, 1e6};
        cloud.network->AddCircuit({fast->port, 20}, {slow->port, 30}, marked, Anything());
        for (int i = 0; i < 20; ++i)
        {
            fast->device->SendFrame(MakeFrame(20, i % 2 == 1));
        }
        // The slow side's own line is free: its frame comes while the other direction waits.
        slow->device->SendFrame(MakeFrame(30));
        Simulator::Schedule(Seconds(10), [&slow]() { slow->device->SendFrame(MakeFrame(30)); });
        Simulator::Run();
        // One is on the line, four wait; of the other 15 frames 7 are not DE, and 4 find room.
        const auto counters = cloud.network->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.eligible, 8, "DE frames dropped for congestion");
        NS_TEST_EXPECT_MSG_EQ(counters.queueFull, 3, "frames dropped for want of room");
        NS_TEST_ASSERT_MSG_EQ(slow->heard.size(), 9, "frames that got through");
        for (std::size_t i = 0; i < slow->heard.size(); ++i)
        {
            const FrameRelayHeader& address = slow->heard[i];
            NS_TEST_EXPECT_MSG_EQ(address.GetFecn(), (i >= 5), "FECN of frame " << i);
            NS_TEST_EXPECT_MSG_EQ(address.GetBecn(), false, "BECN of frame " << i);
            NS_TEST_EXPECT_MSG_EQ(address.GetDiscardEligible(), (i < 5 && i % 2 == 1), "DE " << i);
        }
        NS_TEST_ASSERT_MSG_EQ(fast->heard.size(), 2, "frames of the other direction");
        NS_TEST_EXPECT_MSG_EQ(fast->heard[0].GetBecn(), true, "BECN while the others wait");
        NS_TEST_EXPECT_MSG_EQ(fast->heard[0].GetFecn(), false, "no congestion on its own way");
        NS_TEST_EXPECT_MSG_EQ(fast->heard[1].GetBecn(), false, "BECN when all is over");
    }
};

/// A connection across the WAN: the SYN-ACK is back after every line, store and delay on the way.
class AcrossTheWan : public TestCase
{
  public:
    AcrossTheWan()
        : TestCase("a round trip is the sum of its lines and delays, and a job gets through")
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device("ns3::DeviceTcpSocket");
        device.Set("SynAckLatency", TimeValue(MicroSeconds(100)));
        ObjectFactory wan("ns3::FrameRelayWan");
        wan.Set("CloudDelay", TimeValue(MilliSeconds(30)));
        wan.Set("RouterLatency", TimeValue(MicroSeconds(700)));
        TcpPair pair(ObjectFactory("ns3::HostTcpSocket"), device, wan);
        pair.Write(100000);
        pair.RunUntil(Seconds(60));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 100000, "bytes at the branch");
        // A SYN with its MSS option is 44 octets of IP: 64 on an Ethernet, 48 on frame relay and
        // so 400 bits with the check sequence, of which every 62 bring one more, and a flag.
        const double lineBits = 400 * 63.0 / 62 + 8;
        const double lans = 64 * 8 / 16e6 + 64 * 8 / 10e6 + 2 * 500e-9;
        const double oneWay = lans + lineBits / 1e6 + lineBits / 256e3 + 30e-3 + 2 * 700e-6;
        const auto synAck = std::find_if(pair.seen.begin(),
                                         pair.seen.end(),
                                         [](const SeenSegment& each) { return !each.fromHost; });
        NS_TEST_ASSERT_MSG_EQ((synAck != pair.seen.end()), true, "nothing came back");
        const Time roundTrip = synAck->time - pair.seen.front().time;
        NS_TEST_EXPECT_MSG_EQ_TOL(roundTrip,
                                  Seconds(2 * oneWay) + MicroSeconds(100),
                                  NanoSeconds(10), // one rounding a line
                                  "the SYN-ACK's way");
    }
};

/// The suite.
class FrameRelaySuite : public TestSuite
{
  public:
    FrameRelaySuite()
        : TestSuite("frame-relay", Type::UNIT)
    {
        AddTestCase(new AddressField, Duration::QUICK);
        AddTestCase(new Encapsulation, Duration::QUICK);
        AddTestCase(new TimeOnTheLine, Duration::QUICK);
        AddTestCase(new Refused, Duration::QUICK);
        AddTestCase(new TwoCircuits, Duration::QUICK);
        AddTestCase(new Policing, Duration::QUICK);
        AddTestCase(new Congestion, Duration::QUICK);
        AddTestCase(new AcrossTheWan, Duration::QUICK);
    }
};

FrameRelaySuite g_frameRelaySuite; //!< registers itself

} // namespace
