/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * When an ordinary host acknowledges: every n-th segment, the first few, and when its timer says.
 */

#include "tcp-pair.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t SIZE = 10; //!< payload of each segment [B]

/// From the instant a segment is written to its ACK's arrival, but for what the ACK is kept back.
const Time EXCHANGE = NanoSeconds(1 + 54400 + 500 + 15000 + 51200 + 500);

/// A host that writes small segments at given instants to another that only acknowledges.
class LoneSegments
{
  public:
    /**
     * @param receiver the sockets of the one that acknowledges
     * @param written when segments are written
     */
    LoneSegments(ObjectFactory receiver, const std::vector<Time>& written)
    {
        ObjectFactory sender("ns3::study::HostTcpSocket", "Nagle", BooleanValue(false));
        sender.Set("MinimumRto", StringValue("5s"));
        sender.Set("InitialWindow", UintegerValue(64));
        receiver.SetTypeId("ns3::study::HostTcpSocket");
        TcpPair pair(sender, receiver);
        for (const Time& instant : written)
        {
            Simulator::Schedule(instant, &TcpPair::WriteNow, &pair, SIZE);
        }
        pair.RunUntil(Seconds(10));
        for (const auto& segment : pair.DeviceSegments())
        {
            acks.push_back({segment.time, (segment.header.GetAckNumber().GetValue() - 1) / SIZE});
        }
    }

    /// An ACK and how many segments it covers, with those before.
    struct Ack
    {
        Time time;         //!< when it came
        uint32_t segments; //!< what it covers
    };

    std::vector<Ack> acks; //!< in the order they came
};

/**
 * @param n TcpAckFrequency
 * @param quick how many are acknowledged at once at the start
 * @param timer one-shot or heartbeat
 * @return a host that acknowledges so
 */
ObjectFactory
Receiver(uint32_t n, uint32_t quick, const std::string& timer)
{
    ObjectFactory host("ns3::study::HostTcpSocket", "HostAckFrequency", UintegerValue(n));
    host.Set("QuickAcks", UintegerValue(quick));
    host.Set("HostAckTimer", StringValue(timer));
    host.Set("HostDelayedAck", StringValue("200ms"));
    return host;
}

/**
 * n segments 1 ms apart, n times: each n-th is acknowledged as it comes, and no other. Were the
 * count not started anew by an ACK, or started out of phase as in stock ns-3, others would be.
 */
class EveryNth : public TestCase
{
  public:
    explicit EveryNth(uint32_t n)
        : TestCase("frequency " + std::to_string(n) + ": every such segment is acknowledged"),
          m_n(n)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<Time> written;
        for (uint32_t i = 0; i < 3 * m_n; ++i)
        {
            written.push_back(MilliSeconds(10) + i * MicroSeconds(500));
        }
        const LoneSegments run(Receiver(m_n, 0, "one-shot"), written);
        NS_TEST_ASSERT_MSG_EQ(run.acks.size(), 3, "ACKs of 3 n segments");
        for (uint32_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(run.acks[i].segments, (i + 1) * m_n, "covered by ACK " << i);
            NS_TEST_EXPECT_MSG_EQ(run.acks[i].time,
                                  written[(i + 1) * m_n - 1] + EXCHANGE,
                                  "time of ACK " << i);
        }
    }

    uint32_t m_n; //!< TcpAckFrequency
};

/// A lone segment waits for the timer: the whole time, or to the next beat.
class TimerExpires : public TestCase
{
  public:
    TimerExpires(const std::string& timer, const std::vector<Time>& waits)
        : TestCase("a lone segment waits for the " + timer + " timer"),
          m_timer(timer),
          m_waits(waits)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Time> written{MilliSeconds(310), MilliSeconds(950)};
        const LoneSegments run(Receiver(2, 0, m_timer), written);
        NS_TEST_ASSERT_MSG_EQ(run.acks.size(), 2, "ACKs of two lone segments");
        for (std::size_t i = 0; i < 2; ++i)
        {
            const Time wait = run.acks[i].time - written[i];
            NS_TEST_EXPECT_MSG_EQ_TOL(wait, m_waits[i], MicroSeconds(130), "wait " << i);
        }
    }

    std::string m_timer;       //!< one-shot or heartbeat
    std::vector<Time> m_waits; //!< what each waits
};

/// The first q segments are acknowledged one by one, the next waits; q = 0 spares none.
class QuickAtFirst : public TestCase
{
  public:
    explicit QuickAtFirst(uint32_t quick)
        : TestCase(std::to_string(quick) + " quick ACKs at the start, and none later"),
          m_quick(quick)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<Time> written;
        for (uint32_t i = 0; i < m_quick + 2; ++i)
        {
            written.push_back(MilliSeconds(300) * (i + 1)); // each long after the one before
        }
        const LoneSegments run(Receiver(2, m_quick, "one-shot"), written);
        NS_TEST_ASSERT_MSG_EQ(run.acks.size(), written.size(), "an ACK for each segment");
        for (uint32_t i = 0; i < written.size(); ++i)
        {
            const Time keptBack = i < m_quick ? Time(0) : MilliSeconds(200);
            NS_TEST_EXPECT_MSG_EQ(run.acks[i].time - written[i],
                                  EXCHANGE + keptBack,
                                  "wait for ACK " << i);
        }
    }

    uint32_t m_quick; //!< segments acknowledged at once
};

/// The suite.
class HostAckSuite : public TestSuite
{
  public:
    HostAckSuite()
        : TestSuite("host-ack", Type::UNIT)
    {
        for (const uint32_t n : {1, 2, 3, 7, 255})
        {
            AddTestCase(new EveryNth(n), Duration::QUICK);
        }
        AddTestCase(new TimerExpires("one-shot", {MilliSeconds(200), MilliSeconds(200)}),
                    Duration::QUICK);
        // to the beats at 400 and 1000 ms
        AddTestCase(new TimerExpires("heartbeat", {MilliSeconds(90), MilliSeconds(50)}),
                    Duration::QUICK);
        for (const uint32_t quick : {0, 1, 5})
        {
            AddTestCase(new QuickAtFirst(quick), Duration::QUICK);
        }
    }
};

HostAckSuite g_hostAckSuite; //!< registers itself

} // namespace
