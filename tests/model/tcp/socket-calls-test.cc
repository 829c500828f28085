/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Calls of a socket, as an application of ns-3 makes them: when, in which order, and with what.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint16_t OTHER_PORT = 9101; //!< of the device, beside that of the listening socket

/// A connection that the host has written to, and what becomes of both ends.
class Ends : public TcpPair
{
  public:
    static constexpr uint32_t WRITTEN = 5000; //!< by the host, whose first octet is number 1

    Ends()
    {
        Write(WRITTEN);
        RunUntil(Seconds(1));
        const auto nothing = MakeNullCallback<void, Ptr<Socket>>();
        deviceSocket->SetCloseCallbacks(nothing, nothing);
    }

    /// Run on for some milliseconds.
    void Run(double milliseconds)
    {
        RunUntil(Simulator::Now() + MicroSeconds(1000 * milliseconds));
    }
};

/// An application that writes nothing more may still read what has come, and what comes.
class ShutDownWithUnreadData : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        ends.SetReading(false);
        ends.WriteNow(1000);
        ends.Run(1000);
        NS_TEST_EXPECT_MSG_EQ(ends.deviceSocket->ShutdownSend(), 0, "it is no error");
        ends.Run(1000);
        NS_TEST_EXPECT_MSG_EQ(ends.Count(false, TcpHeader::RST), 0, "resets");
        NS_TEST_EXPECT_MSG_EQ(ends.Count(false, TcpHeader::FIN), 1, "FINs");
        ends.WriteNow(500);
        ends.Run(1000);
        ends.SetReading(true);
        NS_TEST_EXPECT_MSG_EQ(ends.received, Ends::WRITTEN + 1500, "bytes read");
    }
};

/// A peer learns at once that a socket which has a port does not listen.
class BoundIsNotListening : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        const Ptr<Socket> bound = ends.CreateSocket(false);
        bound->Bind(InetSocketAddress(Ipv4Address::GetAny(), OTHER_PORT));
        const Ptr<Socket> socket = ends.CreateSocket(true);
        bool failed = false;
        socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                   Callback<void, Ptr<Socket>>([&](auto) { failed = true; }));
        const Address peer = ends.GetDevice(OTHER_PORT);
        socket->Connect(peer);
        ends.Run(10);
        NS_TEST_EXPECT_MSG_EQ(failed, true, "the host is refused");
        // A socket that failed to connect is as good as a new one, and so is one that has closed.
        bound->Listen();
        bool connected = false;
        socket->SetConnectCallback(Callback<void, Ptr<Socket>>([&](auto) { connected = true; }),
                                   MakeNullCallback<void, Ptr<Socket>>());
        int ended = 0;
        const Callback<void, Ptr<Socket>> end([&](auto) { ++ended; });
        socket->SetCloseCallbacks(end, end);
        uint32_t received = 0;
        bound->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([&](Ptr<Socket> each, auto) {
                each->SetRecvCallback(Callback<void, Ptr<Socket>>([&](Ptr<Socket> its) {
                    const Ptr<Packet> packet = its->Recv();
                    received += packet ? packet->GetSize() : 0;
                }));
                const Callback<void, Ptr<Socket>> close([](Ptr<Socket> its) { its->Close(); });
                each->SetCloseCallbacks(close, close);
            }));
        for (int i = 1; i <= 2; ++i)
        {
            connected = false;
            NS_TEST_EXPECT_MSG_EQ(socket->Connect(peer), 0, "connects once more");
            ends.Run(10);
            NS_TEST_EXPECT_MSG_EQ(connected, true, "and the peer accepts");
            NS_TEST_EXPECT_MSG_EQ(socket->Send(Create<Packet>(100)), 100, "written");
            socket->Close();
            ends.RunUntil(Simulator::Now() + Minutes(5));
            NS_TEST_EXPECT_MSG_EQ(received, 100 * i, "bytes read");
            NS_TEST_EXPECT_MSG_EQ(ended, i, "ends");
        }
    }
};

/// A connected socket keeps its peer. A flag that asks for what it cannot do is an error: a peek
/// would take the data off.
class RefusesCalls : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        NS_TEST_EXPECT_MSG_EQ(ends.hostSocket->Connect(ends.GetDevice(OTHER_PORT)), -1, "refused");
        NS_TEST_EXPECT_MSG_EQ(ends.hostSocket->GetErrno(), Socket::ERROR_ISCONN, "the reason");
        NS_TEST_EXPECT_MSG_EQ(ends.hostSocket->Listen(), -1, "nor does it listen");
        NS_TEST_EXPECT_MSG_EQ(ends.hostSocket->Bind(), -1, "nor get another port");
        ends.SetReading(false);
        ends.WriteNow(1000);
        ends.Run(1000);
        constexpr uint32_t peek = 2; // MSG_PEEK
        NS_TEST_EXPECT_MSG_EQ(ends.deviceSocket->Recv(100, peek), nullptr, "a peek");
        NS_TEST_EXPECT_MSG_EQ(ends.deviceSocket->GetErrno(), Socket::ERROR_OPNOTSUPP, "why");
        NS_TEST_EXPECT_MSG_EQ(ends.deviceSocket->GetRxAvailable(), 1000, "nothing is read");
        NS_TEST_EXPECT_MSG_EQ(ends.hostSocket->Send(Create<Packet>(1), 1), -1, "MSG_OOB");
        ends.SetReading(true);
        NS_TEST_EXPECT_MSG_EQ(ends.received, Ends::WRITTEN + 1000, "bytes read");
    }
};

/// The fields of IP that an application sets are in each packet.
class FieldsOfIp : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        int packets = 0;
        int right = 0;
        ends.hostSocket->GetNode()->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>, Ptr<Ipv4>, uint32_t>(
                [&](Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t) {
                    Ipv4Header header;
                    packet->PeekHeader(header);
                    ++packets;
                    right += header.GetTos() == 0x10 && header.GetTtl() == 7;
                }));
        ends.hostSocket->SetIpTos(0x10);
        ends.hostSocket->SetIpTtl(7);
        ends.WriteNow(10000);
        ends.Run(1000);
        NS_TEST_EXPECT_MSG_GT(packets, 5, "packets");
        NS_TEST_EXPECT_MSG_EQ(right, packets, "that have the fields");
        NS_TEST_EXPECT_MSG_EQ(ends.received, Ends::WRITTEN + 10000, "bytes read");
    }
};

/// What comes in at another device is not the socket's.
class BoundToDevice : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ends ends;
        const Ptr<Node> node = ends.listener->GetNode();
        const Ptr<Socket> socket = ends.CreateSocket(false);
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), OTHER_PORT));
        socket->Listen();
        socket->BindToNetDevice(node->GetObject<Ipv4>()->GetNetDevice(0));
        NS_TEST_ASSERT_MSG_NE(socket->GetBoundNetDevice(), nullptr, "the loopback");
        bool connected = false;
        const Ptr<Socket> other = ends.CreateSocket(true);
        other->SetConnectCallback(Callback<void, Ptr<Socket>>([&](auto) { connected = true; }),
                                  MakeNullCallback<void, Ptr<Socket>>());
        other->Connect(ends.GetDevice(OTHER_PORT));
        ends.Run(1000);
        NS_TEST_EXPECT_MSG_EQ(connected, false, "over the link");
    }
};

const Suite g_socketCallsSuite(
    "socket-calls",
    {new ShutDownWithUnreadData("a socket that sends nothing more reads what had come"),
     new BoundIsNotListening("a bound socket refuses; one that was refused connects again"),
     new RefusesCalls("a connected socket keeps its peer and its port, and refuses flags"),
     new FieldsOfIp("the type of service and the time to live are those of the socket"),
     new BoundToDevice("a socket of a device accepts nothing from another")}); //!< registers itself

} // namespace
