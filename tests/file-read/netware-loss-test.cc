/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Reading a file by NCP: what a loss costs, and what comes in between.
 */

#include "model/core/trace-listener.h"
#include "netware-pair.h"
#include "tests/suite.h"

#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A lost packet costs its retransmission and no more.
class LostFragments : public Claim
{
    using Claim::Claim;

    /**
     * @param lost which of the server's first packets are lost
     * @param timeouts how often nothing came in time
     */
    void Check(const std::vector<uint32_t>& lost, uint32_t timeouts)
    {
        NetwarePair pair;
        UseBurst(pair, 8);
        pair.Lose({}, lost);
        uint32_t timedOut = 0;
        Listen(pair.workstation, "Timeout", [&timedOut]() { ++timedOut; });
        pair.Run(2 * InBurst(8));
        NS_TEST_EXPECT_MSG_EQ((pair.end == NetwareWorkstation::End::FINISHED), true, "finished");
        NS_TEST_EXPECT_MSG_EQ(pair.sent.size(), 16 + lost.size(), "packets");
        NS_TEST_EXPECT_MSG_EQ(pair.GetResent(), lost.size(), "sent again");
        NS_TEST_EXPECT_MSG_EQ(pair.lists, 1, "lists of missing fragments");
        NS_TEST_EXPECT_MSG_EQ(pair.repeated, 0, "repeated requests");
        NS_TEST_EXPECT_MSG_EQ(timedOut, timeouts, "timeouts");
        NS_TEST_EXPECT_MSG_EQ(pair.received, 2 * InBurst(8), "octets");
    }

    void DoRun() override
    {
        Check({0}, 0);       // with the result
        Check({3}, 0);       // the last fragment tells that the burst is over
        Check({1, 4, 5}, 0); // two ranges
        Check({7}, 1);       // without the last, nothing tells but time
        Check({5, 6, 7}, 1);
    }
};

/// The list itself, or what it asks for, can be lost.
class LostRepairs : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        {
            NetwarePair pair;
            UseBurst(pair, 8);
            pair.Lose({1}, {3}); // the list is the workstation's second packet
            pair.Run(InBurst(8));
            NS_TEST_EXPECT_MSG_EQ(pair.lists, 2, "lists, the first lost");
            NS_TEST_EXPECT_MSG_EQ(pair.GetResent(), 1, "sent again");
            NS_TEST_EXPECT_MSG_EQ(pair.received, InBurst(8), "octets");
        }
        NetwarePair pair;
        UseBurst(pair, 8);
        pair.Lose({}, {3, 8}); // the ninth packet is the fourth again
        pair.Run(InBurst(8));
        NS_TEST_EXPECT_MSG_EQ(pair.lists, 2, "lists, one for each loss");
        NS_TEST_EXPECT_MSG_EQ(pair.GetResent(), 2, "sent again");
        NS_TEST_EXPECT_MSG_EQ(pair.received, InBurst(8), "octets");
    }
};

/// A lost request, or a lost reply, costs the wait for it.
class LostRequest : public Claim
{
    using Claim::Claim;

    /**
     * @param burst by packet burst
     * @param toServer the workstation's packets that are lost
     * @param toWorkstation the server's
     * @return how long the file took
     */
    Time Run(bool burst,
             const std::vector<uint32_t>& toServer,
             const std::vector<uint32_t>& toWorkstation)
    {
        NetwarePair pair;
        if (burst)
        {
            UseBurst(pair, 1);
        }
        pair.workstation->SetAttribute("ReplyTimeout", TimeValue(MilliSeconds(300)));
        pair.Lose(toServer, toWorkstation);
        pair.Run(4 * 1392);
        NS_TEST_EXPECT_MSG_EQ(pair.repeated,
                              toServer.size() + toWorkstation.size(),
                              "repeated requests");
        NS_TEST_EXPECT_MSG_EQ(pair.GetResent(), toWorkstation.size(), "sent again");
        NS_TEST_EXPECT_MSG_EQ(pair.lists, 0, "lists");
        NS_TEST_EXPECT_MSG_EQ(pair.received, 4 * 1392, "octets");
        return pair.endTime;
    }

    void DoRun() override
    {
        for (const bool burst : {false, true})
        {
            const Time undisturbed = Run(burst, {}, {});
            const Time once = undisturbed + MilliSeconds(300);
            NS_TEST_EXPECT_MSG_EQ(Run(burst, {1}, {}), once, "request lost");
            NS_TEST_EXPECT_MSG_EQ(Run(burst, {}, {1}), once, "reply lost");
            NS_TEST_EXPECT_MSG_EQ(Run(burst, {1, 2}, {}),
                                  undisturbed + MilliSeconds(900),
                                  "twice: 300 ms and 600 ms");
            NS_TEST_EXPECT_MSG_EQ(Run(burst, {0, 2}, {}),
                                  undisturbed + MilliSeconds(600),
                                  "two requests: each waits 300 ms");
        }
    }
};

/// A repetition that crosses the reply keeps nobody from the next request.
class LateRepetition : public Claim
{
    using Claim::Claim;

    /**
     * @param timeout of the workstation
     * @param repetitions of its requests
     * @return how long the file took
     */
    Time Run(Time timeout, uint32_t repetitions)
    {
        NetwarePair pair;
        pair.server->SetAttribute("ServerTime", TimeValue(MilliSeconds(20)));
        pair.workstation->SetAttribute("ReplyTimeout", TimeValue(timeout));
        pair.Run(2 * 1436);
        NS_TEST_EXPECT_MSG_EQ(pair.repeated, repetitions, "repeated requests");
        return pair.endTime;
    }

    void DoRun() override
    {
        // The reply is on the line at 21 ms, and there after 21.2 ms.
        NS_TEST_EXPECT_MSG_EQ(Run(MilliSeconds(21), 2), Run(Seconds(1), 0), "duration");
        // The reply is on the line when the request goes out again: a second one follows it.
        NetwarePair pair;
        pair.server->SetAttribute("ServerTime", TimeValue(MicroSeconds(10)));
        pair.workstation->SetAttribute("TurnaroundTime", TimeValue(MilliSeconds(5)));
        pair.workstation->SetAttribute("ReplyTimeout", TimeValue(MilliSeconds(1)));
        uint32_t needless = 0;
        Listen(pair.workstation, "Needless", [&needless]() { ++needless; });
        pair.Run(3 * 1436);
        NS_TEST_EXPECT_MSG_EQ(pair.GetResent(), 2, "sent again before the end");
        NS_TEST_EXPECT_MSG_EQ(needless, 2, "packets that held nothing new");
    }
};

/// A workstation that knows the path, and what it asked for, has more patience than ReplyTimeout.
class Patience : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Time timeout = MilliSeconds(50);
        for (const Time& roundTrip : {Time(0), MilliSeconds(62)})
        {
            NetwarePair pair;
            pair.workstation->SetAttribute("ReplyTimeout", TimeValue(timeout));
            pair.workstation->SetRoundTrip(roundTrip);
            pair.server->SetAttribute("ServerTime", TimeValue(MilliSeconds(60)));
            pair.Run(1436);
            NS_TEST_EXPECT_MSG_EQ(pair.repeated, (roundTrip.IsZero() ? 1 : 0), "repeated requests");
        }
        NetwarePair pair;
        UseBurst(pair, 5);
        pair.workstation->SetAttribute("ReplyTimeout", TimeValue(timeout));
        pair.workstation->SetAttribute("MaximumRetries", UintegerValue(0));
        pair.workstation->SetAttribute("BurstGap", TimeValue(2 * timeout));
        pair.Run(2 * InBurst(5));
        NS_TEST_EXPECT_MSG_EQ((pair.end == NetwareWorkstation::End::FINISHED), true, "finished");
        NS_TEST_EXPECT_MSG_EQ(pair.lists + pair.repeated + pair.GetResent(), 0, "nothing again");
    }
};

/// Whatever is lost, the file comes whole and in order: the workstation compares every octet.
class WholeFile : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const uint32_t burstSize : {0, 1, 10, 256}) // 0: request/reply
        {
            for (const double share : {0.01, 0.05, 0.2})
            {
                for (const uint32_t seed : {1, 2, 3, 4})
                {
                    Check(burstSize, share, seed);
                }
            }
        }
    }

    /**
     * @param burstSize fragments a request; 0 for request/reply
     * @param share the fraction of frames that are lost
     * @param seed of the random numbers
     */
    void Check(uint32_t burstSize, double share, uint32_t seed)
    {
        RngSeedManager::SetSeed(seed);
        RngSeedManager::ResetNextStreamIndex();
        NetwarePair pair;
        if (burstSize > 0)
        {
            UseBurst(pair, burstSize);
        }
        pair.Lose(share);
        constexpr uint64_t size = 600001; // no multiple of anything
        pair.Run(size);
        const std::string point = std::to_string(burstSize) + " fragments, loss " +
                                  std::to_string(share) + ", seed " + std::to_string(seed);
        NS_TEST_EXPECT_MSG_EQ((pair.end == NetwareWorkstation::End::FINISHED), true, point);
        NS_TEST_EXPECT_MSG_EQ(pair.received, size, point);
        NS_TEST_EXPECT_MSG_GT(pair.GetResent(), 0, point);
    }
};

/// A server that never answers.
class GivingUp : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        NetwarePair pair;
        pair.Lose(1.0);
        pair.workstation->SetAttribute("ReplyTimeout", TimeValue(MilliSeconds(500)));
        pair.workstation->SetAttribute("MaximumReplyTimeout", TimeValue(MilliSeconds(1500)));
        pair.workstation->SetAttribute("MaximumRetries", UintegerValue(3));
        pair.Run(1000);
        NS_TEST_EXPECT_MSG_EQ((pair.end == NetwareWorkstation::End::GAVE_UP), true, "gave up");
        NS_TEST_EXPECT_MSG_EQ(pair.repeated, 3, "repeated requests");
        NS_TEST_EXPECT_MSG_EQ(pair.endTime, MilliSeconds(500 + 1000 + 1500 + 1500), "when");
    }
};

/// Whoever else sends to the two ends does not stop them.
class StrayPackets : public Claim
{
    using Claim::Claim;

    /**
     * @param burst by packet burst
     * @param stray what both ends get while they are at work
     */
    void Check(bool burst, Ptr<Packet> stray)
    {
        NetwarePair pair;
        if (burst)
        {
            UseBurst(pair, 4);
        }
        for (const Time& at : {MicroSeconds(100), MilliSeconds(3)})
        {
            Simulator::Schedule(at, [&pair, stray]() { pair.SendBoth(stray->Copy()); });
        }
        pair.Run(3 * InBurst(4));
        NS_TEST_EXPECT_MSG_EQ((pair.end == NetwareWorkstation::End::FINISHED), true, "finished");
        NS_TEST_EXPECT_MSG_EQ(pair.received, 3 * InBurst(4), "octets");
    }

    void DoRun() override
    {
        NcpReadReplyHeader reply;
        reply.sequence = 1;
        BurstHeader fragment;
        fragment.burstSequence = 1;
        fragment.fragmentOffset = 700; // none begins there
        fragment.fragmentLength = 10;
        BurstHeader list;
        list.flags = BurstHeader::SYSTEM;
        list.burstSequence = 1;
        list.missing = {{0xfffffff0, 0xffff}, {5, 0}};
        for (const bool burst : {false, true})
        {
            for (const Header* header : {static_cast<const Header*>(&reply),
                                         static_cast<const Header*>(&fragment),
                                         static_cast<const Header*>(&list)})
            {
                Ptr<Packet> packet = Create<Packet>();
                packet->AddHeader(*header);
                Check(burst, packet);
                packet->RemoveAtEnd(1);
                Check(burst, packet);
                packet->RemoveAtEnd(packet->GetSize() - 2);
                Check(burst, packet);
            }
        }
    }
};

const Suite g_netwareLossSuite(
    "netware-loss",
    {new LostFragments("of a burst only the lost fragments are sent again"),
     new LostRepairs("a lost list, and a fragment lost twice, are asked for again"),
     new LostRequest("a lost request costs one timeout, and a second in a row twice that"),
     new LateRepetition("a needless repetition costs no time"),
     new Patience("what comes late because of the path or the gap is not asked for again"),
     new WholeFile("a file arrives whole at losses up to 20 % in both directions"),
     new GivingUp("a workstation gives up after MaximumRetries, each after a longer wait"),
     new StrayPackets("packets that cannot be are dropped, and the file comes whole")});

} // namespace
