/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_TCP_H
#define HOST_TCP_H

#include "tcp-end.h"

namespace ns3::study
{

/// The TCP of a host of an ordinary operating system, at either end: what it sends, with which
/// pauses, and when it acknowledges.
class HostTcp : public TcpEnd
{
  public:
    static TypeId GetTypeId();

    tcp::ConnectionSettings GetSettings() const override;

  private:
    uint32_t m_hostWindow;         //!< receive window offered [B]
    uint32_t m_receiveBuffer;      //!< SO_RCVBUF; 0 for none [B]
    uint32_t m_firstWindow;        //!< what it begins with; 0 for all of it [B]
    WindowScale m_windowScale;     //!< offered in the SYN
    bool m_sack;                   //!< offered too
    bool m_timestamps;             //!< offered too
    uint32_t m_sendBuffer;         //!< data or memory written and not acknowledged [B]
    bool m_countsMemory;           //!< memory, as in Linux
    bool m_sendBufferGrows;        //!< with the congestion window, from ten segments on
    uint32_t m_sendBufferOverhead; //!< memory of a block beyond its data [B]
    bool m_nagle;                  //!< Nagle's algorithm
    bool m_minshall;               //!< with Minshall's change
    bool m_push;                   //!< PSH ends a write and a burst
    GrowthRule m_growth;           //!< how the congestion window grows and shrinks
    bool m_rack;                   //!< losses are found by time (RFC 8985)
    uint32_t m_initialWindow;      //!< congestion window at the start [segments]
    Time m_minimumRto;             //!< lower bound of the retransmission timeout
    RtoBound m_rtoBound;           //!< of which part of it
    Time m_initialRto;             //!< first timeout of a SYN
    Time m_delayedAckTimeout;      //!< longest delay of this end's own ACKs
    uint32_t m_ackFrequency;       //!< every n-th segment is acknowledged at once
    AckCount m_ackCount;           //!< which segments are acknowledged at once
    DelayedAck m_ackTimer;         //!< what the delayed-ACK timer runs from
    uint32_t m_quickAcks;          //!< first data segments acknowledged at once
    Time m_replyTime;              //!< from a segment's arrival to the first reaction
    Time m_segmentTime;            //!< between two segments sent back to back
    SmallWindowRule m_smallWindow; //!< for windows below one MSS
    bool m_halvesSegments;         //!< no segment is larger than half the largest window
    Time m_overrideTimeout;        //!< longest wait with data, a small window and no ACK to come
    bool m_resetOnFinAck;          //!< reset instead of waiting for the peer's FIN
};

} // namespace ns3::study

#endif /* HOST_TCP_H */
