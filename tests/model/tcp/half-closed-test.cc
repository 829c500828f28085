/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How a connection ends of which one half is closed (RFC 9293, 3.10.7.4): by a FIN that comes with
 * data or before them, beside what is no FIN, no ACK of one, and no connection's.
 */

#include "ends.h"
#include "tests/suite.h"

#include "ns3/simulator.h"

#include <functional>

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t HOST_FIN = Ends::WRITTEN + 1; // and of the device, which writes nothing, 1
constexpr uint32_t LATER = 3000;                 // written when a half is closed [B]
constexpr uint8_t FIN_ACK = TcpHeader::FIN | TcpHeader::ACK;
constexpr uint8_t RST_ACK = TcpHeader::RST | TcpHeader::ACK;

/// Write and close at once, so that the FIN leaves with the last data.
void
WriteAndClose(const Ptr<Socket>& socket)
{
    socket->Send(Create<Packet>(LATER), 0);
    socket->Close();
}

void
DataWithFinInFinWait2(Ends& ends)
{
    ends.hostSocket->Close();
    ends.Run(1000);
    WriteAndClose(ends.deviceSocket);
}

void
DataWithFinInFinWait1(Ends& ends)
{
    WriteAndClose(ends.deviceSocket);
    ends.hostSocket->Close();
}

void
DataWithFinToDevice(Ends& ends)
{
    ends.deviceSocket->Close();
    ends.Run(1000);
    WriteAndClose(ends.hostSocket);
}

void
DataWithFinOnBothSides(Ends& ends)
{
    WriteAndClose(ends.hostSocket);
    WriteAndClose(ends.deviceSocket);
}

/// The first of the segments is lost, and the FIN comes before it is sent again.
void
FinBeforeData(Ends& ends)
{
    ends.hostSocket->Close();
    ends.Run(1000);
    ends.deviceSocket->Send(Create<Packet>(LATER), 0);
    ends.SetLossToHost(true);
    ends.Run(1.3);
    ends.SetLossToHost(false);
    ends.Run(0.7);
    ends.deviceSocket->Close();
}

/// A segment that is forged comes while the device's FIN is lost.
std::function<void(Ends&)>
InLastAck(uint8_t flags, uint32_t sequence, uint32_t acknowledges)
{
    return [=](Ends& ends) {
        ends.hostSocket->Close();
        ends.Run(1000);
        ends.SetLossToHost(true);
        ends.deviceSocket->Close();
        ends.Forge(flags, sequence, acknowledges);
        ends.SetLossToHost(false);
    };
}

/// Both FINs have crossed, and the device's is lost.
void
FinBeyondInClosing(Ends& ends)
{
    ends.SetLossToHost(true);
    ends.hostSocket->Close();
    ends.deviceSocket->Close();
    ends.Run(5);
    ends.Forge(FIN_ACK, HOST_FIN + 1000, 1);
    ends.SetLossToHost(false);
}

/// A FIN at another place, while the device has not closed, is answered and else nothing.
class FinBeyondInCloseWait : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        ends.hostSocket->Close();
        ends.Run(1000);
        const std::size_t before = ends.Count(false, TcpHeader::ACK);
        ends.Forge(FIN_ACK, HOST_FIN + 1000, 1);
        NS_TEST_EXPECT_MSG_EQ(ends.Count(false, TcpHeader::ACK) - before, 1, "answers");
        ends.deviceSocket->Close();
        ends.RunUntil(Minutes(30));
        NS_TEST_EXPECT_MSG_EQ(ends.device, TcpSocket::CLOSED, "the device's state");
        NS_TEST_EXPECT_MSG_EQ(ends.host, TcpSocket::CLOSED, "the host's state");
    }
};

/// A FIN that is none does not lengthen TIME-WAIT; it is acknowledged.
class FinBeyondInTimeWait : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        ends.deviceSocket->Close();
        ends.Run(1000);
        ends.hostSocket->Close();
        ends.RunUntil(Minutes(3));
        NS_TEST_ASSERT_MSG_EQ(ends.device, TcpSocket::TIME_WAIT, "the device's state");
        const std::size_t before = ends.Count(false, TcpHeader::ACK);
        ends.Forge(FIN_ACK, HOST_FIN + 1000, 2);
        NS_TEST_EXPECT_MSG_EQ(ends.Count(false, TcpHeader::ACK) - before, 1, "answers");
        ends.RunUntil(Minutes(4) + Seconds(3)); // twice the MSL of two minutes
        NS_TEST_EXPECT_MSG_EQ(ends.device, TcpSocket::CLOSED, "the device's state");
    }
};

/// A reset ends the connection whatever else it says, and has no answer.
class ResetWithAck : public TestCase
{
  public:
    /// @param closing the device has closed, too
    explicit ResetWithAck(bool closing)
        : TestCase(std::string("a reset with ACK is not answered in ") +
                   (closing ? "LAST-ACK" : "CLOSE-WAIT")),
          m_closing(closing)
    {
    }

  private:
    void DoRun() override
    {
        Ends ends;
        bool lost = false;
        const Callback<void, Ptr<Socket>> reset([&lost](Ptr<Socket>) { lost = true; });
        ends.deviceSocket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(), reset);
        ends.hostSocket->Close();
        ends.Run(1000);
        ends.SetLossToHost(true);
        if (m_closing)
        {
            ends.deviceSocket->Close();
        }
        ends.Run(1);
        ends.SetLossToHost(false);
        ends.Forge(RST_ACK, HOST_FIN + 1, 1);
        NS_TEST_EXPECT_MSG_EQ(ends.device, TcpSocket::CLOSED, "the device's state");
        NS_TEST_EXPECT_MSG_EQ(ends.Count(false, TcpHeader::RST), 0, "answers");
        NS_TEST_EXPECT_MSG_EQ(lost, !m_closing, "its application was told of a reset");
    }

    bool m_closing; //!< the device has closed, too
};

/// In CLOSING the ACK of the FIN is that whatever its own sequence number.
class AckOutOfPlaceInClosing : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        ends.SetLossToHost(true);
        ends.hostSocket->Close();
        ends.deviceSocket->Close();
        ends.Run(5);
        NS_TEST_ASSERT_MSG_EQ(ends.device, TcpSocket::CLOSING, "the device's state");
        ends.Forge(TcpHeader::ACK, HOST_FIN, 2);
        NS_TEST_EXPECT_MSG_EQ(ends.device, TcpSocket::TIME_WAIT, "the device's state");
    }
};

/// Who listens at a socket hears of every segment that the capture has.
class TracesOfTheEnd : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        std::size_t heard = 0;
        std::size_t said = 0;
        const auto count = [](std::size_t& n) {
            return CorrectedTcpSocket::SegmentListener([&n](auto&&...) { ++n; });
        };
        for (const auto& socket : {ends.deviceSocket, ends.listener})
        {
            socket->TraceConnectWithoutContext("Rx", count(heard));
            socket->TraceConnectWithoutContext("Tx", count(said));
        }
        ends.hostSocket->Close();
        ends.Run(1000);
        ends.Forge(FIN_ACK, HOST_FIN, 1); // which has come
        ends.deviceSocket->Close();
        ends.Run(1000);
        ends.Forge(TcpHeader::ACK, HOST_FIN + 1, 2); // of a connection that is gone
        NS_TEST_ASSERT_MSG_EQ(ends.Count(false, TcpHeader::RST), 1, "resets");
        NS_TEST_EXPECT_MSG_EQ(heard, ends.Count(true, 0), "segments to the device");
        NS_TEST_EXPECT_MSG_EQ(said, ends.Count(false, 0), "segments of the device");
    }
};

/// The suite, which registers itself.
const Suite g_halfClosedSuite(
    "half-closed",
    {new Ending("data and FIN in FIN-WAIT-2", DataWithFinInFinWait2, 8, LATER),
     new Ending("data and FIN in FIN-WAIT-1", DataWithFinInFinWait1, 8, LATER),
     new Ending("data and FIN in the device's FIN-WAIT-2", DataWithFinToDevice, 8),
     new Ending("data and FIN that cross data and FIN", DataWithFinOnBothSides, 14, LATER),
     new Ending("a FIN before the data", FinBeforeData, 14, LATER),
     new FinBeyondInCloseWait("a FIN beyond the peer's in CLOSE-WAIT"),
     new Ending("one in LAST-ACK", InLastAck(FIN_ACK, HOST_FIN + 1000, 1), 7),
     new Ending("one in CLOSING", FinBeyondInClosing, 11),
     new Ending("an ACK of more than was sent", InLastAck(TcpHeader::ACK, HOST_FIN + 1, 9999), 7),
     new FinBeyondInTimeWait("a FIN beyond the peer's in TIME-WAIT"),
     new ResetWithAck(true),
     new ResetWithAck(false),
     new AckOutOfPlaceInClosing("an ACK of the FIN in CLOSING, out of place"),
     new TracesOfTheEnd("Rx and Tx of what is answered outside the parent")});

} // namespace
