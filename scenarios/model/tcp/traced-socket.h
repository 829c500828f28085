/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACED_SOCKET_H
#define TRACED_SOCKET_H

#include "model/clocks/limit-clock.h"
#include "model/connection/connection.h"

#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/tcp-socket.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <string>

namespace ns3::study
{

/// An attribute of TcpSocket that a connection's settings say: setting it has no effect.
#define SAID_BY_SETTINGS(Type, Name, VALUE)                                                        \
    void Set##Name(Type) override                                                                  \
    {                                                                                              \
        Ignore(#Name);                                                                             \
    }                                                                                              \
                                                                                                   \
    Type Get##Name() const override                                                                \
    {                                                                                              \
        return VALUE;                                                                              \
    }

/// A tcp::Connection with the attributes and the trace sources of ns-3's TCP sockets. A copy has
/// the same listeners.
class TracedSocket : public TcpSocket
{
  public:
    static TypeId GetTypeId();

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

    /// TracedCallback signature for whether something is so, from now on.
    typedef void (*StateTracedCallback)(bool is);
    /// TracedCallback signature for what the sender waits for, from now on.
    typedef void (*LimitTracedCallback)(Limit limit);
    /// TracedCallback signature for what the send buffer holds [B], from now on.
    typedef void (*BufferTracedCallback)(uint32_t held);

    /// @return the connection
    const tcp::Connection& GetConnection() const
    {
        return m_connection;
    }

    /// @return the instant, as a connection has it: ns-3's default resolution is its unit
    static Nanos GetNow()
    {
        return Nanos(Simulator::Now().GetTimeStep());
    }

    /// @return an interval of a connection
    static Time ToTime(Nanos interval)
    {
        return TimeStep(interval.count());
    }

  protected:
    /// Tell the listeners and a clock what is new.
    /// @param changes more may be than what the sender waits for
    /// @param holds octets wait for the application
    /// @param clock splits the sender's time
    void TellChanges(bool changes, bool holds, LimitClock& clock);

    tcp::Connection m_connection{tcp::ConnectionSettings()}; //!< what decides
    TracedValue<TcpStates_t> m_state{CLOSED};                //!< of the connection
    TracedValue<SequenceNumber32> m_highestAck;              //!< of the peer
    TracedCallback<Time> m_rttSample;                        //!< a round trip is measured
    TracedCallback<> m_delayedAck;                           //!< that timer has expired
    TracedCallback<Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>> m_tx; //!< sent
    TracedCallback<Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>> m_rx; //!< come
    TracedCallback<Ptr<const Packet>,
                   const TcpHeader&,
                   const Address&,
                   const Address&,
                   Ptr<const TcpSocketBase>>
        m_retransmission; //!< sent again

  private:
    SAID_BY_SETTINGS(uint32_t, SndBufSize, GetSettings().sendBuffer)
    SAID_BY_SETTINGS(uint32_t, RcvBufSize, GetSettings().window)
    SAID_BY_SETTINGS(uint32_t, SegSize, GetSettings().mss)
    SAID_BY_SETTINGS(uint32_t, InitialSSThresh, CongestionState().threshold)
    SAID_BY_SETTINGS(uint32_t, InitialCwnd, GetSettings().recovery.initialWindow)
    SAID_BY_SETTINGS(Time, ConnTimeout, ToTime(GetSettings().recovery.timeout.initial))
    SAID_BY_SETTINGS(uint32_t, SynRetries, GetSettings().synRetries)
    SAID_BY_SETTINGS(uint32_t, DataRetries, GetSettings().dataRetries)
    SAID_BY_SETTINGS(Time, DelAckTimeout, ToTime(GetSettings().acks.timeout))
    SAID_BY_SETTINGS(uint32_t, DelAckMaxCount, GetSettings().acks.frequency)
    SAID_BY_SETTINGS(Time, PersistTimeout, ToTime(GetSettings().firstPersist))
    void SetTcpNoDelay(bool noDelay) override;
    bool GetTcpNoDelay() const override;

    /// @return what the attributes say
    const tcp::ConnectionSettings& GetSettings() const
    {
        return m_connection.GetSettings();
    }

    /// Warn that an attribute is set without effect.
    void Ignore(const std::string& attribute) const;

    Limit m_limit{Limit::HANDSHAKE};             //!< what the sender waits for
    uint32_t m_buffered{0};                      //!< octets in the send buffer [B]
    bool m_ackWithheld{false};                   //!< this end withholds an ACK
    bool m_holds{false};                         //!< octets are not read
    TracedValue<uint32_t> m_congestionWindow{0}; //!< [B]
    TracedValue<uint32_t> m_threshold{0};        //!< of slow start [B]
    TracedValue<uint32_t> m_inFlight{0};         //!< [B]
    TracedValue<uint32_t> m_peersWindow{0};      //!< [B]
    TracedValue<Time> m_rto;                     //!< retransmission timeout
    TracedValue<Time> m_rtt;                     //!< last round trip
    TracedValue<TcpSocketState::TcpCongState_t> m_congestionState{TcpSocketState::CA_OPEN};
    TracedCallback<uint32_t> m_bufferTrace;
    TracedCallback<bool> m_ackWithheldTrace;
    TracedCallback<bool> m_holdsTrace;
    TracedCallback<Limit> m_limitTrace;
};

} // namespace ns3::study

#endif /* TRACED_SOCKET_H */
