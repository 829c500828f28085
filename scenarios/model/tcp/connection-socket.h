/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_SOCKET_H
#define CONNECTION_SOCKET_H

#include "bbr-driver.h"
#include "byte-queue.h"
#include "shared-draw.h"
#include "traced-socket.h"

#include "ns3/event-impl.h"
#include "ns3/ipv4.h"
#include "ns3/tcp-l4-protocol.h"

#include <memory>
#include <vector>

namespace ns3::study
{

/**
 * @brief ns-3's socket of a tcp::Connection: end points, packets, octets and calls.
 *
 * It decides nothing. It gives the connection segments, calls and expired timers, and carries out
 * its actions. A listening socket makes one for each peer, which inherits its trace listeners.
 */
class ConnectionSocket : public TracedSocket
{
  public:
    static TypeId GetTypeId();

    ConnectionSocket() = default;
    ConnectionSocket(const ConnectionSocket& listener);
    ~ConnectionSocket() override;

    /// What has passed since the socket was made.
    struct Counts
    {
        uint64_t sent{0};     //!< data segments, retransmissions included
        uint64_t received{0}; //!< segments
        uint32_t probes{0};   //!< window probes sent
    };

    /// Set the node and the numbers of this end. @param settings before it binds
    void Install(Ptr<Node> node, const tcp::ConnectionSettings& settings);
    /// Fix the streams of the random numbers. @return how many there are
    int64_t AssignStreams(int64_t stream);

    /// @return octets of the application that the peer has acknowledged
    uint64_t GetAcknowledged() const
    {
        return m_acknowledged;
    }

    /// @return the clock that splits this connection's time
    LimitClock& GetLimitClock()
    {
        return m_clock;
    }

    /// @return what has passed
    const Counts& GetCounts() const
    {
        return m_counts;
    }

    /// Write octets of the application, which are the socket's from now on. @param octets null for
    /// zeros @return as Send()
    int Write(uint32_t size, Ptr<Packet> octets);
    /// @return octets written that may be taken back, while nobody writes, and nothing is sent
    ///         otherwise for it [B]
    uint32_t CountFar() const;
    /// The last of those octets are not written after all.
    void TakeBack(uint32_t octets);
    /// Time was skipped: so many cycles, in each of which these round trips would be measured.
    void Skip(Time time, const std::vector<Nanos>& samples, uint64_t cycles);

    // Socket
    SocketErrno GetErrno() const override
    {
        return m_errno;
    }

    SocketType GetSocketType() const override
    {
        return NS3_SOCK_STREAM;
    }

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    int Bind() override;
    int Bind6() override;
    int Bind(const Address& address) override;
    int Connect(const Address& address) override;
    int Listen() override;
    int Close() override;
    int ShutdownSend() override;
    int ShutdownRecv() override;
    int Send(Ptr<Packet> packet, uint32_t flags) override;

    int SendTo(Ptr<Packet> packet, uint32_t flags, const Address& /* to */) override
    {
        return Send(packet, flags);
    }

    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    Ptr<Packet> RecvFrom(uint32_t maxSize, uint32_t flags, Address& from) override;
    uint32_t GetTxAvailable() const override;

    uint32_t GetRxAvailable() const override
    {
        return m_available;
    }

    int GetSockName(Address& address) const override;
    int GetPeerName(Address& address) const override;
    void BindToNetDevice(Ptr<NetDevice> device) override;

    bool SetAllowBroadcast(bool allow) override
    {
        return !allow;
    }

    bool GetAllowBroadcast() const override
    {
        return false;
    }

  private:
    // connection-calls.cc
    /// A call has failed. @return -1
    int Fail(SocketErrno error) const;

    // connection-end-point.cc, for either version of IP
    /// Have an end point call this socket. @return 0, or -1 if there is none
    int Watch();
    /// Have this one call it. @tparam Header, @tparam Interface of its version of IP
    template <typename Header, typename Interface, typename EndPoint>
    void WatchAs(EndPoint*& endPoint);
    /// Give the end point back, and have no timer expire any more.
    void Release();
    /// Find the local address towards the peer. @return false if there is no route
    bool Route();
    /// A packet has come.
    template <typename IpAddress>
    void ForwardUp(const Ptr<Packet>& packet, IpAddress own, IpAddress peer);
    /// A segment of no connection has come: accept the peer, or answer by a reset (RFC 9293,
    /// 3.10.7.1 and 3.10.7.2).
    template <typename IpAddress>
    void Greet(Ptr<Packet> packet, const tcp::Segment& segment, IpAddress own, IpAddress peer);
    /// Set what the application wants of IP: type of service, time to live, priority.
    void SetFieldsOfIp(Ptr<Packet> packet) const;
    /// Hand a segment to IP.
    void Transmit(Ptr<Packet> packet, TcpHeader header, bool again);

    // connection-socket.cc
    /// Give the connection a segment that has come.
    void Take(Ptr<Packet> packet, const tcp::Segment& segment);
    /// Keep the octets of a segment until they are delivered.
    void Keep(Ptr<Packet> packet, const tcp::Segment& segment);

    /// Tell the connection of an event, and see to all that follows of it.
    /// @param event one of its functions, @param values what it takes before the step
    template <typename Event, typename... Values>
    void Drive(Event event, const Values&... values)
    {
        (m_connection.*event)(values..., tcp::Step{GetNow(), m_actions});
        CarryOut();
    }

    /// Do all that the connection asks for, and what comes of that.
    void CarryOut();
    void Do(const tcp::Send& send);
    void Do(const tcp::Deliver& deliver);
    void Do(const tcp::Acknowledged& acknowledged);
    void Do(const tcp::TellRoom& room);
    void Do(const tcp::Enter& enter);
    void Do(const tcp::Tell& tell);
    void Do(const tcp::WantDraw& want);
    void Do(const tcp::Note& note);
    void Do(const tcp::Heard& heard);
    /// Let BBR decide, which does.
    void Steer();
    /// Have the connection's next timer expire.
    void Schedule(Nanos now);
    void Expire();

    Ptr<Node> m_node;                            //!< of this end
    Ptr<TcpL4Protocol> m_tcp;                    //!< its TCP
    Ptr<Ipv4> m_ipv4;                            //!< its IPv4
    bool m_checksums{false};                     //!< its segments have one
    tcp::Actions m_actions;                      //!< to be carried out
    tcp::Actions m_carriedOut;                   //!< they are being
    bool m_driving{false};                       //!< some are
    bool m_listening{false};                     //!< for peers
    bool m_passive{false};                       //!< the peer has connected
    bool m_shutDown{false};                      //!< the application writes no more
    Ipv4EndPoint* m_endPoint{nullptr};           //!< in TcpL4Protocol
    Ipv6EndPoint* m_endPoint6{nullptr};          //!< or this
    mutable SocketErrno m_errno{ERROR_NOTERROR}; //!< of the last call
    Ptr<EventImpl> m_expire;                     //!< calls Expire(), each time anew
    std::vector<Nanos> m_events;                 //!< when it does, the next one last
    ByteQueue m_toSend;                          //!< octets written, not acknowledged
    ByteQueue m_received;                        //!< octets that have come, not read
    uint64_t m_acknowledged{0};                  //!< octets [B]
    uint64_t m_read{1};                          //!< offset of the next octet to read
    uint32_t m_available{0};                     //!< octets that may be read [B]
    Counts m_counts;                             //!< what has passed
    SharedDraw m_draw;                //!< draws for a listening socket and its connections
    int64_t m_stream{-1};             //!< of its random numbers
    std::unique_ptr<BbrDriver> m_bbr; //!< the congestion control, if it is BBR
    LimitClock m_clock;               //!< what the sender waited for
};

} // namespace ns3::study

#endif /* CONNECTION_SOCKET_H */
