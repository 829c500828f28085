/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Reading a file by NCP, by request and reply and by packet burst, where nothing is lost.
 */

#include "netware-pair.h"
#include "tests/suite.h"

#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

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

/// One request, one reply: the time of an exchange is the sum of its parts.
class PingPong : public Claim
{
    using Claim::Claim;

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
class OddReads : public Claim
{
    using Claim::Claim;

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
class BurstOfPackets : public Claim
{
    using Claim::Claim;

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
class BurstOfOne : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        NetwarePair pair;
        UseBurst(pair, 1);
        pair.Run(10 * InBurst(1));
        NS_TEST_EXPECT_MSG_EQ(pair.requests.size(), 10, "requests");
        NS_TEST_EXPECT_MSG_EQ(pair.sent.size(), 10, "packets");
    }
};

const Suite g_packetBurstSuite(
    "packet-burst",
    {new PingPong("an exchange costs a request, the server's time, a reply and a turnaround"),
     new OddReads("a file read in odd pieces is the file"),
     new BurstOfPackets("one request is answered by all fragments of a burst, a gap apart"),
     new BurstOfOne("a burst of one fragment is one packet a request")});

} // namespace
