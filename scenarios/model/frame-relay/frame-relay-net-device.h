/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_NET_DEVICE_H
#define FRAME_RELAY_NET_DEVICE_H

#include "model/proof/state-record.h"
#include "nbma-net-device.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

namespace ns3::study
{

class FrameRelayChannel;

/**
 * @brief One end of a frame-relay line: a router's interface, or a port of a FrameRelaySwitch.
 *
 * A packet gets the encapsulation of RFC 2427 and an address field (Q.922), waits in a queue, and
 * takes its transmission time.
 *
 * A frame is known to the stack as address field and what follows. On the line there are besides
 * the frame check sequence (2 octets), one flag between two frames (1 octet) and, between flags, a
 * zero bit after every five ones (Q.922, 2.2 to 2.7), so n octets take
 *
 *     (8 (n + 2) (1 + StuffedBits) + 8) / DataRate
 *
 * How many zeros depends on the bits; only their expected fraction is modelled. In bits that are
 * zero or one alike the wait for five ones in a row is 2 + 4 + 8 + 16 + 32 = 62 bits, and after the
 * stuffed zero the count begins anew: a fraction of 1/62. Data all of zeros would need none, data
 * all of ones a fifth.
 */
class FrameRelayNetDevice : public NbmaNetDevice
{
  public:
    static TypeId GetTypeId();

    /// What a switch does with a whole frame that has arrived at a port.
    using FrameHandler = Callback<void, Ptr<FrameRelayNetDevice>, Ptr<Packet>>;

    /// Connect to a line.
    void Attach(Ptr<FrameRelayChannel> channel);
    /// Set where frames wait for the line.
    void SetQueue(Ptr<Queue<Packet>> queue);
    /// @return where frames wait for the line; the one that is being sent is not in it any more
    Ptr<Queue<Packet>> GetQueue() const;
    /// Make this a port: whole frames go to a handler, none to the node.
    void SetFrameHandler(FrameHandler handler);
    /// Send a frame that has its address field, or drop it and return false.
    bool SendFrame(Ptr<Packet> frame);
    /// The last bit of a frame has arrived.
    void Receive(Ptr<Packet> frame);
    /// @param size of a frame, address field included, frame check sequence not [B]
    /// @return how long the line is busy with it
    Time GetTransmissionTime(uint32_t size) const;
    /// Add what decides when a frame that is sent now is on the line.
    void Describe(StateRecord& state) const;
    /// @return what the line carries
    DataRate GetDataRate() const;

    Ptr<Channel> GetChannel() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol) override;

  protected:
    void DoDispose() override;

  private:
    /// Send the next frame that waits, if the line is free.
    void TransmitNext();
    /// The last bit is on the line.
    void TransmissionEnded();
    /// Hand the packet in a frame to the node.
    void HandUp(Ptr<Packet> frame);

    DataRate m_rate;            //!< what this end sends
    double m_stuffedBits;       //!< zeros inserted, as a fraction of the bits between flags
    Time m_nodeLatency;         //!< the node's own time for a packet
    Ptr<Queue<Packet>> m_queue; //!< frames that wait for the line
    Ptr<ErrorModel> m_receiveErrorModel; //!< which frames arrive damaged

    Ptr<FrameRelayChannel> m_channel;                   //!< the line
    Ptr<Packet> m_onLine;                               //!< the frame that is being sent
    Time m_free;                                        //!< when the line is or was free
    FrameHandler m_frameHandler;                        //!< the switch, if this is a port
    TracedCallback<Ptr<const Packet>> m_macTx;          //!< a frame is handed to the interface
    TracedCallback<Ptr<const Packet>> m_macTxDrop;      //!< it finds no room
    TracedCallback<Ptr<const Packet>> m_macRx;          //!< one is passed to the node
    TracedCallback<Ptr<const Packet>> m_macRxDrop;      //!< one is not: its header tells nothing
    TracedCallback<Ptr<const Packet>> m_phyTxBegin;     //!< first bit sent
    TracedCallback<Ptr<const Packet>> m_phyTxEnd;       //!< last bit sent
    TracedCallback<Ptr<const Packet>> m_phyRxEnd;       //!< last bit arrived
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;      //!< arrived damaged
    TracedCallback<Ptr<const Packet>> m_promiscSniffer; //!< on the line, either way
};

} // namespace ns3::study

#endif /* FRAME_RELAY_NET_DEVICE_H */
