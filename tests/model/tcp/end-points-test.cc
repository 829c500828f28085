/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Segments that belong to no connection any more, or to none yet: who answers them, and who hears
 * of them (RFC 9293, 3.10.7).
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint8_t FIN_ACK = TcpHeader::FIN | TcpHeader::ACK;
constexpr uint8_t SYN_ACK = TcpHeader::SYN | TcpHeader::ACK;
constexpr uint8_t RST_ACK = TcpHeader::RST | TcpHeader::ACK;
constexpr uint32_t STRANGERS_ACK = 4711; //!< of a segment that is made up

/// The device has reset its connection, and the reset was lost. Its next segment tells the host.
class ConnectionIsGone : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool listens : {true, false})
        {
            ObjectFactory device("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(2920));
            TcpPair pair(ObjectFactory("ns3::study::HostTcp"), device);
            pair.SetReading(false);
            pair.Write(100000);
            pair.RunUntil(Seconds(1));
            pair.SetLossToHost(true);
            pair.deviceSocket->Close(); // with unread data: a reset
            if (!listens)
            {
                pair.listener->Close();
            }
            pair.RunUntil(Seconds(2));
            pair.SetLossToHost(false);
            pair.RunUntil(Minutes(2));
            NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told of the end");
            NS_TEST_EXPECT_MSG_EQ(pair.Count(false, TcpHeader::RST), 1, "resets that arrive");
        }
    }
};

/// What a listening socket says to a segment that belongs to no connection.
class StrayToListener : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [flags, refused] : {std::pair{uint8_t{TcpHeader::ACK}, true},
                                             {FIN_ACK, true},
                                             {SYN_ACK, true},
                                             {uint8_t{TcpHeader::FIN}, false},
                                             {uint8_t{TcpHeader::RST}, false},
                                             {RST_ACK, false}})
        {
            TcpPair pair;
            pair.RunUntil(Seconds(1));
            constexpr uint16_t strangersPort = 1234; // of no connection at either end
            const std::size_t before = pair.DeviceSegments().size();
            pair.Forge(flags, 99, STRANGERS_ACK, strangersPort);
            pair.RunUntil(Seconds(10));
            const auto answers = pair.DeviceSegments();
            NS_TEST_ASSERT_MSG_EQ(answers.size() - before, refused, "answers to " << int(flags));
            if (refused)
            {
                const TcpHeader& reset = answers.back().header;
                NS_TEST_EXPECT_MSG_EQ(+reset.GetFlags(), +TcpHeader::RST, "flags of the answer");
                NS_TEST_EXPECT_MSG_EQ(reset.GetSequenceNumber().GetValue(),
                                      STRANGERS_ACK,
                                      "its number");
                NS_TEST_EXPECT_MSG_EQ(reset.GetDestinationPort(), strangersPort, "its port");
            }
        }
    }
};

/// Who listens at a socket hears of every segment that the capture has, up to the last reset.
class TracesOfTheEnd : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair;
        std::size_t heard = 0;
        std::size_t said = 0;
        const auto count = [](std::size_t& n) {
            return ConnectionSocket::SegmentListener([&n](auto&&...) { ++n; });
        };
        // The listener's are those of its connections: of each segment once, the SYN too.
        pair.listener->TraceConnectWithoutContext("Rx", count(heard));
        pair.listener->TraceConnectWithoutContext("Tx", count(said));
        pair.Write(5000, true); // the device closes, too
        pair.RunUntil(Seconds(2));
        pair.Forge(TcpHeader::ACK, 99, 2); // acknowledges SYN and FIN of the device, which is gone
        pair.RunUntil(Seconds(3));
        const std::size_t fromHost = pair.Count(true, 0);
        NS_TEST_EXPECT_MSG_EQ(pair.Count(false, TcpHeader::RST), 1, "resets");
        NS_TEST_EXPECT_MSG_EQ(heard, fromHost, "segments to the device");
        NS_TEST_EXPECT_MSG_EQ(said, pair.Count(false, 0), "segments of the device");
    }
};

/// The suite, which registers itself.
const Suite g_endPointsSuite(
    "end-points",
    {new ConnectionIsGone("who speaks to a connection that is gone is reset, once"),
     new StrayToListener("a listening socket resets or drops what is no connection's"),
     new TracesOfTheEnd("Rx and Tx have the segments of the end")});

} // namespace
