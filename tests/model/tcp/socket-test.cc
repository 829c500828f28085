/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a user of ns-3 may expect of any socket: traces of a listening socket are those of its
 * connections, and IPv6.
 */

#include "model/ethernet/interface-setup.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/double.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A trace connected to a listening socket fires for the connections that come in there.
class TracesOfAListener : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory printer("ns3::study::DeviceTcp", "AckThreshold", DoubleValue(0.75));
        Run(printer);
        NS_TEST_EXPECT_MSG_GT(m_withheld, 1, "ACKs that a device withheld");
        Run(ObjectFactory("ns3::study::DeviceTcp"));
        NS_TEST_EXPECT_MSG_EQ(m_withheld, 0, "ACKs withheld by a device that withholds none");
        Run(ObjectFactory("ns3::study::HostTcp", "QuickAcks", UintegerValue(0)));
        NS_TEST_EXPECT_MSG_GT(m_withheld, 1, "ACKs that a host withheld");
        NS_TEST_EXPECT_MSG_GT(m_limits, 5, "changes of what the host waits for");
        NS_TEST_EXPECT_MSG_GT(m_expired, 1, "delayed ACKs that a host sent");
        NS_TEST_EXPECT_MSG_GT(m_rtts, 0, "round-trip times of the handshake");
    }

    /// Send a few small segments to a listener whose traces are connected.
    void Run(const ObjectFactory& listening)
    {
        m_withheld = m_limits = m_expired = m_rtts = 0;
        bool last = false;
        TcpPair pair(ObjectFactory("ns3::study::HostTcp"), listening);
        const auto connect = [&pair](const std::string& trace, const CallbackBase& callback) {
            pair.listener->TraceConnectWithoutContext(trace, callback);
        };
        connect("AckWithheld", Callback<void, bool>([this, &last](bool withheld) {
                    NS_TEST_EXPECT_MSG_NE(withheld, last, "told what has not changed");
                    last = withheld;
                    m_withheld += withheld;
                }));
        connect("Limit", Callback<void, Limit>([this](Limit) { ++m_limits; }));
        connect("DelayedAckExpired", Callback<void>([this]() { ++m_expired; }));
        connect("RttSample", Callback<void, Time>([this](Time) { ++m_rtts; }));
        for (int i = 1; i < 4; ++i)
        {
            pair.RunUntil(Seconds(i));
            pair.WriteNow(100);
        }
        pair.RunUntil(Seconds(5));
    }

    int m_withheld; //!< times an ACK was withheld
    int m_limits;   //!< changes of what is waited for
    int m_expired;  //!< delayed-ACK timers that expired
    int m_rtts;     //!< round-trip times measured
};

/// The sockets are no worse at IPv6 than ns-3's own: a job gets through.
class OverIpv6 : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const NodeContainer nodes(2);
        const NetDeviceContainer interfaces =
            InstallCsmaSegment(nodes, DataRate("10Mbps"), NanoSeconds(500));
        InternetStackHelper().Install(nodes);
        const Ipv6InterfaceContainer addresses = Ipv6AddressHelper().Assign(interfaces);
        // 1500 less the headers of IPv6 and TCP
        ConfiguredTcpFactory::Install(
            nodes.Get(0),
            ObjectFactory("ns3::study::HostTcp", "Mss", UintegerValue(1440)));
        ConfiguredTcpFactory::Install(
            nodes.Get(1),
            ObjectFactory("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(1000)));

        constexpr uint16_t port = 9100;
        constexpr uint32_t size = 20000;
        uint32_t received = 0;
        bool closed = false;
        Ptr<Socket> listener =
            Socket::CreateSocket(nodes.Get(1), ConfiguredTcpFactory::GetTypeId());
        listener->Bind(Inet6SocketAddress(Ipv6Address::GetAny(), port));
        listener->Listen();
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([&](Ptr<Socket> socket, const Address&) {
                socket->SetRecvCallback(Callback<void, Ptr<Socket>>([&](Ptr<Socket> each) {
                    Ptr<Packet> packet = each->Recv();
                    received += packet ? packet->GetSize() : 0;
                }));
                const Callback<void, Ptr<Socket>> end([&](Ptr<Socket>) { closed = true; });
                socket->SetCloseCallbacks(end, end);
            }));
        Ptr<Socket> socket = Socket::CreateSocket(nodes.Get(0), ConfiguredTcpFactory::GetTypeId());
        socket->SetConnectCallback(Callback<void, Ptr<Socket>>([&](Ptr<Socket> each) {
                                       each->Send(Create<Packet>(size));
                                       each->Close();
                                   }),
                                   MakeNullCallback<void, Ptr<Socket>>());
        // Two seconds for the addresses to be found unique.
        Simulator::Schedule(Seconds(2), [&]() {
            socket->Connect(Inet6SocketAddress(addresses.GetAddress(1, 1), port));
        });
        Simulator::Stop(Minutes(1));
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(received, size, "bytes read");
        NS_TEST_EXPECT_MSG_EQ(closed, true, "the device was told of the end");
    }
};

const Suite g_socketSuite(
    "socket",
    {new TracesOfAListener("traces of a listening socket fire for its connections"),
     new OverIpv6("a connection over IPv6 opens, carries data and closes")}); //!< registers itself

} // namespace
