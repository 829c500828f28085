/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENDS_H
#define ENDS_H

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>
#include <functional>

namespace ns3::study
{

/// A connection that the host has written to, and what becomes of both ends.
class Ends : public TcpPair
{
  public:
    static constexpr uint32_t WRITTEN = 5000; //!< by the host, whose first octet is number 1

    Ends()
        : TcpPair(ObjectFactory("ns3::study::HostTcpSocket"),
                  ObjectFactory("ns3::study::DeviceTcpSocket"))
    {
        Write(WRITTEN);
        RunUntil(Seconds(1));
        const auto nothing = MakeNullCallback<void, Ptr<Socket>>();
        deviceSocket->SetCloseCallbacks(nothing, nothing);
        hostSocket->GetSockName(m_here); // while it has one
        hostSocket->GetPeerName(m_there);
        Follow(hostSocket, host);
        Follow(deviceSocket, device);
    }

    /// Run on for some milliseconds.
    void Run(double milliseconds)
    {
        RunUntil(Simulator::Now() + MicroSeconds(1000 * milliseconds));
    }

    /// Send the device a segment that the host's socket knows nothing of.
    void Forge(uint8_t flags, uint32_t sequence, uint32_t acknowledges)
    {
        TcpHeader header;
        header.SetFlags(flags);
        header.SetSourcePort(InetSocketAddress::ConvertFrom(m_here).GetPort());
        header.SetDestinationPort(InetSocketAddress::ConvertFrom(m_there).GetPort());
        header.SetSequenceNumber(SequenceNumber32(sequence));
        header.SetAckNumber(SequenceNumber32(acknowledges));
        header.SetWindowSize(32120);
        hostSocket->GetNode()->GetObject<TcpL4Protocol>()->SendPacket(Create<Packet>(),
                                                                      header,
                                                                      m_here,
                                                                      m_there);
        Run(5);
    }

    /// @return how many segments with these flags an end has sent since it had written
    std::size_t Count(bool fromHost, uint8_t flags) const
    {
        return std::count_if(seen.begin(), seen.end(), [=](const SeenSegment& each) {
            return each.fromHost == fromHost && each.time >= Seconds(1) &&
                   (each.header.GetFlags() & flags) == flags;
        });
    }

    /// @return what the host's application can read [B]
    uint32_t ReadAtHost() const
    {
        Ptr<Packet> packet = hostSocket->Recv(UINT32_MAX, 0);
        return packet ? packet->GetSize() : 0;
    }

    TcpSocket::TcpStates_t host{TcpSocket::ESTABLISHED};   //!< its state
    TcpSocket::TcpStates_t device{TcpSocket::ESTABLISHED}; //!< its state

  private:
    /// Keep a socket's state.
    static void Follow(Ptr<TcpSocketBase> socket, TcpSocket::TcpStates_t& state)
    {
        socket->TraceConnectWithoutContext(
            "State",
            Callback<void, TcpSocket::TcpStates_t, TcpSocket::TcpStates_t>(
                [&state](TcpSocket::TcpStates_t, TcpSocket::TcpStates_t now) { state = now; }));
    }

    Address m_here;  //!< the host's end
    Address m_there; //!< the device's
};

/// What an end says, and that it ends.
class Ending : public TestCase
{
  public:
    /**
     * @param name what is shown
     * @param act what happens
     * @param most segments after the host had written
     * @param toHost what its application then reads [B]
     */
    Ending(const std::string& name,
           const std::function<void(Ends&)>& act,
           std::size_t most,
           uint32_t toHost = 0)
        : TestCase(name),
          m_act(act),
          m_most(most),
          m_toHost(toHost)
    {
    }

  private:
    void DoRun() override
    {
        Ends ends;
        m_act(ends);
        ends.RunUntil(Minutes(30));
        NS_TEST_EXPECT_MSG_EQ(ends.device, TcpSocket::CLOSED, "the device's state");
        NS_TEST_EXPECT_MSG_EQ(ends.host, TcpSocket::CLOSED, "the host's state");
        NS_TEST_EXPECT_MSG_EQ(ends.hostClosed, true, "the host was told of the end");
        NS_TEST_EXPECT_MSG_EQ(ends.Count(false, TcpHeader::RST), 0, "resets");
        NS_TEST_EXPECT_MSG_EQ(ends.Count(true, TcpHeader::RST), 0, "resets of the host");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(ends.Count(true, 0) + ends.Count(false, 0), m_most, "segments");
        NS_TEST_EXPECT_MSG_EQ(ends.ReadAtHost(), m_toHost, "bytes to the host");
    }

    std::function<void(Ends&)> m_act; //!< what happens
    std::size_t m_most;               //!< segments
    uint32_t m_toHost;                //!< what the host reads [B]
};

} // namespace ns3::study

#endif /* ENDS_H */
