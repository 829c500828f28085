/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Turns: a list of writes as text, and what an end of a conversation writes when.
 */

#include "request-reply/turn-taker.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A list of turns is read whole or not at all.
class ListIsReadWholeOrNotAtAll : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto turns = ReadTurns("c50000:120,s30000:2000");
        NS_TEST_ASSERT_MSG_EQ(turns.size(), 2, "turns");
        NS_TEST_EXPECT_MSG_EQ(turns[0].ofServer, false, "the first is the client's");
        NS_TEST_EXPECT_MSG_EQ(turns[0].wait, MilliSeconds(50), "its wait");
        NS_TEST_EXPECT_MSG_EQ(turns[1].ofServer, true, "the second is the server's");
        NS_TEST_EXPECT_MSG_EQ(turns[1].size, 2000, "its size");
        for (const auto text : {"x1:1", "c1", "c1:0", "c-1:1", "c1:1,", "c1:1x", "c4000000000:1"})
        {
            NS_TEST_EXPECT_MSG_EQ(ReadTurns(text).empty(), true, text);
        }
    }
};

/// An end writes its next turn only when it has heard all that comes before it.
class EndHearsBeforeItWrites : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TurnTaker server(ReadTurns("c1:100,c1:20,s2:7,c1:5"), true);
        NS_TEST_EXPECT_MSG_EQ(server.GetToSay(), 7, "its own");
        NS_TEST_EXPECT_MSG_EQ(server.Take().has_value(), false, "nothing was heard");
        NS_TEST_EXPECT_MSG_EQ(server.CountOwnOver(), 0, "nothing was written");
        server.Heard(119);
        NS_TEST_EXPECT_MSG_EQ(server.Take().has_value(), false, "a byte is missing");
        server.Heard(120);
        const auto turn = server.Take();
        NS_TEST_ASSERT_MSG_EQ(turn.has_value(), true, "all was heard");
        NS_TEST_EXPECT_MSG_EQ(turn->size, 7, "its own turn");
        NS_TEST_EXPECT_MSG_EQ(server.IsOver(), false, "the client's last is to come");
        server.Heard(125);
        NS_TEST_EXPECT_MSG_EQ(server.IsOver(), true, "all is said");
        NS_TEST_EXPECT_MSG_EQ(server.CountOwn(), 1, "its own writes");
        NS_TEST_EXPECT_MSG_EQ(server.CountOwnOver(), 1, "all of them");
    }
};

const Suite g_turnTakerTestSuite(
    "turn-taker",
    {new ListIsReadWholeOrNotAtAll("a list of turns is read whole or not at all"),
     new EndHearsBeforeItWrites("an end writes when it has heard all that comes before")});

} // namespace
