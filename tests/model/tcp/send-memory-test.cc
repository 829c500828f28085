/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The send buffer as Linux counts it: what the last block takes beyond the bound, when a writer is
 * told of room. The bounds are those of kernel/points.toml, twice what SO_SNDBUF was asked for.
 */

#include "model/tcp/send-memory.h"
#include "model/tcp/socket-writer.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1448;
constexpr uint32_t OVERHEAD = 832;   // what Linux 6.18 counted
constexpr uint32_t WHOLE = 22 * MSS; // half a window of 65536, in segments
constexpr uint32_t BURST = 2 * MSS;  // what leaves together, at least

/// @return an empty buffer
SendMemory
Empty(uint32_t bound)
{
    SendMemory memory;
    memory.Begin(bound, OVERHEAD);
    return memory;
}

/// Write segments, of which the first so many leave at once, until there is no room.
/// @return what was written [B]
uint32_t
Fill(SendMemory& memory, uint32_t leaving)
{
    uint32_t written = 0;
    while (const uint32_t room = memory.Ask(WHOLE))
    {
        const uint32_t size = std::min(room, MSS);
        memory.Write(size, WHOLE);
        written += size;
        memory.Leave(written - std::min(written, leaving * MSS), BURST);
    }
    return written;
}

/// A segment that leaves at once is a block: SO_SNDBUF 4608 let 5 segments out, 8192 let 8.
class SegmentsAsBlocks : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [bound, segments] : {std::pair{9216U, 5U}, {16384U, 8U}})
        {
            SendMemory memory = Empty(bound);
            NS_TEST_EXPECT_MSG_EQ(Fill(memory, 10), segments * MSS, "bytes into " << bound);
            NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), segments * (MSS + OVERHEAD), "their memory");
        }
    }
};

/// What may not leave is put into one block until that is whole: 32 segments into 32768 B.
class LastBlockIsFilled : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendMemory memory = Empty(32768);
        NS_TEST_EXPECT_MSG_EQ(Fill(memory, 10), 10 * MSS + WHOLE, "bytes");
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 10 * MSS + WHOLE + 11 * OVERHEAD, "memory");
        NS_TEST_EXPECT_MSG_EQ(memory.IsFull(), true, "its writer waits");
    }
};

/// What leaves by twos is counted by twos; an acknowledged part of a block takes no memory.
class BlocksAreSplit : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendMemory memory = Empty(1000000);
        memory.Write(10 * MSS, WHOLE);
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 10 * MSS + OVERHEAD, "in one block");
        memory.Leave(5 * MSS, BURST);
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 10 * MSS + 4 * OVERHEAD, "2 + 2 + 1, and 5 left");
        memory.Keep(9 * MSS);
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 9 * MSS + 4 * OVERHEAD, "half of the first gone");
        memory.Keep(8 * MSS);
        NS_TEST_EXPECT_MSG_EQ(memory.GetMemory(), 8 * MSS + 3 * OVERHEAD, "the first is gone");
    }
};

/// A writer that asked in vain is told of room at a third; another may write before.
class RoomAtAThird : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendMemory memory = Empty(9216);
        Fill(memory, 10);
        for (const uint32_t left : {4U, 3U})
        {
            memory.Keep(left * MSS);
            NS_TEST_EXPECT_MSG_EQ(memory.GetRoom(WHOLE), 0, "room with " << left << " segments");
        }
        memory.Keep(2 * MSS); // 4560 B, less than two thirds of 9216
        NS_TEST_EXPECT_MSG_EQ(memory.GetRoom(WHOLE), WHOLE, "room with 2 segments");

        SendMemory other = Empty(9216);
        for (uint32_t i = 0; i < 4; ++i)
        {
            other.Write(MSS, WHOLE);
            other.Leave(0, BURST);
        }
        NS_TEST_EXPECT_MSG_EQ(other.Ask(WHOLE), WHOLE, "9120 B are less than 9216");
    }
};

/// A host's sockets, the buffer by a rule
ObjectFactory
Host(const std::string& rule, uint32_t buffer)
{
    return ObjectFactory("ns3::study::HostTcpSocket",
                         "SendBufferRule",
                         StringValue(rule),
                         "SendBuffer",
                         UintegerValue(buffer),
                         "InitialWindow",
                         UintegerValue(10));
}

/// Blocking writes of a segment into 9216 B, all acknowledged by one ACK: 5 at a time; by bytes 6.
class WritesIntoMemory : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [rule, first, next] :
             {std::tuple{"linux", 5 * 1460U, 10 * 1460U}, {"bytes", 6 * 1460U, 12 * 1460U}})
        {
            TcpPair pair(
                Host(rule, 9216),
                ObjectFactory("ns3::study::DeviceTcpSocket", "AckLatency", StringValue("100ms")));
            pair.RunUntil(Seconds(1));
            SocketWriter writer(pair.hostSocket, WriteReturns::ALL_FITS);
            std::function<void()> write = [&]() {
                Simulator::Schedule(MilliSeconds(2), [&]() { writer.Write(1460, write); });
            };
            pair.hostSocket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>(
                [&writer](auto...) { writer.WriteWhatFits(); }));
            write();
            pair.RunUntil(Seconds(1.095));
            NS_TEST_EXPECT_MSG_EQ(Sent(pair), first, "bytes before the first ACK, " << rule);
            pair.RunUntil(Seconds(1.195));
            NS_TEST_EXPECT_MSG_EQ(Sent(pair), next, "before the ACK of the next, " << rule);
            pair.hostSocket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        }
    }

    /// @return what the host has sent [B]
    static uint32_t Sent(const TcpPair& pair)
    {
        uint32_t sent = 0;
        for (const SeenSegment& each : pair.HostData())
        {
            sent += each.size;
        }
        return sent;
    }
};

/// A program that writes until it is refused, as ns-3's own do, is refused, and gets all across.
class RefusesAndGoesOn : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair(Host("linux", 9216), ObjectFactory("ns3::study::DeviceTcpSocket"));
        pair.RunUntil(Seconds(1));
        uint32_t left = 200;
        const auto write = [&pair, &left](auto...) {
            while (left > 0 && pair.hostSocket->Send(Create<Packet>(1000), 0) == 1000)
            {
                --left;
            }
        };
        pair.hostSocket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>(write));
        write();
        NS_TEST_EXPECT_MSG_GT(left, 100, "writes refused at first");
        pair.RunUntil(Seconds(20));
        NS_TEST_EXPECT_MSG_EQ(left, 0, "writes left over");
        NS_TEST_EXPECT_MSG_EQ(pair.received, 200000, "bytes across");
        pair.hostSocket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    }
};

/// The suite; it registers itself.
Suite g_sendMemorySuite(
    "send-memory",
    {new SegmentsAsBlocks("a segment that leaves at once is a block of its own"),
     new LastBlockIsFilled("the last block is filled whatever the bound"),
     new BlocksAreSplit("what leaves together is a block, what is acknowledged takes no memory"),
     new RoomAtAThird("a writer that waits goes on when a third is free"),
     new WritesIntoMemory("SendBufferRule: blocking writes"),
     new RefusesAndGoesOn("SendBufferRule: a writer that does not ask for room")});

} // namespace
