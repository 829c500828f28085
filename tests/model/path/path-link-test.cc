/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A path alone, without TCP: what a packet takes, which packet is dropped, which is lost.
 */

#include "datagrams.h"
#include "tests/suite.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return the numbers as a text, for a comparison that shows both
std::string
Text(const std::vector<uint32_t>& numbers)
{
    std::string text;
    for (const uint32_t number : numbers)
    {
        text += std::to_string(number) + " ";
    }
    return text;
}

/// The line's time is that of the packet and 2 octets of PPP; the way adds the delay.
class TimeOfAPacket : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // The host's own line: 1002 octets at 1 Gbit/s are 8016 ns, at either end of the way.
        Datagrams pair({{"PathRate", "1Mbps"},
                        {"PathRateBack", "250kbps"},
                        {"PathDelay", "7ms"},
                        {"PathAccessRate", "1Gbps"}});
        pair.Send(true, 1000, Seconds(1));
        pair.Send(true, 1000, Seconds(1));
        pair.Send(false, 1000, Seconds(1));
        Simulator::Run();
        constexpr int64_t sent = 1000000000;
        constexpr int64_t way = 7000000 + 8016;
        NS_TEST_ASSERT_MSG_EQ(pair.atDevice.size(), 2, "to the device");
        NS_TEST_EXPECT_MSG_EQ(pair.atDevice[0].ns, sent + way + 8016000, "the first");
        NS_TEST_EXPECT_MSG_EQ(pair.atDevice[1].ns, sent + way + 2 * 8016000, "the one behind it");
        NS_TEST_ASSERT_MSG_EQ(pair.atHost.size(), 1, "to the host");
        NS_TEST_EXPECT_MSG_EQ(pair.atHost[0].ns, sent + way + 4 * 8016000, "at a quarter the rate");
    }
};

/// --rtt says the same as twice the delay.
class RttIsTwiceTheDelay : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Datagrams pair({{"Rtt", "40ms"}, {"PathRate", "100Gbps"}, {"PathAccessRate", "100Gbps"}});
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetDelay(), MilliSeconds(20), "one way");
        pair.link->SetAttribute("PathDelay", StringValue("20ms"));
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetDelay(), MilliSeconds(20), "the same twice");
        pair.link->SetAttribute("PathDelay", StringValue("7ms"));
        std::string said;
        try
        {
            pair.link->GetDelay();
        }
        catch (const ParameterError& error)
        {
            said = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(
            said,
            "rtt: 40ms there and back is not twice a path-delay of 7ms; give one of the two",
            "a contradiction");
    }
};

/// One packet is on the line, so many more wait; the next finds no room.
class DropTail : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        {
            Datagrams pair({{"PathRate", "1Mbps"}, {"PathQueue", "3p"}});
            NS_TEST_EXPECT_MSG_EQ(Text(pair.Burst({1001, 1002, 1003, 1004, 1005, 1006})),
                                  "1001 1002 1003 1004 ",
                                  "one on the line and three that wait");
            NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetDropped(), 2, "dropped");
            NS_TEST_EXPECT_MSG_EQ(pair.underWay, 0, "neither arrived nor dropped");
        }
        {
            Datagrams pair({{"PathRate", "1Mbps"}, {"PathQueue", "2500B"}});
            NS_TEST_EXPECT_MSG_EQ(Text(pair.Burst({1000, 1001, 1002, 1003, 497, 40})),
                                  "1000 1001 1002 497 ",
                                  "2500 B hold the 1001, the 1002 and the 497, to the byte");
            NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetDropped(), 2, "dropped");
        }
    }
};

/// The queue of the way back is its own.
class QueueBack : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Datagrams pair({{"PathRate", "1Mbps"}, {"PathQueue", "9p"}, {"PathQueueBack", "1p"}});
        for (const uint32_t size : {101, 102, 103})
        {
            pair.Send(false, size, Seconds(1));
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.atHost.size(), 2, "one on the line, one that waits");
        NS_TEST_EXPECT_MSG_EQ(pair.atHost.back().size, 102, "the second");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetToHost().GetDropped(), 1, "the third");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetDropped(), 0, "the other way");
        NS_TEST_EXPECT_MSG_EQ(pair.underWay, 0, "neither arrived nor dropped");
    }
};

/// A list says which packets on the line are lost.
class LostPackets : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // The 105 finds no room, so the 106, which comes when there is some, is the line's fifth.
        Datagrams pair({{"PathRate", "1Mbps"}, {"PathQueue", "3p"}, {"PathLostPackets", "2,5"}});
        pair.Send(true, 106, Seconds(2));
        NS_TEST_EXPECT_MSG_EQ(Text(pair.Burst({101, 102, 103, 104, 105})),
                              "101 103 104 ",
                              "the second and the fifth are lost");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetLost(), 2, "lost");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetDropped(), 1, "dropped");
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetSent(), 5, "on the line");
        NS_TEST_EXPECT_MSG_EQ(pair.underWay, 0, "neither arrived nor lost");
    }
};

/// Large packets cross whole.
class LargePackets : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const uint32_t mtu : {9000U, 65535U})
        {
            Datagrams pair({{"PathMtu", std::to_string(mtu)}, {"PathQueue", "65535B"}});
            NS_TEST_EXPECT_MSG_EQ(pair.link->GetMtu(), mtu, "the MTU");
            // One datagram more would be two packets: the line counts what it sends.
            NS_TEST_EXPECT_MSG_EQ(Text(pair.Burst({mtu})), std::to_string(mtu) + " ", "arrived");
            NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetSent(), 1, "packets on the line");
        }
        const Attributes usual{{"PathMtu", "1500"}};
        Datagrams pair(usual);
        pair.Burst({1501});
        NS_TEST_EXPECT_MSG_EQ(pair.link->GetToDevice().GetSent(), 2, "IPv4 cuts what is larger");
    }
};

/// Losses are random, from streams of their own.
class DrawnLosses : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto lost = [](int64_t stream) {
            Datagrams pair({{"PathLoss", "0.3"}, {"PathQueue", "200p"}}, stream);
            return Text(pair.Burst(Sizes()));
        };
        const std::string first = lost(5);
        NS_TEST_EXPECT_MSG_EQ(lost(5), first, "the same stream");
        NS_TEST_EXPECT_MSG_NE(lost(50), first, "another one");
        Datagrams pair({{"PathLoss", "0.3"}, {"PathQueue", "200p"}}, 5);
        const auto arrived = pair.Burst(Sizes()).size();
        NS_TEST_EXPECT_MSG_EQ(arrived + pair.link->GetToDevice().GetLost(), 100, "all of them");
        NS_TEST_EXPECT_MSG_EQ_TOL(arrived, 70.0, 14.0, "three standard deviations"); // of 100
    }

    /// @return a hundred sizes
    static std::vector<uint32_t> Sizes()
    {
        std::vector<uint32_t> sizes;
        for (uint32_t i = 0; i < 100; ++i)
        {
            sizes.push_back(100 + i);
        }
        return sizes;
    }
};

/// Twice what the line carries: 625 wait at the end, so 800 have room.
class QueueKinds : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        struct Case
        {
            const char* kind; //!< of the queue
            bool drops;       //!< although there is room
        };

        for (const Case& each :
             {Case{"drop-tail", false}, {"codel", true}, {"fq-codel", true}, {"red", true}})
        {
            Datagrams pair(
                {{"PathRate", "1Mbps"}, {"PathQueueKind", each.kind}, {"PathQueue", "800p"}});
            for (int i = 0; i < 1250; ++i)
            {
                pair.Send(true, 998, MilliSeconds(8 * i / 2));
            }
            Simulator::Run();
            const uint64_t dropped = pair.link->GetToDevice().GetDropped();
            NS_TEST_EXPECT_MSG_EQ((dropped > 0), each.drops, each.kind << " dropped " << dropped);
            NS_TEST_EXPECT_MSG_EQ(pair.atDevice.size() + dropped, 1250, "arrived or dropped");
            NS_TEST_EXPECT_MSG_EQ(pair.underWay, 0, "neither");
        }
    }
};

/// A room in packets or in bytes lets as many packets wait, as far as the discipline counts so.
class RoomInBothUnits : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const char* kind : {"drop-tail", "codel", "fq-codel", "red"})
        {
            for (const char* room : {"20p", "20000B"})
            {
                if (std::string(kind) == "fq-codel" && std::string(room) == "20000B")
                {
                    continue; // Refusals has it
                }
                // Three wait: below where RED begins to drop, too.
                Datagrams pair(
                    {{"PathRate", "1Mbps"}, {"PathQueueKind", kind}, {"PathQueue", room}});
                NS_TEST_EXPECT_MSG_EQ(Text(pair.Burst({1000, 1000, 1000, 1000})),
                                      "1000 1000 1000 1000 ",
                                      kind << " with " << room);
                NS_TEST_EXPECT_MSG_EQ(pair.underWay, 0, "neither arrived nor dropped");
            }
        }
    }
};

/// One sentence each, before anything runs.
class Refusals : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto refused = [](const Attributes& attributes) -> std::string {
            try
            {
                Datagrams pair(attributes);
            }
            catch (const ParameterError& error)
            {
                return error.parameter;
            }
            return "";
        };
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathQueue", "1499B"}}), "path-queue", "below the MTU");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathQueue", "1500B"}}), "", "the MTU");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathQueue", "0p"}}), "path-queue", "nothing");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathQueueBack", "9B"}}), "path-queue-back", "back");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathQueueKind", "fq-codel"}, {"PathQueue", "64000B"}}),
                              "path-queue",
                              "fq-codel counts packets");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathQueueKind", "fq-codel"}, {"PathQueueBack", "64000B"}}),
                              "path-queue-back",
                              "fq-codel counts packets, back");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathLoss", "0.1"}, {"PathLostPackets", "3"}}),
                              "path-lost-packets",
                              "both");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathLossBack", "0.1"}, {"PathLostPacketsBack", "3"}}),
                              "path-lost-packets-back",
                              "both, back");
        NS_TEST_EXPECT_MSG_EQ(refused({{"PathLoss", "0.1"}, {"PathLostPacketsBack", "3"}}),
                              "",
                              "each one way");
    }
};

Suite g_pathLinkSuite(
    "path-link",
    {new TimeOfAPacket("a packet takes its line's time and the delay, to the nanosecond, each way"),
     new RttIsTwiceTheDelay("a round trip is twice the delay; one that is not is refused"),
     new DropTail("a full queue drops the packet that comes, in packets or in bytes"),
     new QueueBack("the queue to the host is in the device, with a room of its own"),
     new LostPackets("a list of packets loses these and no others, counted behind the queue"),
     new LargePackets("a packet of the MTU crosses whole: 9000 B, and as much as IPv4 has"),
     new DrawnLosses("losses repeat with their stream, and are others with another"),
     new QueueKinds(
         "CoDel, FQ-CoDel and RED drop where a queue stands; a drop-tail queue holds it"),
     new RoomInBothUnits("every kind of queue holds what its room says, in packets and in bytes"),
     new Refusals(
         "a queue that holds no packet, and losses said twice, are refused")}); //!< registers
                                                                                //!< itself

} // namespace
