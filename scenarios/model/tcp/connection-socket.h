/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_SOCKET_H
#define CONNECTION_SOCKET_H

#include "bbr-driver.h"
#include "byte-queue.h"
#include "model/clocks/limit-clock.h"
#include "model/connection/connection.h"
#include "shared-draw.h"

#include "ns3/event-id.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/tcp-socket.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
class Ipv4;
class Ipv4EndPoint;
class Ipv4Interface;
class Ipv4Route;
class Ipv6EndPoint;
class Ipv6Interface;
class TcpL4Protocol;
} // namespace ns3

namespace ns3::study
{

/**
 * @brief ns-3's socket of a tcp::Connection: end points, headers, octets and trace sources.
 *
 * It decides nothing. It gives the connection segments, calls and expired timers, and carries out
 * its actions. A listening socket makes one for each peer, which inherits its trace listeners.
 */
class ConnectionSocket : public TcpSocket
{
  public:
    static TypeId GetTypeId();

    ConnectionSocket();
    ConnectionSocket(const ConnectionSocket& listener);
    ~ConnectionSocket() override;

    /// Listens to the trace sources Tx and Rx, as ns-3's own; the socket it is given is null.
    using SegmentListener =
        Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>;
    /// Listens to the trace source Retransmission, likewise.
    using RetransmissionListener = Callback<void,
                                            Ptr<const Packet>,
                                            const TcpHeader&,
                                            const Address&,
                                            const Address&,
                                            Ptr<const TcpSocketBase>>;

    /// TracedCallback signature for whether this end withholds an ACK, from now on.
    typedef void (*AckWithheldTracedCallback)(bool withheld);
    /// TracedCallback signature for whether the buffer holds data that is not read, from now on.
    typedef void (*HoldingTracedCallback)(bool holds);
    /// TracedCallback signature for what the sender waits for, from now on.
    typedef void (*LimitTracedCallback)(Limit limit);
    /// TracedCallback signature for what the send buffer holds [B], from now on.
    typedef void (*BufferTracedCallback)(uint32_t held);

    /// Set the node and the numbers of this end. @param settings before it binds
    void Install(Ptr<Node> node, const tcp::ConnectionSettings& settings);
    /// Fix the streams of the random numbers. @return how many there are
    int64_t AssignStreams(int64_t stream);

    /// @return the connection
    const tcp::Connection& GetConnection() const;
    /// @return octets of the application that the peer has acknowledged
    uint64_t GetAcknowledged() const;
    /// @return the clock that splits this connection's time
    LimitClock& GetLimitClock();
    /// @return data segments sent, retransmissions included
    uint64_t GetSegmentsSent() const;
    /// @return segments that have come
    uint64_t GetSegmentsReceived() const;
    /// @return window probes sent since the socket was made
    uint32_t GetWindowProbes() const;
    /// @return true while this end will send again of its own accord, or else give up
    bool IsRetransmitting() const;
    /// @return one sentence on what the sender waits for, with the numbers that show it
    std::string DescribeWait() const;
    /// @return for how long an ACK is withheld at most
    Time GetDelayedAckTimeout() const;

    /// Time was skipped: so many cycles, in each of which these round trips would be measured.
    void Skip(Time time, const std::vector<Time>& samples, uint64_t cycles);

    // Socket
    SocketErrno GetErrno() const override;
    SocketType GetSocketType() const override;
    Ptr<Node> GetNode() const override;
    int Bind() override;
    int Bind6() override;
    int Bind(const Address& address) override;
    int Connect(const Address& address) override;
    int Listen() override;
    int Close() override;
    int ShutdownSend() override;
    int ShutdownRecv() override;
    int Send(Ptr<Packet> packet, uint32_t flags) override;
    int SendTo(Ptr<Packet> packet, uint32_t flags, const Address& to) override;
    Ptr<Packet> Recv(uint32_t maxSize, uint32_t flags) override;
    Ptr<Packet> RecvFrom(uint32_t maxSize, uint32_t flags, Address& from) override;
    uint32_t GetTxAvailable() const override;
    uint32_t GetRxAvailable() const override;
    int GetSockName(Address& address) const override;
    int GetPeerName(Address& address) const override;
    void BindToNetDevice(Ptr<NetDevice> device) override;
    bool SetAllowBroadcast(bool allow) override;
    bool GetAllowBroadcast() const override;

  private:
    // TcpSocket's attributes have the values of the settings. TcpNoDelay alone can be set.

    /// Warn that an attribute is set without effect.
    void Ignore(const std::string& attribute) const;
    void SetSndBufSize(uint32_t size) override;
    uint32_t GetSndBufSize() const override;
    void SetRcvBufSize(uint32_t size) override;
    uint32_t GetRcvBufSize() const override;
    void SetSegSize(uint32_t size) override;
    uint32_t GetSegSize() const override;
    void SetInitialSSThresh(uint32_t threshold) override;
    uint32_t GetInitialSSThresh() const override;
    void SetInitialCwnd(uint32_t segments) override;
    uint32_t GetInitialCwnd() const override;
    void SetConnTimeout(Time timeout) override;
    Time GetConnTimeout() const override;
    void SetSynRetries(uint32_t count) override;
    uint32_t GetSynRetries() const override;
    void SetDataRetries(uint32_t count) override;
    uint32_t GetDataRetries() const override;
    void SetDelAckTimeout(Time timeout) override;
    Time GetDelAckTimeout() const override;
    void SetDelAckMaxCount(uint32_t count) override;
    uint32_t GetDelAckMaxCount() const override;
    void SetTcpNoDelay(bool noDelay) override;
    bool GetTcpNoDelay() const override;
    void SetPersistTimeout(Time timeout) override;
    Time GetPersistTimeout() const override;

    /// Forget the connection before, if there was one.
    void Renew();
    /// @return true if it has an end point
    bool IsBound() const;
    /// Have an end point call this socket. @return 0, or -1 if there is none
    int Watch();
    /// Give the end point back.
    void Release();
    /// @return the route to the peer of IPv4; null if there is none, and the error says why
    Ptr<Ipv4Route> FindRoute(SocketErrno& error) const;
    /// Find the local address towards the peer. @return false if there is no route
    bool Route();
    void ForwardUp(Ptr<Packet> packet, Ipv4Header header, uint16_t port, Ptr<Ipv4Interface> in);
    void ForwardUp6(Ptr<Packet> packet, Ipv6Header header, uint16_t port, Ptr<Ipv6Interface> in);
    /// A segment has come.
    void Receive(Ptr<Packet> packet, const Address& from, const Address& to);
    /// Answer a segment that belongs to no connection by a reset (RFC 9293, 3.10.7.1).
    void Refuse(Ptr<const Packet> packet,
                const tcp::Segment& segment,
                const Address& from,
                const Address& to);
    /// A segment has come to a listening socket.
    void Accept(Ptr<Packet> packet,
                const tcp::Segment& segment,
                const Address& from,
                const Address& to);
    /// Give the connection a segment that has come.
    void Take(Ptr<Packet> packet, const tcp::Segment& segment);
    /// Keep the octets of a segment until they are delivered.
    void Keep(Ptr<Packet> packet, const tcp::Segment& segment);

    /// @return the connection's time
    Nanos Now() const;
    /// Give the connection an event, and see to all that follows of it.
    void Drive(const tcp::Event& event);
    void Do(const tcp::Send& send);
    void Do(const tcp::Deliver& deliver);
    void Do(const tcp::Acknowledged& acknowledged);
    void Do(const tcp::TellRoom& room);
    void Do(const tcp::Enter& enter);
    void Do(const tcp::Tell& tell);
    void Do(const tcp::WantDraw& want);
    void Do(const tcp::Note& note);
    void Do(const tcp::Heard& heard);
    /// Let BBR decide, if it does.
    void Steer();
    /// Set what the application wants of IP: type of service, time to live, priority.
    void SetFieldsOfIp(Ptr<Packet> packet) const;
    /// Hand a segment to IP.
    void Transmit(Ptr<Packet> packet, TcpHeader header, bool again);
    /// Tell clocks and traces what has changed.
    void TellChanges();
    /// Have the connection's next timer expire.
    void Schedule();
    /// Have no timer expire any more.
    void CancelEvents();
    void Expire();

    Ptr<Node> m_node;                            //!< of this end
    Ptr<TcpL4Protocol> m_tcp;                    //!< its TCP
    Ptr<Ipv4> m_ipv4;                            //!< its IPv4
    bool m_checksums{false};                     //!< its segments have one
    tcp::ConnectionSettings m_settings;          //!< its numbers
    mutable tcp::Connection m_connection;        //!< what decides; it notes a writer without room
    mutable tcp::Actions m_actions;              //!< to be carried out
    bool m_driving{false};                       //!< they are being
    bool m_listening{false};                     //!< for peers
    bool m_passive{false};                       //!< the peer has connected
    bool m_shutDown{false};                      //!< the application writes no more
    Ipv4EndPoint* m_endPoint{nullptr};           //!< in TcpL4Protocol
    Ipv6EndPoint* m_endPoint6{nullptr};          //!< or this
    mutable SocketErrno m_errno{ERROR_NOTERROR}; //!< of the last call
    std::vector<std::pair<Nanos, EventId>> m_events; //!< Expire(), the next one last
    ByteQueue m_toSend;                              //!< octets written, not acknowledged
    ByteQueue m_received;                            //!< octets that have come, not read
    uint64_t m_acknowledged{0};                      //!< octets [B]
    uint64_t m_read{1};                              //!< offset of the next octet to read
    uint32_t m_available{0};                         //!< octets that may be read [B]
    uint64_t m_segmentsSent{0};                      //!< those with data
    uint64_t m_segmentsReceived{0};                  //!< all
    uint32_t m_probes{0};                            //!< window probes sent
    SharedDraw m_draw; //!< draws for a listening socket and its connections

    std::unique_ptr<BbrDriver> m_bbr; //!< the congestion control, if it is BBR
    int64_t m_stream{-1};             //!< of its random numbers

    LimitClock m_clock;                          //!< what the sender waited for
    Limit m_limit{Limit::HANDSHAKE};             //!< what it waits for
    bool m_ackWithheld{false};                   //!< this end withholds an ACK
    bool m_holds{false};                         //!< octets are not read
    uint32_t m_buffered{0};                      //!< octets in the send buffer [B]
    TracedValue<TcpStates_t> m_state{CLOSED};    //!< of the connection
    TracedValue<SequenceNumber32> m_highestAck;  //!< of the peer
    TracedValue<uint32_t> m_congestionWindow{0}; //!< [B]
    TracedValue<uint32_t> m_threshold{0};        //!< of slow start [B]
    TracedValue<uint32_t> m_inFlight{0};         //!< [B]
    TracedValue<uint32_t> m_peersWindow{0};      //!< [B]
    TracedValue<Time> m_rto;                     //!< retransmission timeout
    TracedValue<Time> m_rtt;                     //!< last round trip
    TracedValue<TcpSocketState::TcpCongState_t> m_congestionState{TcpSocketState::CA_OPEN};
    TracedCallback<Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>> m_tx;
    TracedCallback<Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>> m_rx;
    TracedCallback<Ptr<const Packet>,
                   const TcpHeader&,
                   const Address&,
                   const Address&,
                   Ptr<const TcpSocketBase>>
        m_retransmission;
    TracedCallback<Time> m_rttSample;
    TracedCallback<bool> m_ackWithheldTrace;
    TracedCallback<bool> m_holdsTrace;
    TracedCallback<Limit> m_limitTrace;
    TracedCallback<uint32_t> m_bufferTrace;
    TracedCallback<> m_delayedAck;
};

} // namespace ns3::study

#endif /* CONNECTION_SOCKET_H */
