/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The end of a connection where segments of it are lost (RFC 9293, 3.6 and 3.10.7): a FIN that
 * comes again is acknowledged again, a connection lasts until its own FIN is acknowledged, and
 * whoever speaks to a connection that is gone is told so.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return how many segments with these flags one side has sent since an instant
std::size_t
Count(const TcpPair& pair, bool fromHost, uint8_t flags, Time since = Time(0))
{
    return std::count_if(pair.seen.begin(), pair.seen.end(), [=](const SeenSegment& each) {
        return each.fromHost == fromHost && each.time >= since &&
               (each.header.GetFlags() & flags) == flags;
    });
}

/// @return a host and a device, both ordinary
TcpPair
Ordinary()
{
    return {ObjectFactory("ns3::study::HostTcpSocket"),
            ObjectFactory("ns3::study::DeviceTcpSocket")};
}

/**
 * The device's ACK of the FIN and its own FIN are lost, so the host says FIN again. A device that
 * takes that for the end is gone, and the host repeats its FIN for ever: so hung one live job of
 * ten thousand.
 */
class FinAgainInLastAck : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair = Ordinary();
        pair.Write(5000);
        pair.RunUntil(Seconds(1));
        pair.SetLossToHost(true);
        pair.hostSocket->Close();
        pair.RunUntil(MilliSeconds(1300)); // the FIN, and again after the least RTO of 200 ms
        NS_TEST_ASSERT_MSG_EQ(Count(pair, true, TcpHeader::FIN), 2, "FINs while the wire loses");
        pair.SetLossToHost(false);
        pair.RunUntil(Minutes(1));
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told of the end");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Count(pair, true, TcpHeader::FIN), 3, "the host's FINs");
        NS_TEST_EXPECT_MSG_GT(Count(pair, false, TcpHeader::FIN), 0, "the device's FINs");
        NS_TEST_EXPECT_MSG_EQ(Count(pair, false, TcpHeader::RST), 0, "resets");
    }
};

/// The device closes later than the host, and its ACK of the host's FIN is lost.
class FinAgainInCloseWait : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair = Ordinary();
        pair.Write(5000);
        pair.RunUntil(Seconds(1));
        pair.deviceSocket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                             MakeNullCallback<void, Ptr<Socket>>());
        pair.SetLossToHost(true);
        pair.hostSocket->Close();
        pair.RunUntil(MilliSeconds(1100));
        pair.SetLossToHost(false);
        pair.RunUntil(Seconds(20));
        NS_TEST_EXPECT_MSG_EQ(Count(pair, true, TcpHeader::FIN), 2, "the host's FINs");
        pair.deviceSocket->Close();
        pair.RunUntil(Seconds(30));
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told of the end");
    }
};

/// The device closes first, and its last ACK is lost: it waits for that, and says it again.
class FinAgainInTimeWait : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair = Ordinary();
        pair.Write(5000);
        pair.RunUntil(Seconds(1));
        pair.deviceSocket->Close();
        pair.RunUntil(Seconds(2));
        pair.SetLossToHost(true);
        pair.hostSocket->Close();
        pair.RunUntil(MilliSeconds(2100));
        pair.SetLossToHost(false);
        pair.RunUntil(Minutes(3));
        NS_TEST_EXPECT_MSG_EQ(Count(pair, true, TcpHeader::FIN), 2, "the host's FINs");
        NS_TEST_EXPECT_MSG_EQ(Count(pair, false, TcpHeader::RST), 0, "resets");
        NS_TEST_EXPECT_MSG_EQ(Count(pair, false, TcpHeader::ACK, Seconds(2)), 1, "the ACK again");
    }
};

/// Both close at once and both FINs are lost on the way to the host, with the ACK of the host's.
class FinAgainInClosing : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair = Ordinary();
        pair.Write(5000);
        pair.RunUntil(Seconds(1));
        pair.SetLossToHost(true);
        pair.hostSocket->Close();
        pair.deviceSocket->Close();
        pair.RunUntil(MilliSeconds(1210)); // the host's FIN has come twice, the device's has not
        pair.SetLossToHost(false);
        pair.RunUntil(Minutes(2));
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told of the end");
        NS_TEST_EXPECT_MSG_EQ(Count(pair, false, TcpHeader::RST), 0, "resets");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(Count(pair, true, TcpHeader::FIN), 3, "the host's FINs");
    }
};

/**
 * The host has closed its half; the device sends two segments and closes. The second of them and
 * the FIN are lost. The ACK of the first one is not that of the FIN.
 */
class DataOutstandingInLastAck : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        TcpPair pair = Ordinary();
        pair.Write(5000);
        pair.RunUntil(Seconds(1));
        pair.deviceSocket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                             MakeNullCallback<void, Ptr<Socket>>());
        pair.hostSocket->Close();
        pair.RunUntil(Seconds(2));
        pair.deviceSocket->Send(Create<Packet>(1000), 0);
        pair.RunUntil(Seconds(2) + NanoSeconds(10)); // or else the two would be one
        pair.deviceSocket->Send(Create<Packet>(700), 0);
        pair.RunUntil(Seconds(2) + MicroSeconds(500));
        pair.deviceSocket->Close();
        pair.RunUntil(Seconds(2) + MicroSeconds(900)); // the first has arrived, of 0.85 ms
        pair.SetLossToHost(true);
        pair.RunUntil(Seconds(2) + MilliSeconds(10)); // and its ACK, too
        pair.SetLossToHost(false);
        pair.RunUntil(Minutes(1));
        uint32_t got = 0;
        while (Ptr<Packet> packet = pair.hostSocket->Recv(UINT32_MAX, 0))
        {
            got += packet->GetSize();
            if (packet->GetSize() == 0)
            {
                break;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(got, 1700, "bytes that the host has from the device");
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told of the end");
    }
};

/// The device has reset its connection, and the reset was lost. Its next segment tells the host.
class ConnectionIsGone : public TestCase
{
  public:
    /// @param listens there is still a listening socket
    explicit ConnectionIsGone(bool listens)
        : TestCase(std::string("who speaks to a connection that is gone is reset, ") +
                   (listens ? "by the listening socket" : "where nobody listens")),
          m_listens(listens)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device("ns3::study::DeviceTcpSocket", "ReceiveWindow", UintegerValue(2920));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"), device);
        pair.SetReading(false);
        pair.Write(100000);
        pair.RunUntil(Seconds(1));
        pair.SetLossToHost(true);
        pair.deviceSocket->Close(); // with unread data: ns-3 resets
        if (!m_listens)
        {
            pair.listener->Close();
        }
        pair.RunUntil(Seconds(2));
        pair.SetLossToHost(false);
        pair.RunUntil(Minutes(2));
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed, true, "the host was told of the end");
        NS_TEST_EXPECT_MSG_EQ(Count(pair, false, TcpHeader::RST), 1, "resets that arrive");
    }

    bool m_listens; //!< there is still a listening socket
};

/// What a listening socket says to a segment that belongs to no connection (RFC 9293, 3.10.7.2).
class StrayToListener : public TestCase
{
  public:
    /**
     * @param name of the segment
     * @param flags of it
     * @param refused it is answered by a reset
     */
    StrayToListener(const std::string& name, uint8_t flags, bool refused)
        : TestCase("a stray " + name + " is " + (refused ? "reset" : "dropped")),
          m_flags(flags),
          m_refused(refused)
    {
    }

  private:
    void DoRun() override
    {
        TcpPair pair = Ordinary();
        pair.RunUntil(Seconds(1));
        Address here;
        Address there;
        pair.hostSocket->GetSockName(here);
        pair.hostSocket->GetPeerName(there);
        constexpr uint16_t strangersPort = 1234; // of no connection at either end
        const SequenceNumber32 acknowledges(4711);
        TcpHeader stray;
        stray.SetFlags(m_flags);
        stray.SetSourcePort(strangersPort);
        stray.SetDestinationPort(InetSocketAddress::ConvertFrom(there).GetPort());
        stray.SetSequenceNumber(SequenceNumber32(99));
        stray.SetAckNumber(acknowledges);
        const std::size_t before = pair.DeviceSegments().size();
        pair.hostSocket->GetNode()->GetObject<TcpL4Protocol>()->SendPacket(Create<Packet>(),
                                                                           stray,
                                                                           here,
                                                                           there);
        pair.RunUntil(Seconds(10));
        const auto answers = pair.DeviceSegments();
        NS_TEST_ASSERT_MSG_EQ(answers.size() - before, m_refused ? 1 : 0, "answers");
        if (m_refused)
        {
            const TcpHeader& reset = answers.back().header;
            NS_TEST_EXPECT_MSG_EQ(+reset.GetFlags(), +TcpHeader::RST, "flags of the answer");
            NS_TEST_EXPECT_MSG_EQ(reset.GetSequenceNumber(), acknowledges, "its sequence number");
            NS_TEST_EXPECT_MSG_EQ(reset.GetDestinationPort(), strangersPort, "whom it is for");
        }
    }

    uint8_t m_flags; //!< of the segment
    bool m_refused;  //!< it is answered by a reset
};

constexpr uint8_t FIN_ACK = TcpHeader::FIN | TcpHeader::ACK;
constexpr uint8_t SYN_ACK = TcpHeader::SYN | TcpHeader::ACK;
constexpr uint8_t RST_ACK = TcpHeader::RST | TcpHeader::ACK;

/// The suite, which registers itself.
const Suite g_closingStatesSuite(
    "closing-states",
    {new FinAgainInLastAck("a FIN that comes again in LAST-ACK is acknowledged, and no end"),
     new FinAgainInCloseWait("a FIN that comes again in CLOSE-WAIT is acknowledged"),
     new FinAgainInTimeWait("a FIN that comes again in TIME-WAIT is acknowledged"),
     new FinAgainInClosing("a FIN that comes again in CLOSING is acknowledged, and no end"),
     new DataOutstandingInLastAck("LAST-ACK lasts until the FIN is acknowledged"),
     new ConnectionIsGone(true),
     new ConnectionIsGone(false),
     new StrayToListener("ACK", TcpHeader::ACK, true),
     new StrayToListener("FIN with ACK", FIN_ACK, true),
     new StrayToListener("SYN with ACK", SYN_ACK, true),
     new StrayToListener("FIN", TcpHeader::FIN, false),
     new StrayToListener("RST", TcpHeader::RST, false),
     new StrayToListener("RST with ACK", RST_ACK, false)});

} // namespace
