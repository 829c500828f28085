/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Closed windows: the probes of the host's persist timer, the device's answers, and that every
 * stall starts from the first interval again (RFC 9293, 3.8.6.1; RFC 1122, 4.2.2.17).
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/**
 * @param pair a pair
 * @param from an instant
 * @return the host's empty segments since then: its window probes
 */
std::vector<SeenSegment>
Probes(const TcpPair& pair, Time from)
{
    std::vector<SeenSegment> probes;
    for (const auto& segment : pair.seen)
    {
        if (segment.fromHost && segment.size == 0 && segment.time > from)
        {
            probes.push_back(segment);
        }
    }
    return probes;
}

/**
 * The device's application stops reading, its window closes, and the host asks after 200, 400 and
 * 800 ms; it reads, the next probe finds room, the job goes on; it stops again, and the first
 * probe of the second stall comes after 200 ms again. A timer that kept its last interval would
 * ask after 1.6 s.
 */
class EveryStallStartsAnew : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(
            ObjectFactory("ns3::study::HostTcpSocket"),
            ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(2920)));
        pair.SetReading(false);
        pair.Write(29200);
        pair.RunUntil(Seconds(1.5));
        CheckStall(pair, Seconds(0), 3);

        pair.SetReading(true);
        pair.SetReading(false);
        pair.RunUntil(Seconds(5));
        const Time secondStall = LastWindowUpdate(pair);
        NS_TEST_EXPECT_MSG_EQ(pair.received, 2920, "bytes read in between");
        CheckStall(pair, secondStall, 3);

        pair.SetReading(true);
        for (int i = 0; i < 40; ++i)
        {
            pair.RunUntil(Simulator::Now() + Seconds(1));
            pair.SetReading(true);
        }
        NS_TEST_EXPECT_MSG_EQ(pair.received, 29200, "bytes read in the end");
    }

    /**
     * @param pair the pair
     * @return when the host last saw the window closed after it had been open
     */
    static Time LastWindowUpdate(const TcpPair& pair)
    {
        Time closed;
        bool open = true;
        for (const auto& segment : pair.seen)
        {
            if (!segment.fromHost)
            {
                const bool nowOpen = segment.header.GetWindowSize() > 0;
                closed = open && !nowOpen ? segment.time : closed;
                open = nowOpen;
            }
        }
        return closed;
    }

    /**
     * @brief Check the probes of one stall.
     * @param pair the pair
     * @param from when it began, or before
     * @param count how many probes to look at
     */
    void CheckStall(const TcpPair& pair, Time from, std::size_t count)
    {
        const Time begin = std::max(from, LastWindowUpdate(pair));
        const auto probes = Probes(pair, begin);
        NS_TEST_ASSERT_MSG_GT_OR_EQ(probes.size(), count, "probes in the stall");
        double expected = 0.2;
        Time before = begin;
        for (std::size_t i = 0; i < count; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL((probes[i].time - before).GetSeconds(),
                                      expected,
                                      0.001,
                                      "seconds before probe " << i + 1);
            before = probes[i].time;
            expected *= 2;
        }
    }
};

/// A probe is empty, one below what the device expects, and answered with the window as it is.
class ProbeIsEmptyAndAnswered : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(
            ObjectFactory("ns3::study::HostTcpSocket"),
            ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(1000)));
        pair.SetReading(false);
        pair.Write(5000);
        pair.RunUntil(Seconds(0.3));
        const auto probes = Probes(pair, MilliSeconds(100));
        NS_TEST_ASSERT_MSG_EQ(probes.size(), 1, "probes in the first 300 ms");
        NS_TEST_EXPECT_MSG_EQ(probes[0].header.GetSequenceNumber(),
                              SequenceNumber32(1000),
                              "one below the 1001 that the device expects");
        const SeenSegment& answer = pair.seen.back();
        NS_TEST_EXPECT_MSG_EQ(answer.fromHost, false, "the last segment is the answer");
        NS_TEST_EXPECT_MSG_EQ(answer.header.GetWindowSize(), 0, "window still closed");
    }
};

/// Nothing to send and a closed window: no probe, no crash; the timer starts with the next write.
class NothingToSendNoProbe : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(
            ObjectFactory("ns3::study::HostTcpSocket"),
            ObjectFactory("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(1000)));
        pair.SetReading(false);
        pair.Write(1000);
        pair.RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(Probes(pair, MilliSeconds(100)).size(), 0, "probes in 10 s");
        pair.WriteNow(100);
        pair.RunUntil(Seconds(10.3));
        NS_TEST_EXPECT_MSG_EQ(Probes(pair, Seconds(10)).size(), 1, "probes 300 ms after a write");
    }
};

const Suite g_persistTimerSuite(
    "persist-timer",
    {new EveryStallStartsAnew("window probes after 200, 400 and 800 ms, in every stall"),
     new ProbeIsEmptyAndAnswered("a window probe carries no data, and the device answers it"),
     new NothingToSendNoProbe("no probes while there is nothing to send; they begin with the next "
                              "write")}); //!< registers
                                          //!< itself

} // namespace
