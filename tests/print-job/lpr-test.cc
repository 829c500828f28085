/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * RFC 1179's dialogue: what the client writes, and what the device makes of it.
 */

#include "print-job/lpr-receiver.h"
#include "print-job/print-job-script.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

using Answered = LprReceiver::Answered;

/**
 * @param octets any octets
 * @return a packet of them
 */
Ptr<Packet>
PacketOf(const std::string& octets)
{
    return Create<Packet>(reinterpret_cast<const uint8_t*>(octets.data()), octets.size());
}

/**
 * @param answers what a receiver answered
 * @return a letter for each: Job, Sub, File, Error
 */
std::string
Letters(const std::vector<Answered>& answers)
{
    std::string letters;
    for (const auto answered : answers)
    {
        letters += "JSFE"[static_cast<int>(answered)];
    }
    return letters;
}

/// The parts have the sizes of the Hawking's trace: 1:6, 6:40, to 22226473, 28, 61 bytes.
class PartsHaveTheTracesSizes : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const PrintJobScript script = MakeLprScript(22226432);
        const std::vector<uint64_t> sizes{5, 34, 22226433, 28, 61};
        NS_TEST_ASSERT_MSG_EQ(script.size(), sizes.size(), "parts");
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(script[i].GetSize(), sizes[i], "bytes in part " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(GetSize(script), 22226561, "bytes in all");
    }
};

/// The device answers the five parts in turn, however the octets are cut into segments.
class DialogueIsUnderstood : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        std::string octets;
        for (const auto& step : MakeLprScript(5000))
        {
            octets += step.text + std::string(step.zeroOctets, '\0');
        }
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, octets.size()})
        {
            LprReceiver receiver;
            std::string letters;
            for (std::size_t at = 0; at < octets.size(); at += piece)
            {
                letters += Letters(receiver.Receive(PacketOf(octets.substr(at, piece))));
            }
            NS_TEST_EXPECT_MSG_EQ(letters, "JSFSF", "answers with pieces of " << piece << " B");
        }
    }
};

/// What is not a printing dialogue is refused and never taken for a file.
class NonsenseIsRefused : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const std::string nonsense : {"\n",
                                           "GET / HTTP/1.0\n",
                                           "\x04lp1\n",
                                           "\x02lp1\n\x03"
                                           "12x dfA\n",
                                           "\x02lp1\n\x03"
                                           "99999999999999999999 dfA\n"})
        {
            LprReceiver receiver;
            const std::string letters = Letters(receiver.Receive(PacketOf(nonsense)));
            NS_TEST_ASSERT_MSG_EQ(letters.empty(), false, "an answer to '" << nonsense << "'");
            NS_TEST_EXPECT_MSG_EQ(letters.back(), 'E', "answer to '" << nonsense << "'");
            const std::string next = Letters(receiver.Receive(PacketOf("more\n")));
            NS_TEST_EXPECT_MSG_EQ(next, "E", "what follows is a line again, not a file");
        }
        NS_TEST_EXPECT_MSG_EQ(+LprReceiver::GetReply(Answered::ERROR), 1, "negative reply");
        NS_TEST_EXPECT_MSG_EQ(+LprReceiver::GetReply(Answered::FILE), 0, "positive reply");
        const std::string endless(5000, 'x');
        const std::string letters = Letters(LprReceiver().Receive(PacketOf(endless)));
        NS_TEST_ASSERT_MSG_EQ(letters.empty(), false, "an answer to a line without end");
        NS_TEST_EXPECT_MSG_EQ(letters.back(), 'E', "answer to a line without end");
    }
};

const Suite g_lprSuite(
    "lpr",
    {new PartsHaveTheTracesSizes("the job's parts have the sizes of the Hawking's trace"),
     new DialogueIsUnderstood("the dialogue is understood however it is cut into segments"),
     new NonsenseIsRefused("what is not understood gets a negative reply")});

} // namespace
