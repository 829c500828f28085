/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * When the device acknowledges: its two kinds of traffic, and the latencies of each.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr double MINIMUM_FRAME = 64 * 8 / 10e6;       //!< seconds on 10 Mbit/s
constexpr double FULL_FRAME = (1460 + 58) * 8 / 10e6; //!< of a segment of 1460 B
constexpr double DELAY = 0.5e-6;                      //!< propagation, one way

/// @return a device with a window of two segments and latencies one can tell apart
ObjectFactory
SlowDevice()
{
    ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(2920));
    device.Set("SynAckLatency", StringValue("5ms"));
    device.Set("AckLatency", StringValue("100ms"));
    device.Set("InteractiveAckLatency", StringValue("7ms"));
    return device;
}

/// The SYN-ACK comes its latency after the SYN has arrived.
class SynAckIsLate : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), SlowDevice());
        pair.RunUntil(Seconds(1));
        NS_TEST_ASSERT_MSG_GT_OR_EQ(pair.seen.size(), 2, "segments seen");
        NS_TEST_EXPECT_MSG_EQ_TOL((pair.seen[1].time - pair.seen[0].time).GetSeconds(),
                                  0.005 + 2 * MINIMUM_FRAME + 2 * DELAY,
                                  1e-9,
                                  "seconds from SYN to SYN-ACK");
    }
};

/**
 * Two full segments fill the window; one ACK covers both, AckLatency after the first arrived. If
 * the latency ran from the second, the ACK would be a frame later.
 */
class OneAckForAFullWindow : public TestCase
{
  public:
    explicit OneAckForAFullWindow(int64_t perByte)
        : TestCase("bulk: one ACK for the window, " + std::to_string(perByte) +
                   " ns more for each byte covered"),
          m_perByte(perByte)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device = SlowDevice();
        device.Set("AckLatencyPerByte", TimeValue(NanoSeconds(m_perByte)));
        device.Set("InteractiveBytes", UintegerValue(0)); // bulk from the first byte on
        // A timeout that the longest of these latencies does not reach.
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket", "MinimumRto", StringValue("1s")),
                     device);
        pair.Write(8 * 1460);
        pair.RunUntil(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 8 * 1460, "bytes read");
        const auto data = pair.HostData();
        const auto acks = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_EQ(data.size(), 8, "segments sent");
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 4, "ACKs, one for two segments");
        for (std::size_t i = 0; i < acks.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(acks[i].header.GetAckNumber(),
                                  SequenceNumber32(1 + 2920 * (i + 1)),
                                  "number of ACK " << i);
            const double latency = 0.1 + 2920 * m_perByte * 1e-9;
            if (i == 0)
            {
                continue; // the handshake's last ACK is still on the line before it
            }
            NS_TEST_EXPECT_MSG_EQ_TOL((acks[i].time - data[2 * i].time).GetSeconds(),
                                      FULL_FRAME + MINIMUM_FRAME + 2 * DELAY + latency,
                                      1e-9,
                                      "seconds from first segment to ACK " << i);
        }
    }

    int64_t m_perByte; //!< what each byte adds [ns]
};

/**
 * A spread is drawn once an ACK, however many segments come before it. Were it drawn again for each
 * of them, an ACK would leave after the shortest of the draws: there would be twice as many.
 */
class SpreadIsDrawnOncePerAck : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        double acks[2];
        for (const int perByte : {0, 1})
        {
            ObjectFactory device("ns3::study::DeviceTcpSocket",
                                 "ReceiveWindow",
                                 UintegerValue(65535));
            device.Set("AckLatency", StringValue("5ms"));
            device.Set("AckLatencySpread", StringValue("40ms"));
            device.Set("AckLatencyPerByte", TimeValue(NanoSeconds(perByte)));
            TcpPair pair(
                ObjectFactory("ns3::study::HostTcpSocket", "SendBuffer", UintegerValue(262144)),
                device);
            pair.Write(5000000);
            pair.RunUntil(Seconds(60));
            NS_TEST_EXPECT_MSG_EQ(pair.received, 5000000, "bytes read");
            acks[perByte] = pair.DeviceSegments().size();
        }
        // The 66 us that a full window takes longer may move a segment from one ACK to the next.
        NS_TEST_EXPECT_MSG_EQ_TOL(acks[1],
                                  acks[0],
                                  acks[0] / 50,
                                  "ACKs with 1 ns and with 0 ns for each byte");
    }
};

/**
 * Three small writes at once: three ACKs, one after the other, 7 ms each, as the early writes of
 * the Hawking's trace. A delayed ACK would cover all three.
 */
class SmallSegmentsOneByOne : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory host("ns3::study::HostTcpSocket", "Nagle", StringValue("false"));
        TcpPair pair(host, SlowDevice());
        pair.RunUntil(Seconds(1));
        for (int i = 0; i < 3; ++i)
        {
            pair.WriteNow(256);
            pair.RunUntil(Seconds(1) + MicroSeconds(100 * (i + 1)));
        }
        pair.RunUntil(Seconds(2));
        const auto acks = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 3, "ACKs");
        const double firstArrival = 1 + (256 + 58) * 8 / 10e6 + DELAY;
        for (std::size_t i = 0; i < acks.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(acks[i].header.GetAckNumber(),
                                  SequenceNumber32(1 + 256 * (i + 1)),
                                  "number of ACK " << i);
            NS_TEST_EXPECT_MSG_EQ_TOL(acks[i].time.GetSeconds(),
                                      firstArrival + 0.007 * (i + 1) + MINIMUM_FRAME + DELAY,
                                      1e-8,
                                      "time of ACK " << i);
        }
    }
};

/**
 * Whether an ACK is early or late depends on how much has come since the device's application last
 * spoke, however the sender cuts it: small segments behind the limit are as late as full ones.
 */
class BulkAfterSoManyBytes : public TestCase
{
  public:
    BulkAfterSoManyBytes(uint32_t write, const std::string& interactive, double latency)
        : TestCase("600 B up to the limit, then " + std::to_string(write) +
                   " B; InteractiveAckLatency " + interactive),
          m_write(write),
          m_interactive(interactive),
          m_latency(latency)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device = SlowDevice();
        device.Set("InteractiveAckLatency", StringValue(m_interactive));
        device.Set("InteractiveBytes", UintegerValue(600));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), device);
        pair.RunUntil(Seconds(1));
        WriteAndWait(pair, 600, m_latency);
        WriteAndWait(pair, m_write, 0.1);
        pair.deviceSocket->Send(Create<Packet>(1), 0); // the application speaks
        pair.RunUntil(Simulator::Now() + Seconds(1));
        WriteAndWait(pair, 600, m_latency);
    }

    /// Write once, and expect the ACK so late.
    void WriteAndWait(TcpPair& pair, uint32_t size, double latency)
    {
        const Time written = Simulator::Now();
        pair.WriteNow(size);
        pair.RunUntil(written + Seconds(1));
        const double frame = std::max((size + 58) * 8 / 10e6, MINIMUM_FRAME);
        NS_TEST_EXPECT_MSG_EQ_TOL((pair.seen.back().time - written).GetSeconds(),
                                  frame + MINIMUM_FRAME + 2 * DELAY + latency,
                                  1e-8,
                                  "seconds to the ACK of " << size << " B");
    }

    uint32_t m_write;          //!< what comes behind the limit [B]
    std::string m_interactive; //!< InteractiveAckLatency
    double m_latency;          //!< of the first bytes [s]
};

/// FIN from the host: its ACK comes with the latency of small traffic, the device's FIN follows.
class HostCloses : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), SlowDevice());
        pair.Write(100, true);
        pair.RunUntil(Seconds(5));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 100, "bytes read");
        NS_TEST_EXPECT_MSG_EQ(pair.deviceClosed, true, "the device was told");
        const auto segments = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_EQ(segments.empty(), false, "the device has answered");
        const bool fin = segments.back().header.GetFlags() & TcpHeader::FIN;
        NS_TEST_EXPECT_MSG_EQ(fin, true, "the device's last segment is its FIN");
        NS_TEST_EXPECT_MSG_EQ(segments.back().header.GetAckNumber(),
                              SequenceNumber32(102),
                              "SYN, 100 bytes and FIN acknowledged");
    }
};

/// The host resets after the ACK of its FIN, where it is told to; the device's FIN is reset too.
class HostResetsAfterFin : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(
            ObjectFactory("ns3::study::HostTcpSocket", "ResetOnFinAck", StringValue("true")),
            SlowDevice());
        pair.Write(100, true);
        pair.RunUntil(Seconds(5));
        std::string order;
        for (const auto& segment : pair.seen)
        {
            const uint8_t flags = segment.header.GetFlags();
            if (flags & TcpHeader::FIN)
            {
                order += segment.fromHost ? "F" : "f";
            }
            order += (flags & TcpHeader::RST) ? "R" : "";
        }
        NS_TEST_EXPECT_MSG_EQ(order, "FRfR", "FINs and RSTs, the host's in capitals");
    }
};

/**
 * An ACK later than the host's first timeout: it is retransmitted to in vain only until the
 * timeout has grown past the latency, because a timeout that was backed off stays so until a
 * segment has been timed (Karn). ns-3's own falls back with every ACK.
 */
class TimeoutStaysBackedOff : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory device = SlowDevice();
        device.Set("AckLatency", StringValue("700ms"));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), device);
        pair.Write(100 * 1460);
        pair.RunUntil(Seconds(60));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 100 * 1460, "bytes read");
        // Two timeouts, of 200 and 400 ms, pass before one is longer than the latency; each resends
        // at most a window of two segments. One a window would make 50 more.
        NS_TEST_EXPECT_MSG_LT_OR_EQ(pair.HostData().size(), 104, "segments sent for 100");
    }
};

const Suite g_deviceAckSuite(
    "device-ack",
    {new SynAckIsLate("the SYN-ACK takes SynAckLatency and two frames"),
     new OneAckForAFullWindow(0),
     new OneAckForAFullWindow(38000),
     new SpreadIsDrawnOncePerAck(
         "bulk: a nanosecond more for each byte does not change the number of ACKs"),
     new SmallSegmentsOneByOne("interactive: every segment has its turn and its ACK"),
     new BulkAfterSoManyBytes(1, "7ms", 0.007),
     new BulkAfterSoManyBytes(1459, "7ms", 0.007),
     new BulkAfterSoManyBytes(1460, "7ms", 0.007),
     new BulkAfterSoManyBytes(600, "0ms", 0.1), // not given: as late as all else
     new HostCloses("the host's FIN is acknowledged and answered by the device's"),
     new HostResetsAfterFin("ResetOnFinAck: FIN, ACK, RST, FIN, RST, as the Hawking's trace ends"),
     new TimeoutStaysBackedOff("an ACK latency of 700 ms costs a few early retransmissions, not "
                               "one a window")}); //!< registers itself

} // namespace
