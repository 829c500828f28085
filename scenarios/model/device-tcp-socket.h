/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEVICE_TCP_SOCKET_H
#define DEVICE_TCP_SOCKET_H

#include "corrected-tcp-socket.h"

#include <deque>

namespace ns3
{

/**
 * @brief The TCP of a constrained device: a small window, and ACKs that come late.
 *
 * Segments that want an answer (data, FIN, a reset, a window probe) queue for the device's
 * attention; data reach its application, and are acknowledged, when they have had it. Segments
 * that only acknowledge are handled at once. Two kinds of traffic are told apart, because the
 * measured devices do:
 *
 * - *interactive*: one segment after the other, each takes InteractiveAckLatency and gets its own
 *   ACK. So commands and their replies, and the first small writes of a job.
 * - *bulk*: from the first segment that is as large as a segment can be (the MSS), or that fills
 *   the window, until the device's application has answered. One ACK for all that has arrived,
 *   AckLatency after the first segment it covers, plus AckLatencyPerByte for each byte it covers.
 *
 * The trace of the Hawking H-PS1U supports the two kinds and does not say why they differ.
 */
class DeviceTcpSocket : public CorrectedTcpSocket
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
#if NS3_STUDY_NS3_VERSION < 345
    TypeId GetInstanceTypeId() const override;
#endif

    DeviceTcpSocket();
    /**
     * @brief Copy a listening socket for a new connection.
     * @param sock the listening socket
     */
    DeviceTcpSocket(const DeviceTcpSocket& sock);
    ~DeviceTcpSocket() override;

    int Send(Ptr<Packet> packet, uint32_t flags) override;

  protected:
    void NotifyConstructionCompleted() override;
    Ptr<TcpSocketBase> Fork() override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void SendEmptyPacket(uint8_t flags) override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;

  private:
    /// A segment that waits for the device's attention.
    struct Arrival
    {
        Ptr<Packet> segment; //!< TCP header and payload
        Address from;        //!< the sender
        Address to;          //!< this end
        uint32_t size;       //!< payload [B]
        bool probe;          //!< a window probe or keep-alive: no data, but wants an ACK
        Time arrived;        //!< when it came
    };

    /**
     * @param header the header of an arriving segment
     * @param size its payload in bytes
     * @return true if it is bulk traffic: as large as it can be, or filling the window
     */
    bool IsBulk(const TcpHeader& header, uint32_t size) const;
    /// Give the queue's head, or all of it, the time it takes.
    void ScheduleAttention();
    /// Handle one segment, or in bulk all that have arrived, and acknowledge.
    void Attend();
    /// Acknowledge, unless the application's answer has just carried the ACK.
    void AcknowledgeUnlessDone();

    uint32_t m_receiveWindow;     //!< window offered [B]
    Time m_synAckLatency;         //!< from SYN to SYN-ACK
    Time m_ackLatency;            //!< bulk: from the first segment covered to its ACK
    Time m_ackLatencyPerByte;     //!< bulk: more, for each byte covered
    Time m_interactiveAckLatency; //!< interactive: for each segment

    std::deque<Arrival> m_arrivals; //!< segments that wait
    bool m_bulk{false};             //!< traffic is bulk
    bool m_attendingBulk{false};    //!< the scheduled attention is for all that has arrived
    bool m_attending{false};        //!< in Attend(): keep back the parent's ACKs
    bool m_ackWanted{false};        //!< an ACK is owed
    EventId m_attentionEvent;       //!< Attend()
    EventId m_ackEvent;             //!< AcknowledgeUnlessDone()
    EventId m_synAckEvent;          //!< the SYN-ACK that is due
};

} // namespace ns3

#endif /* DEVICE_TCP_SOCKET_H */
