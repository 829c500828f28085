/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a sender believes of what it has sent: RFC 6675's rules on a scoreboard without a network.
 */

#include "model/tcp/send-scoreboard.h"
#include "tests/suite.h"

#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1000; //!< [B]

/// @return a scoreboard with so many whole segments outstanding, the first from 0
SendScoreboard
Outstanding(uint32_t segments)
{
    SendScoreboard board;
    for (uint32_t i = 0; i < segments; ++i)
    {
        board.Add(SequenceNumber32(i * MSS), MSS, nullptr);
    }
    return board;
}

/// The peer has these segments, each from the first to before the second. @return the news [B]
uint32_t
Sack(SendScoreboard& board, const std::vector<std::pair<uint32_t, uint32_t>>& segments)
{
    TcpOptionSack::SackList blocks;
    for (const auto& [begin, end] : segments)
    {
        blocks.emplace_back(SequenceNumber32(begin * MSS), SequenceNumber32(end * MSS));
    }
    const uint32_t news = board.Sack(blocks, SendScoreboard::Delivered([](TcpTxItem*) {}));
    board.MarkHoles(3, MSS);
    return news;
}

/// Send again all that is believed lost. @return the segments
std::vector<uint32_t>
ResendAll(SendScoreboard& board, uint32_t next)
{
    std::vector<uint32_t> resent;
    while (board.HasLost())
    {
        resent.push_back(board.GetLost().begin.GetValue() / MSS);
        board.Resend(board.GetLost(), SequenceNumber32(next * MSS));
    }
    return resent;
}

/// A hole is lost when three segments beyond it have come, and is to be sent once.
class Holes : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendScoreboard board = Outstanding(20);
        NS_TEST_EXPECT_MSG_EQ(Sack(board, {{1, 3}}), 2 * MSS, "news");
        NS_TEST_EXPECT_MSG_EQ(board.HasLost(), false, "two segments beyond it tell nothing");
        NS_TEST_EXPECT_MSG_EQ(Sack(board, {{1, 4}}), MSS, "news of what was partly known");
        NS_TEST_EXPECT_MSG_EQ(Sack(board, {{6, 8}, {1, 4}}), 2 * MSS, "news of a second block");
        NS_TEST_EXPECT_MSG_EQ(Sack(board, {{9, 12}, {6, 8}, {1, 4}}), 3 * MSS, "of a third");
        NS_TEST_EXPECT_MSG_EQ((ResendAll(board, 20) == std::vector<uint32_t>{0, 4, 5, 8}),
                              true,
                              "the four holes, in order");
        NS_TEST_EXPECT_MSG_EQ(board.GetPipe(), (20 - 8) * MSS, "20 less what the peer has");
        Sack(board, {{9, 15}, {6, 8}, {1, 4}});
        NS_TEST_EXPECT_MSG_EQ(board.HasLost(), false, "what was sent again is on its way");
        board.AcknowledgeUpTo(SequenceNumber32(4 * MSS));
        NS_TEST_EXPECT_MSG_EQ(board.GetTotal(), 16 * MSS, "outstanding");
        NS_TEST_EXPECT_MSG_EQ(board.GetPipe(), 8 * MSS, "and on its way");
    }
};

/// A retransmission is lost when three segments that left after it have come, in blocks of their
/// own or in one that grows over it.
class LostAgain : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendScoreboard board = Outstanding(10);
        Sack(board, {{1, 5}});
        NS_TEST_EXPECT_MSG_EQ(ResendAll(board, 10).size(), 1, "the first");
        for (uint32_t i = 10; i < 14; ++i)
        {
            board.Add(SequenceNumber32(i * MSS), MSS, nullptr);
        }
        Sack(board, {{1, 12}});
        NS_TEST_EXPECT_MSG_EQ(board.HasLost(), false, "what had left before it tells nothing");
        Sack(board, {{1, 13}});
        NS_TEST_ASSERT_MSG_EQ(board.HasLost(), true, "three in a block that has grown tell");
        NS_TEST_EXPECT_MSG_EQ(board.GetLost().begin.GetValue(), 0, "and it is this that is lost");
        SendScoreboard apart = Outstanding(10);
        Sack(apart, {{1, 5}});
        ResendAll(apart, 10);
        for (uint32_t i = 10; i < 14; ++i)
        {
            apart.Add(SequenceNumber32(i * MSS), MSS, nullptr);
        }
        Sack(apart, {{11, 14}});
        NS_TEST_ASSERT_MSG_EQ(apart.HasLost(), true, "three that left after it have come");
        NS_TEST_EXPECT_MSG_EQ(apart.GetLost().begin.GetValue(), 0, "it is lost again");
    }
};

/// A retransmission that has come while others were on their way tells nothing of these any more.
class ComeMeanwhile : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendScoreboard board = Outstanding(30);
        uint32_t next = 30;
        const auto add = [&](uint32_t segments) {
            for (; segments > 0; --segments, ++next)
            {
                board.Add(SequenceNumber32(next * MSS), MSS, nullptr);
            }
        };
        const auto sacked = [&](uint32_t begin, uint32_t end) {
            Sack(board, {{begin, end}});
            return ResendAll(board, next);
        };
        sacked(1, 4); // segments 0, 10 and 20 are lost
        add(3);
        sacked(1, 10);
        sacked(11, 14);
        sacked(11, 20);
        add(3);
        sacked(21, 30);
        add(3);
        NS_TEST_EXPECT_MSG_EQ((sacked(30, 33) == std::vector<uint32_t>{0}), true, "0 again");
        add(3);
        board.AcknowledgeUpTo(SequenceNumber32(10 * MSS)); // it has come; 10 and 20 have not
        add(1);
        NS_TEST_EXPECT_MSG_EQ((sacked(33, 36) == std::vector<uint32_t>{10}), true, "10 again");
        NS_TEST_EXPECT_MSG_EQ((sacked(36, 39) == std::vector<uint32_t>{20}), true, "20 again");
        const std::size_t again = sacked(39, 42).size();
        NS_TEST_EXPECT_MSG_EQ(again, 0, "these left before both did");
    }
};

/// A timeout asks for all that the peer is not known to have; what it has is kept.
class Timeout : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendScoreboard board = Outstanding(6);
        Sack(board, {{2, 3}, {4, 5}});
        board.MarkAll();
        NS_TEST_EXPECT_MSG_EQ(board.GetPipe(), 0, "nothing is on its way");
        NS_TEST_EXPECT_MSG_EQ((ResendAll(board, 6) == std::vector<uint32_t>{0, 1, 3, 5}),
                              true,
                              "what is sent again");
        board.MarkAll();
        NS_TEST_EXPECT_MSG_EQ(ResendAll(board, 6).size(), 4, "and once more");
        NS_TEST_EXPECT_MSG_EQ(Sack(board, {{0, 0}, {5, 9}}), MSS, "an empty block, one too long");
    }
};

/// Without SACK, duplicate ACKs make room; only the first segment is known to be lost.
class WithoutSack : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        SendScoreboard board = Outstanding(8);
        board.SetLeft(3 * MSS);
        board.MarkHead();
        NS_TEST_EXPECT_MSG_EQ(board.GetPipe(), 4 * MSS, "8 less the lost one and three that left");
        NS_TEST_EXPECT_MSG_EQ(ResendAll(board, 8).size(), 1, "only the first");
        board.SetLeft(100 * MSS);
        NS_TEST_EXPECT_MSG_EQ(board.GetPipe(), MSS, "no more has left than there was");
        board.AcknowledgeUpTo(SequenceNumber32(2500));
        NS_TEST_EXPECT_MSG_EQ(board.GetTotal(), 5500, "part of a segment is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(board.GetHead().size, 500, "what is left of it");
    }
};

const Suite g_scoreboardSuite(
    "send-scoreboard",
    {new Holes("with SACK: what three segments have overtaken is lost, once"),
     new LostAgain("with SACK: a retransmission that three segments have overtaken is lost"),
     new ComeMeanwhile("with SACK: what has come tells nothing of what is still on its way"),
     new Timeout("a timeout asks for what the peer is not known to have"),
     new WithoutSack("without SACK: duplicate ACKs tell how much has left")}); //!< registers itself

} // namespace
