/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The rules by which receivers acknowledge and announce: every n-th full segment with a delayed-ACK
 * timer (RFC 5681, 4.2), and which openings of the window a window update tells.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return a device with a large window that acknowledges every n-th full segment
ObjectFactory
Receiver(uint32_t frequency)
{
    ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(32768));
    device.Set("AckFrequency", UintegerValue(frequency));
    device.Set("DelayedAckTimeout", StringValue("200ms"));
    return device;
}

/// @return a host that has room for many segments, and waits for no ACK that may take 200 ms
ObjectFactory
Sender()
{
    ObjectFactory host("ns3::study::HostTcpSocket", "InitialWindow", UintegerValue(20));
    host.Set("MinimumRto", StringValue("1s"));
    return host;
}

/// What the device's ACKs acknowledge, one after the other, of writes of these sizes at once.
std::vector<uint32_t>
Acknowledged(ObjectFactory device, const std::vector<uint32_t>& writes, bool pushes = false)
{
    ObjectFactory host = Sender();
    host.Set("PushFlag", BooleanValue(pushes));
    host.Set("Nagle", BooleanValue(false));
    TcpPair pair(host, device);
    pair.RunUntil(Seconds(1));
    for (const uint32_t size : writes)
    {
        pair.WriteNow(size);
        pair.RunUntil(Simulator::Now() + MicroSeconds(10)); // each write a segment
    }
    pair.RunUntil(Seconds(1.1)); // before the delayed-ACK timer
    std::vector<uint32_t> numbers;
    for (const auto& ack : pair.DeviceSegments())
    {
        numbers.push_back(ack.header.GetAckNumber().GetValue() - 1);
    }
    return numbers;
}

/// Which of several segments are acknowledged at once.
class EveryNthFullSegment : public TestCase
{
  public:
    EveryNthFullSegment(const std::string& name,
                        uint32_t frequency,
                        const std::string& latency,
                        const std::vector<uint32_t>& writes,
                        const std::vector<uint32_t>& acknowledged)
        : TestCase(name),
          m_frequency(frequency),
          m_latency(latency),
          m_writes(writes),
          m_acknowledged(acknowledged)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device = Receiver(m_frequency);
        device.Set("AckLatency", StringValue(m_latency));
        const auto numbers = Acknowledged(device, m_writes);
        NS_TEST_ASSERT_MSG_EQ(numbers.size(), m_acknowledged.size(), "ACKs before the timer");
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(numbers[i], m_acknowledged[i], "bytes up to ACK " << i);
        }
    }

    uint32_t m_frequency;                 //!< AckFrequency
    std::string m_latency;                //!< AckLatency
    std::vector<uint32_t> m_writes;       //!< what the host writes [B]
    std::vector<uint32_t> m_acknowledged; //!< what is acknowledged before the timer [B]
};

/// What is too little for an ACK is acknowledged by the timer, counted from its first segment.
class OddSegmentWaitsForTheTimer : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(Sender(), Receiver(2));
        pair.Write(3 * 1460);
        pair.RunUntil(Seconds(2));
        const auto acks = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 2, "ACKs of three segments");
        const double wait = (acks[1].time - pair.HostData()[2].time).GetSeconds();
        NS_TEST_EXPECT_MSG_GT(wait, 0.2, "seconds from the third segment to its ACK");
        NS_TEST_EXPECT_MSG_LT(wait, 0.21, "seconds from the third segment to its ACK");
    }
};

/// The first segments of a connection are acknowledged at once, where a device does that.
class QuickAcksAtTheStart : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory device = Receiver(2);
        device.Set("DeviceQuickAcks", UintegerValue(3));
        device.Set("AckLatency", StringValue("1us"));
        const auto numbers = Acknowledged(device, {1460, 1460, 1460, 1460, 1460, 1460});
        const std::vector<uint32_t> expected{1460, 2920, 4380, 7300};
        NS_TEST_ASSERT_MSG_EQ(numbers.size(), expected.size(), "ACKs before the timer");
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(numbers[i], expected[i], "bytes up to ACK " << i);
        }
    }
};

/// What ends a write (PSH), or is small, is acknowledged at once where a device does that; any
/// other odd segment waits.
class WhatEndsAWrite : public TestCase
{
  public:
    WhatEndsAWrite(bool pushes,
                   const std::vector<uint32_t>& writes,
                   const std::vector<uint32_t>& acknowledged)
        : TestCase("AckPushed, " + std::to_string(writes.size()) + " writes " +
                   (pushes ? "with PSH" : "without PSH")),
          m_pushes(pushes),
          m_writes(writes),
          m_acknowledged(acknowledged)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device = Receiver(2);
        device.Set("AckPushed", BooleanValue(true));
        device.Set("AckLatency", StringValue("1us"));
        const auto numbers = Acknowledged(device, m_writes, m_pushes);
        NS_TEST_ASSERT_MSG_EQ(numbers.size(), m_acknowledged.size(), "ACKs before the timer");
        for (std::size_t i = 0; i < numbers.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(numbers[i], m_acknowledged[i], "bytes up to ACK " << i);
        }
    }

    bool m_pushes;                        //!< PushFlag
    std::vector<uint32_t> m_writes;       //!< what the host writes [B]
    std::vector<uint32_t> m_acknowledged; //!< what is acknowledged before the timer [B]
};

/**
 * A device whose ACKs wait for four segments, and a host whose buffer holds fewer: only an update
 * of the window can end the wait before the timer does. BSD sends one, RFC 1122 asks for none.
 */
class UpdateBeforeADelayedAck : public TestCase
{
  public:
    UpdateBeforeADelayedAck(const std::string& updates, bool waits)
        : TestCase("window updates " + updates + (waits ? " wait" : " do not wait") +
                   " for a delayed ACK"),
          m_updates(updates),
          m_waits(waits)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory host = Sender();
        host.Set("SendBuffer", UintegerValue(2920));
        ObjectFactory device = Receiver(4);
        device.Set("WindowUpdates", StringValue(m_updates));
        TcpPair pair(host, device);
        pair.Write(20 * 1460);
        pair.RunUntil(Seconds(20));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 20 * 1460, "bytes read");
        const Time took = pair.DeviceSegments().back().time - pair.seen.front().time;
        const bool waited = took > Seconds(1.9);
        NS_TEST_EXPECT_MSG_EQ(waited, m_waits, "ten waits of 200 ms in " << took);
    }

    std::string m_updates; //!< WindowUpdates
    bool m_waits;          //!< the timer decides
};

/// Which openings are announced while the application reads a full buffer, part by part.
class Openings : public TestCase
{
  public:
    Openings(const std::string& updates,
             uint32_t written,
             uint32_t read,
             const std::vector<uint16_t>& windows)
        : TestCase("window updates " + updates + ": " + std::to_string(read) +
                   " B read at a time, " + std::to_string(written) + " B in the buffer"),
          m_updates(updates),
          m_written(written),
          m_read(read),
          m_windows(windows)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(8760));
        device.Set("WindowUpdates", StringValue(m_updates));
        TcpPair pair(Sender(), device);
        pair.SetReading(false);
        pair.Write(m_written);
        pair.RunUntil(Seconds(1));
        const std::size_t before = pair.DeviceSegments().size();
        for (uint32_t read = 0; read < m_written; read += m_read)
        {
            pair.ReadNow(m_read);
            pair.RunUntil(Simulator::Now() + MilliSeconds(10));
        }
        const auto segments = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_EQ(segments.size() - before, m_windows.size(), "window updates");
        for (std::size_t i = 0; i < m_windows.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(segments[before + i].header.GetWindowSize(),
                                  m_windows[i],
                                  "window of update " << i);
        }
    }

    std::string m_updates;           //!< WindowUpdates
    uint32_t m_written;              //!< what the host writes [B]
    uint32_t m_read;                 //!< what is read at a time [B]
    std::vector<uint16_t> m_windows; //!< the windows announced [B]
};

using Sizes = std::vector<uint32_t>;

const Suite g_receiverRulesSuite(
    "receiver-rules",
    {new EveryNthFullSegment("every second of five full segments",
                             2,
                             "1us",
                             Sizes(5, 1460),
                             {2920, 5840}),
     new EveryNthFullSegment("every second of five, handled together: no ACK is left out",
                             2,
                             "50ms",
                             Sizes(5, 1460),
                             {2920, 5840}),
     new EveryNthFullSegment("no rule: one ACK for all five, as they are handled together",
                             0,
                             "50ms",
                             Sizes(5, 1460),
                             {7300}),
     new EveryNthFullSegment("each of three", 1, "1us", Sizes(3, 1460), {1460, 2920, 4380}),
     new EveryNthFullSegment("a smaller segment behind a full one", 2, "1us", {1460, 700}, {2160}),
     new EveryNthFullSegment("every third of seven", 3, "1us", Sizes(7, 1460), {4380, 8760}),
     new EveryNthFullSegment("segments below the MSS are full if all are so large",
                             2,
                             "1us",
                             Sizes(4, 1000),
                             {2000, 4000}),
     new EveryNthFullSegment("small segments are not", 2, "1us", Sizes(4, 100), {}),
     new OddSegmentWaitsForTheTimer("what is less than the second waits for the timer"),
     new QuickAcksAtTheStart("DeviceQuickAcks 3: three at once, then every second"),
     new WhatEndsAWrite(true, Sizes(3, 1460), {1460, 2920, 4380}),
     new WhatEndsAWrite(false, Sizes(3, 1460), {2920}),
     new WhatEndsAWrite(false, {1460, 700, 1460}, {2160}),
     new UpdateBeforeADelayedAck("bsd", false),
     new UpdateBeforeADelayedAck("rfc1122", true),
     new UpdateBeforeADelayedAck("every-opening", true),
     new UpdateBeforeADelayedAck("from-zero", true),
     new Openings("every-opening", 8760, 2190, {2190, 4380, 6570, 8760}),
     new Openings("rfc1122", 8760, 1000, {2000, 4000, 6000, 8000}), // 1460 at least
     new Openings("bsd", 8760, 1000, {3000, 6000}),                 // 2920 at least
     new Openings("from-zero", 8760, 2190, {2190}),
     new Openings("from-zero", 7300, 2190, {})}); //!< registers itself

} // namespace
