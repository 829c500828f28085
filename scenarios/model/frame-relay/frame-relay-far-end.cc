/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a frame-relay network tells of the end that nobody watches: when a packet was there, or that
 * it never will be.
 */

#include "frame-relay-header.h"
#include "frame-relay-net-device.h"
#include "frame-relay-switch.h"
#include "frame-relay-wan.h"
#include "model/core/trace-listener.h"
#include "rfc2427-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/ipv4-header.h"

#include <string>

namespace ns3::study
{

namespace
{

/// Takes a line's headers off a frame.
using Opener = Ptr<const Packet> (*)(Ptr<const Packet>);

/// @return the packet in a frame of a LAN
Ptr<const Packet>
InEthernet(Ptr<const Packet> frame)
{
    Ptr<Packet> packet = frame->Copy();
    EthernetTrailer trailer;
    packet->RemoveTrailer(trailer);
    EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    return packet;
}

/// @return the packet in a frame of an access line
Ptr<const Packet>
InFrameRelay(Ptr<const Packet> frame)
{
    Ptr<Packet> packet = frame->Copy();
    FrameRelayHeader address;
    packet->RemoveHeader(address);
    Rfc2427Header encapsulation;
    packet->RemoveHeader(encapsulation);
    return packet;
}

} // namespace

bool
FrameRelayWan::WatchFarEnd(FarEndListener listener)
{
    WatchFarPackets(m_headquarters, m_branch, [listener](FarEvent event, Ptr<const Packet> packet) {
        Ipv4Header header;
        if (packet->PeekHeader(header) > 0)
        {
            listener(event, header.GetIdentification());
        }
    });
    return true;
}

void
FrameRelayWan::WatchFarPackets(const Site& near, const Site& far, const FarPacketListener& listener)
{
    const auto watch =
        [&listener](Ptr<NetDevice> at, const std::string& source, Opener open, FarEvent event) {
            Listen(at, source, [listener, open, event](Ptr<const Packet> frame) {
                listener(event, open(frame));
            });
        };
    const auto watchLosses = [&](const Site& from, const Site& to, FarEvent event) {
        watch(from.interface, "MacTxDrop", InEthernet, event);
        watch(from.interface, "PhyTxDrop", InEthernet, event);
        watch(from.routerWan, "MacTxDrop", InFrameRelay, event);
        Listen(
            m_switch,
            "Drop",
            [listener, event, port = from.port](Ptr<const Packet> frame, Ptr<const NetDevice> at) {
                if (at == port)
                {
                    listener(event, InFrameRelay(frame));
                }
            });
        watch(to.routerWan, "PhyRxDrop", InFrameRelay, event);
    };
    watch(far.interface, "MacRx", InEthernet, FarEvent::ARRIVED);
    watch(far.interface, "MacTx", InEthernet, FarEvent::SENT);
    watchLosses(near, far, FarEvent::LOST_TO_IT);
    watchLosses(far, near, FarEvent::LOST_FROM_IT);
}

} // namespace ns3::study
