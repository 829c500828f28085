/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * ACKs kept back: IMAGEN's rule of 1986, and the pregnant pause it makes with a small send buffer.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>

using namespace ns3;
using namespace ns3::study;

namespace
{

/**
 * A host with a send buffer of N bytes and a printer that offers 6144 and keeps back its ACK until
 * more than three quarters of that have come. N below that: one burst of N every half second.
 */
class PregnantPause : public TestCase
{
  public:
    PregnantPause(uint32_t sendBuffer, const std::string& timer, bool paused)
        : TestCase("send buffer of " + std::to_string(sendBuffer) + " B, " + timer +
                   " timer: " + (paused ? "a pause a burst" : "no pause")),
          m_sendBuffer(sendBuffer),
          m_timer(timer),
          m_paused(paused)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory host("ns3::study::HostTcpSocket", "SendBuffer", UintegerValue(m_sendBuffer));
        host.Set("Mss", UintegerValue(1024));
        host.Set("MinimumRto", StringValue("1s"));
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(6144));
        device.Set("AckThreshold", DoubleValue(0.75));
        device.Set("DelayedAckTimer", StringValue(m_timer));
        TcpPair pair(host, device);
        pair.Write(2000000);
        pair.RunUntil(Seconds(100.001));
        const double rate = pair.received / 100.0;
        if (m_paused)
        {
            // N bytes every 500 ms; the one-shot timer adds the time of a round trip.
            NS_TEST_EXPECT_MSG_EQ_TOL(rate / (2.0 * m_sendBuffer), 1, 0.015, "rate over 2 N");
            std::set<uint32_t> numbers;
            for (const auto& segment : pair.HostData())
            {
                numbers.insert(segment.header.GetSequenceNumber().GetValue());
            }
            NS_TEST_EXPECT_MSG_EQ(numbers.size(),
                                  pair.HostData().size(),
                                  "segments sent, none of them twice");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(pair.received, 2000000, "all of it, within 100 s");
        }
    }

    uint32_t m_sendBuffer; //!< the host's send buffer [B]
    std::string m_timer;   //!< the printer's timer
    bool m_paused;         //!< whether the pause is to be seen
};

/**
 * The free-running timer's ticks do not move: ACKs come at whole multiples of 500 ms, and a frame
 * later at the host. The one-shot timer's drift by what each round takes.
 */
class FreeRunningTicks : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory host("ns3::study::HostTcpSocket", "SendBuffer", UintegerValue(1024));
        host.Set("MinimumRto", StringValue("1s"));
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(6144));
        device.Set("AckThreshold", DoubleValue(0.75));
        device.Set("DelayedAckTimer", StringValue("free-running"));
        TcpPair pair(host, device);
        pair.Write(20 * 1024);
        pair.RunUntil(Seconds(20));
        const auto acks = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 20, "ACKs for 20 bursts");
        for (std::size_t i = 0; i < acks.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(acks[i].time.GetSeconds(),
                                      0.5 * (i + 1) + 51.7e-6, // the ACK's frame and the delay
                                      1e-9,
                                      "time of ACK " << i);
        }
    }
};

/// The suite.
class DelayedAckSuite : public TestSuite
{
  public:
    DelayedAckSuite()
        : TestSuite("delayed-ack", Type::UNIT)
    {
        for (const std::string timer : {"one-shot", "free-running"})
        {
            AddTestCase(new PregnantPause(1024, timer, true), Duration::QUICK);
            AddTestCase(new PregnantPause(2048, timer, true), Duration::QUICK);
            AddTestCase(new PregnantPause(4096, timer, true), Duration::QUICK);
            AddTestCase(new PregnantPause(6144, timer, false), Duration::QUICK);
            AddTestCase(new PregnantPause(16384, timer, false), Duration::QUICK);
        }
        AddTestCase(
            new FreeRunningTicks("a free-running timer acknowledges at multiples of its period"),
            Duration::QUICK);
    }
};

DelayedAckSuite g_delayedAckSuite; //!< registers itself

} // namespace
