/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The end of a connection where segments of it are lost (RFC 9293, 3.6 and 3.10.7): a FIN that
 * comes again is acknowledged again, a connection lasts until its own FIN is acknowledged, and
 * whoever speaks to a connection that is gone is told so.
 */

#include "ends.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

/**
 * The device's ACK of the FIN and its own FIN are lost, so the host says FIN again. A device that
 * takes that for the end is gone, and the host repeats its FIN for ever: so hung one live job of
 * ten thousand.
 */
void
FinAgainInLastAck(Ends& ends)
{
    ends.SetLossToHost(true);
    ends.hostSocket->Close();
    ends.Run(1);
    ends.deviceSocket->Close();
    ends.Run(300); // the FIN, and again after the least RTO of 200 ms
    ends.SetLossToHost(false);
}

/// The device closes later than the host, and its ACK of the host's FIN is lost.
void
FinAgainInCloseWait(Ends& ends)
{
    ends.SetLossToHost(true);
    ends.hostSocket->Close();
    ends.Run(100);
    ends.SetLossToHost(false);
    ends.Run(20000);
    ends.deviceSocket->Close();
}

/// The device closes first, and its last ACK is lost: it waits for that, and says it again.
void
FinAgainInTimeWait(Ends& ends)
{
    ends.deviceSocket->Close();
    ends.Run(1000);
    ends.SetLossToHost(true);
    ends.hostSocket->Close();
    ends.Run(100);
    ends.SetLossToHost(false);
}

/// Both close at once and both FINs are lost on the way to the host, with the ACK of the host's.
void
FinAgainInClosing(Ends& ends)
{
    ends.SetLossToHost(true);
    ends.hostSocket->Close();
    ends.deviceSocket->Close();
    ends.Run(210); // the host's FIN has come twice, the device's has not
    ends.SetLossToHost(false);
}

/**
 * The host has closed its half; the device sends two segments and closes. The second of them and
 * the FIN are lost. The ACK of the first one is not that of the FIN.
 */
void
DataOutstandingInLastAck(Ends& ends)
{
    ends.hostSocket->Close();
    ends.Run(1000);
    ends.deviceSocket->Send(Create<Packet>(1000), 0);
    ends.RunUntil(Simulator::Now() + NanoSeconds(10)); // or else the two would be one
    ends.deviceSocket->Send(Create<Packet>(700), 0);
    ends.Run(0.5);
    ends.deviceSocket->Close();
    ends.Run(0.4); // the first has arrived, of 0.85 ms
    ends.SetLossToHost(true);
    ends.Run(9); // and its ACK, too
    ends.SetLossToHost(false);
}

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
        const auto answers = pair.DeviceSegments();
        const auto resets = std::count_if(answers.begin(), answers.end(), [](const auto& each) {
            return each.header.GetFlags() & TcpHeader::RST;
        });
        NS_TEST_EXPECT_MSG_EQ(resets, 1, "resets that arrive");
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
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket"),
                     ObjectFactory("ns3::study::DeviceTcpSocket"));
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
    {new Ending("a FIN again in LAST-ACK is acknowledged, and no end", FinAgainInLastAck, 6),
     new Ending("a FIN again in CLOSE-WAIT is acknowledged", FinAgainInCloseWait, 5),
     new Ending("a FIN again in TIME-WAIT is acknowledged", FinAgainInTimeWait, 5),
     new Ending("a FIN again in CLOSING is acknowledged, and no end", FinAgainInClosing, 6),
     new Ending("LAST-ACK lasts until the FIN is acknowledged", DataOutstandingInLastAck, 8, 1700),
     new ConnectionIsGone(true),
     new ConnectionIsGone(false),
     new StrayToListener("ACK", TcpHeader::ACK, true),
     new StrayToListener("FIN with ACK", FIN_ACK, true),
     new StrayToListener("SYN with ACK", SYN_ACK, true),
     new StrayToListener("FIN", TcpHeader::FIN, false),
     new StrayToListener("RST", TcpHeader::RST, false),
     new StrayToListener("RST with ACK", RST_ACK, false)});

} // namespace
