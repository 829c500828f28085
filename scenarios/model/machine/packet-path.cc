/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-path.h"

#include "model/core/ns3-version.h"

#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv6-interface.h"
#include "ns3/log.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("PacketPath");

NS_OBJECT_ENSURE_REGISTERED(PacketPath);

namespace
{

/// @return the octets of a segment's frame that pass between memory and interface: Ethernet and IP
///         headers are before it, short frames are padded (IEEE 802.3, 4A.2.3.2.4), the interface
///         adds the frame check sequence
uint32_t
GetFrameOctets(Ptr<const Packet> segment)
{
    return std::max(segment->GetSize() + 20 + 14, 60U);
}

} // namespace

TypeId
PacketPath::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::PacketPath")
            .SetParent<IpL4Protocol>()
            .SetGroupName("Study")
            .AddTraceSource("Frames",
                            "Change in the frames to be sent that the bus carries by itself",
                            MakeTraceSourceAccessor(&PacketPath::m_framesTrace),
                            "ns3::study::PacketPath::FramesTracedCallback");
    return tid;
}

void
PacketPath::Install(Ptr<Node> node, Ptr<Cpu> cpu)
{
    NS_LOG_FUNCTION(this << node << cpu);
    m_cpu = cpu;
    m_engine = CreateObject<Cpu>();
    Ptr<TcpL4Protocol> tcp = node->GetObject<TcpL4Protocol>();
    Ptr<Ipv4L3Protocol> ipv4 = node->GetObject<Ipv4L3Protocol>();
    m_tcp = tcp;
    m_ip = tcp->GetDownTarget();
    tcp->SetDownTarget(MakeCallback(&PacketPath::Send, this));
    ipv4->Remove(tcp);
    ipv4->Insert(this);
    node->AggregateObject(this); // and so be disposed of with it
}

void
PacketPath::Describe(StateRecord& state) const
{
    m_cpu->Describe(state);
    m_engine->Describe(state);
}

int
PacketPath::GetProtocolNumber() const
{
    return TCP_PROTOCOL;
}

IpL4Protocol::RxStatus
PacketPath::Receive(Ptr<Packet> packet, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    NS_LOG_FUNCTION(this << packet);
    const uint32_t octets = GetFrameOctets(packet);
    Carry(octets, true, [this, packet, header, interface, octets]() {
        m_cpu->Do(
            GetReceiveWork(octets),
            Cpu::Priority::INTERRUPT,
            [this, packet, header, interface]() { m_tcp->Receive(packet, header, interface); });
    });
    return RX_OK;
}

IpL4Protocol::RxStatus
PacketPath::Receive(Ptr<Packet> packet, const Ipv6Header& header, Ptr<Ipv6Interface> interface)
{
    return m_tcp->Receive(packet, header, interface);
}

void
PacketPath::SetDownTarget(DownTargetCallback callback)
{
    m_ip = callback;
}

void
PacketPath::SetDownTarget6(DownTargetCallback6 callback)
{
    m_tcp->SetDownTarget6(callback);
}

IpL4Protocol::DownTargetCallback
PacketPath::GetDownTarget() const
{
    return m_ip;
}

IpL4Protocol::DownTargetCallback6
PacketPath::GetDownTarget6() const
{
    return m_tcp->GetDownTarget6();
}

void
PacketPath::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_cpu)
    {
        m_cpu->Dispose(); // its tasks know of this
        m_engine->Dispose();
        m_cpu = m_engine = nullptr;
    }
    m_tcp = nullptr;
    m_ip = MakeNullCallback<void, Ptr<Packet>, Ipv4Address, Ipv4Address, uint8_t, Ptr<Ipv4Route>>();
    IpL4Protocol::DoDispose();
}

Time
PacketPath::GetBusTime(uint32_t /* octets */) const
{
    return Time();
}

Ptr<Cpu>
PacketPath::GetCpu() const
{
    return m_cpu;
}

void
PacketPath::Send(Ptr<Packet> packet,
                 Ipv4Address source,
                 Ipv4Address destination,
                 uint8_t protocol,
                 Ptr<Ipv4Route> route)
{
    NS_LOG_FUNCTION(this << packet << source << destination);
    const uint32_t octets = GetFrameOctets(packet);
    const auto sent = [this, packet, source, destination, protocol, route]() {
        m_ip(packet, source, destination, protocol, route);
    };
    m_cpu->Do(GetSendWork(octets), Cpu::Priority::INTERRUPT, [this, octets, sent]() {
        Carry(octets, false, sent);
    });
}

void
PacketPath::Carry(uint32_t octets, bool received, std::function<void()> then)
{
    const Time busTime = GetBusTime(octets);
    if (busTime.IsZero())
    {
        then();
        return;
    }
    const int frames = received ? 0 : 1;
    m_framesTrace(frames);
    m_engine->Do({{CpuStage::BUS, busTime}},
                 received ? Cpu::Priority::INTERRUPT : Cpu::Priority::PROCESS,
                 [this, frames, then]() {
                     m_framesTrace(-frames);
                     then();
                 });
}

} // namespace ns3::study
