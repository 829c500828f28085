/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A frame-relay network: where it sends a frame, and what contract and congestion do to it.
 */

#include "cloud.h"
#include "model/frame-relay/frame-relay-wan.h"
#include "model/frame-relay/rfc2427-header.h"
#include "tests/model/tcp/tcp-pair.h"
#include "tests/suite.h"

#include "ns3/simulator.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

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
    address.SetBit(FrameRelayHeader::DISCARD_ELIGIBLE, eligible);
    frame->AddHeader(address);
    return frame;
}

constexpr double FRAME_BITS = 800; // of MakeFrame()'s information field

/// A network that told circuits apart by port or by number alone would deliver to the wrong one.
class TwoCircuits : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Cloud cloud;
        const auto a = cloud.Add(DataRate("1Mbps"));
        const auto b = cloud.Add(DataRate("1Mbps"));
        const auto c = cloud.Add(DataRate("1Mbps"));
        cloud.network->AddCircuit({a->port, 20}, {b->port, 30}, Anything(), Anything());
        cloud.network->AddCircuit({a->port, 21}, {c->port, 20}, Anything(), Anything());
        a->device->Send(Create<Packet>(10), Mac16Address(20), IPX);
        a->device->Send(Create<Packet>(10), Mac16Address(21), IPX);
        c->device->Send(Create<Packet>(10), Mac16Address(20), IPX);
        c->device->Send(Create<Packet>(10), Mac16Address(30), IPX); // c has no such circuit
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
class Policing : public Claim
{
    using Claim::Claim;

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
                return each.HasBit(FrameRelayHeader::DISCARD_ELIGIBLE);
            }));
        const auto counters = cloud.network->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(b->heard.size() - marked, expected.passed, what << ": passed");
        NS_TEST_EXPECT_MSG_EQ(marked, expected.marked, what << ": marked");
        NS_TEST_EXPECT_MSG_EQ(counters.policed, expected.dropped, what << ": dropped");
        NS_TEST_EXPECT_MSG_EQ(counters.marked, (eligible ? 0 : marked), what << ": marked here");
    }
};

/// Twenty frames, every second one DE, for a slow line with a queue of 8 and a threshold of 4.
class Congestion : public Claim
{
    using Claim::Claim;

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
            NS_TEST_EXPECT_MSG_EQ(address.HasBit(FrameRelayHeader::FECN),
                                  (i >= 5),
                                  "FECN of frame " << i);
            NS_TEST_EXPECT_MSG_EQ(address.HasBit(FrameRelayHeader::BECN),
                                  false,
                                  "BECN of frame " << i);
            NS_TEST_EXPECT_MSG_EQ(address.HasBit(FrameRelayHeader::DISCARD_ELIGIBLE),
                                  (i < 5 && i % 2 == 1),
                                  "DE " << i);
        }
        NS_TEST_ASSERT_MSG_EQ(fast->heard.size(), 2, "frames of the other direction");
        NS_TEST_EXPECT_MSG_EQ(fast->heard[0].HasBit(FrameRelayHeader::BECN),
                              true,
                              "BECN while the others wait");
        NS_TEST_EXPECT_MSG_EQ(fast->heard[0].HasBit(FrameRelayHeader::FECN),
                              false,
                              "no congestion on its own way");
        NS_TEST_EXPECT_MSG_EQ(fast->heard[1].HasBit(FrameRelayHeader::BECN),
                              false,
                              "BECN when all is over");
    }
};

/// A connection across the WAN: the SYN-ACK is back after every line, store and delay on the way.
class AcrossTheWan : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory device("ns3::study::DeviceTcp");
        device.Set("SynAckLatency", TimeValue(MicroSeconds(100)));
        ObjectFactory wan("ns3::study::FrameRelayWan");
        wan.Set("CloudDelay", TimeValue(MilliSeconds(30)));
        wan.Set("RouterLatency", TimeValue(MicroSeconds(700)));
        TcpPair pair(ObjectFactory("ns3::study::HostTcp"), device, wan);
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

const Suite g_frameRelaySuite(
    "frame-relay",
    {new TwoCircuits("a frame leaves where its circuit does, under its number there"),
     new Policing("within Bc a frame passes, within Bc + Be it is marked, above it is dropped"),
     new Congestion("a congested port drops DE first, then all, and tells both directions"),
     new AcrossTheWan("a round trip is the sum of its lines and delays, and a job gets "
                      "through")}); //!< registers
                                    //!< itself

} // namespace
