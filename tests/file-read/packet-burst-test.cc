/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Reading a file by NCP: the octets of its headers, request/reply and packet burst, and what a loss
 * costs.
 */

#include "netware-pair.h"

#include "ns3/enum.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

/**
 * @param octets of an Ethernet frame, header and trailer included
 * @return from handing it to an idle interface to its arrival, at 10 Mbit/s and 500 ns
 */
Time
FrameTime(uint32_t octets)
{
    return NanoSeconds(octets * 800 + 500);
}

/**
 * @brief Have a workstation read by packet burst.
 * @param pair the two
 * @param burstSize fragments a request
 */
void
UseBurst(NetwarePair& pair, uint32_t burstSize)
{
    pair.workstation->SetAttribute("Protocol", EnumValue(NetwareWorkstation::PACKET_BURST));
    pair.workstation->SetAttribute("BurstSize", UintegerValue(burstSize));
}

/**
 * @param fragments a number of fragments of 1400 octets
 * @return octets of the file that a burst of so many holds
 */
uint64_t
InBurst(uint32_t fragments)
{
    return fragments * 1400 - 8;
}

/// Every field where Wireshark has it.
class HeaderOctets : public TestCase
{
  public:
    HeaderOctets()
        : TestCase("NCP and burst headers have Wireshark's layout")
    {
    }

  private:
    /**
     * @param header a header
     * @param octets what it should be
     * @param what its name
     */
    template <class T>
    void Check(const T& header, const std::string& octets, const std::string& what)
    {
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(header);
        NS_TEST_EXPECT_MSG_EQ(Hex(packet), octets, what);
        T read;
        packet->RemoveHeader(read);
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 0, what << " read to its end");
        packet->AddHeader(read);
        NS_TEST_EXPECT_MSG_EQ(Hex(packet), octets, what << " written as read");
    }

    void DoRun() override
    {
        NcpReadRequestHeader request;
        request.sequence = 0x11;
        request.connection = 0x2221;
        request.task = 0x33;
        request.handle = 0x44454647;
        request.offset = 0x51525354;
        request.size = 1436;
        Check(request,
              "2222"
              "11"
              "21"
              "33"
              "22"
              "48"
              "00"
              "000044454647"
              "51525354"
              "059c",
              "request");

        NcpReadReplyHeader reply;
        reply.sequence = 0x11;
        reply.connection = 0x2221;
        reply.task = 0x33;
        reply.completionCode = 0x88;
        reply.connectionStatus = 0x10;
        reply.size = 1436;
        Check(reply,
              "3333"
              "11"
              "21"
              "33"
              "22"
              "88"
              "10"
              "059c",
              "reply");

        BurstHeader burst;
        burst.flags = BurstHeader::SYSTEM | BurstHeader::FRAGMENT_LIST;
        burst.sourceConnection = 0x11121314;
        burst.destinationConnection = 0x21222324;
        burst.packetSequence = 0x31323334;
        burst.delayTime = 0x41424344;
        burst.burstSequence = 0x5152;
        burst.ackSequence = 0x6162;
        burst.burstLength = 0x71727374;
        burst.fragmentOffset = 0x81828384;
        burst.fragmentLength = 0x9192;
        burst.missing = {{1400, 2800}, {7000, 1400}};
        Check(burst,
              "7777"
              "c0"
              "02"
              "11121314"
              "21222324"
              "31323334"
              "41424344"
              "5152"
              "6162"
              "71727374"
              "81828384"
              "9192"
              "0002"
              "00000578"
              "0af0"
              "00001b58"
              "0578",
              "burst");

        BurstReadHeader read;
        read.handle = 0x11121314;
        read.offset = 0x21222324;
        read.size = 0x31323334;
        Check(read,
              "01000000"
              "11121314"
              "0000000000000000"
              "21222324"
              "31323334",
              "read command");

        BurstReadResultHeader result;
        result.result = 3;
        result.size = 0x31323334;
        Check(result,
              "03000000"
              "31323334",
              "result");
    }
};

/// One request, one reply: the time of an exchange is the sum of its parts.
class PingPong : public TestCase
{
  public:
    PingPong()
        : TestCase("an exchange costs a request, the server's time, a reply and a turnaround")
    {
    }

  private:
    void DoRun() override
    {
        NetwarePair pair;
        pair.server->SetAttribute("ServerTime", TimeValue(MilliSeconds(2)));
        pair.workstation->SetAttribute("TurnaroundTime", TimeValue(MicroSeconds(700)));
        pair.Run(3 * 1436);
        // 64 and 1490 octets and the FCS, as the source's analyzer counts them.
        const Time exchange = FrameTime(68) + MilliSeconds(2) + FrameTime(1494);
        NS_TEST_ASSERT_MSG_EQ(pair.requests.size(), 3, "requests");
        NS_TEST_EXPECT_MSG_EQ(pair.sent.size(), 3, "replies");
        const Time cycle = pair.requests[1] - pair.requests[0];
        NS_TEST_EXPECT_MSG_EQ(cycle, exchange + MicroSeconds(700), "cycle");
        NS_TEST_EXPECT_MSG_EQ(pair.endTime, 2 * cycle + exchange, "the whole file");
        NS_TEST_EXPECT_MSG_EQ(pair.received, 3 * 1436, "octets");
    }
};

/// A read from an odd place has an octet more, which is not the file's.
class OddReads : public TestCase
{
  public:
    OddReads()
        : TestCase("a file read in odd pieces is the file")
    {
    }

  private:
    void DoRun() override
    {
        NetwarePair pair;
        pair.workstation->SetAttribute("ReadSize", UintegerValue(777));
        pair.Run(5000);
        NS_TEST_EXPECT_MSG_EQ(pair.received, 5000, "octets");
        NS_TEST_EXPECT_MSG_EQ(pair.requests.size(), 7, "requests");
    }
};

/// A burst is sent on one request, its packets as far apart as the workstation asked for.
class BurstOfPackets : public TestCase
{
  public:
    BurstOfPackets()
        : TestCase("one request is answered by all fragments of a burst, a gap apart")
    {
    }

  private:
    void DoRun() override
    {
        NetwarePair pair;
        UseBurst(pair, 5);
        // Not a whole number of the header's 100 us: 1.9 ms are asked for.
        pair.workstation->SetAttribute("BurstGap", TimeValue(MicroSeconds(1850)));
        pair.Run(2 * InBurst(5));
        NS_TEST_EXPECT_MSG_EQ(pair.requests.size(), 2, "requests");
        NS_TEST_ASSERT_MSG_EQ(pair.sent.size(), 10, "packets");
        for (const uint32_t i : {1, 2, 3, 4, 6, 7, 8, 9})
        {
            NS_TEST_EXPECT_MSG_EQ(pair.sent[i].time - pair.sent[i - 1].time,
                                  MicroSeconds(1900),
                                  "gap before packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(pair.endTime - pair.sent.back().time,
                              FrameTime(1484),
                              "a packet of 1484 octets");
        NS_TEST_EXPECT_MSG_EQ(pair.lists + pair.repeated + pair.GetResent(), 0, "nothing again");
    }
};

/// A burst of one is request/reply.
class BurstOfOne : public TestCase
{
  public:
    BurstOfOne()
        : TestCase("a burst of one fragment is one packet a request")
    {
    }

  private:
    void DoRun() override
    {
        NetwarePair pair;
        UseBurst(pair, 1);
        pair.Run(10 * InBurst(1));
        NS_TEST_EXPECT_MSG_EQ(pair.requests.size(), 10, "requests");
        NS_TEST_EXPECT_MSG_EQ(pair.sent.size(), 10, "packets");
    }
};

/// A lost packet costs its retransmission and no more.
class LostFragments : public TestCase
{
  public:
    LostFragments()
        : TestCase("of a burst only the lost fragments are sent again")
    {
    }

  private:
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
        pair.workstation->TraceConnectWithoutContext("Timeout",
                                                     Callback<void>([&]() { ++timedOut; }));
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
class LostRepairs : public TestCase
{
  public:
    LostRepairs()
        : TestCase("a lost list, and a fragment lost twice, are asked for again")
    {
    }

  private:
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
class LostRequest : public TestCase
{
  public:
    LostRequest()
        : TestCase("a lost request costs one timeout, and a second in a row twice that")
    {
    }

  private:
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
class LateRepetition : public TestCase
{
  public:
    LateRepetition()
        : TestCase("a needless repetition costs no time")
    {
    }

  private:
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
        pair.workstation->TraceConnectWithoutContext("Needless",
                                                     Callback<void>([&]() { ++needless; }));
        pair.Run(3 * 1436);
        NS_TEST_EXPECT_MSG_EQ(pair.GetResent(), 2, "sent again before the end");
        NS_TEST_EXPECT_MSG_EQ(needless, 2, "packets that held nothing new");
    }
};

/// A workstation that knows the path, and what it asked for, has more patience than ReplyTimeout.
class Patience : public TestCase
{
  public:
    Patience()
        : TestCase("what comes late because of the path or the gap is not asked for again")
    {
    }

  private:
    void DoRun() override
    {
        const Time timeout = MilliSeconds(50);
        for (const Time roundTrip : {Time(0), MilliSeconds(62)})
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
class WholeFile : public TestCase
{
  public:
    WholeFile()
        : TestCase("a file arrives whole at losses up to 20 % in both directions")
    {
    }

  private:
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
     * @param share of the frames that are lost
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
class GivingUp : public TestCase
{
  public:
    GivingUp()
        : TestCase("a workstation gives up after MaximumRetries, each after a longer wait")
    {
    }

  private:
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

/// The suite.
class PacketBurstSuite : public TestSuite
{
  public:
    PacketBurstSuite()
        : TestSuite("packet-burst", Type::UNIT)
    {
        AddTestCase(new HeaderOctets, Duration::QUICK);
        AddTestCase(new PingPong, Duration::QUICK);
        AddTestCase(new OddReads, Duration::QUICK);
        AddTestCase(new BurstOfPackets, Duration::QUICK);
        AddTestCase(new BurstOfOne, Duration::QUICK);
        AddTestCase(new LostFragments, Duration::QUICK);
        AddTestCase(new LostRepairs, Duration::QUICK);
        AddTestCase(new LostRequest, Duration::QUICK);
        AddTestCase(new LateRepetition, Duration::QUICK);
        AddTestCase(new Patience, Duration::QUICK);
        AddTestCase(new WholeFile, Duration::QUICK);
        AddTestCase(new GivingUp, Duration::QUICK);
    }
};

PacketBurstSuite g_packetBurstSuite; //!< registers itself

} // namespace
