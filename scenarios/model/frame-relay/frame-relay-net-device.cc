/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-net-device.h"

#include "dlci-address.h"
#include "frame-relay-channel.h"
#include "frame-relay-header.h"
#include "model/program/rate-checker.h"
#include "rfc2427-header.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FrameRelayNetDevice);

TypeId
FrameRelayNetDevice::GetTypeId()
{
    const auto frames = [](TypeId& tid,
                           const std::string& name,
                           const std::string& help,
                           TracedCallback<Ptr<const Packet>> FrameRelayNetDevice::* source) {
        tid.AddTraceSource(name,
                           help,
                           MakeTraceSourceAccessor(source),
                           "ns3::Packet::TracedCallback");
    };
    static TypeId tid = [&frames]() {
        TypeId type =
            TypeId("ns3::FrameRelayNetDevice")
                .SetParent<NetDevice>()
                .SetGroupName("Study")
                .AddConstructor<FrameRelayNetDevice>()
                .AddAttribute("DataRate",
                              "Rate at which this end sends [bit/s]",
                              DataRateValue(DataRate("256kbps")),
                              MakeDataRateAccessor(&FrameRelayNetDevice::m_rate),
                              MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
                .AddAttribute("StuffedBits",
                              "Zero bits inserted, as a share of the bits between two flags [1]",
                              DoubleValue(1.0 / 62),
                              MakeDoubleAccessor(&FrameRelayNetDevice::m_stuffedBits),
                              MakeDoubleChecker<double>(0.0, 0.2))
                .AddAttribute("DefaultDlci",
                              "Circuit of a packet whose destination names none [1]",
                              UintegerValue(16), // the first that Q.922 leaves to users
                              MakeUintegerAccessor(&FrameRelayNetDevice::m_defaultDlci),
                              MakeUintegerChecker<uint16_t>(0, DlciAddress::MAX))
                .AddAttribute("NodeLatency",
                              "Time the node takes before a packet is queued for the line, and "
                              "after one has arrived from it [s]",
                              TimeValue(Time(0)),
                              MakeTimeAccessor(&FrameRelayNetDevice::m_nodeLatency),
                              MakeTimeChecker(Time(0), Seconds(10)))
                .AddAttribute("Mtu",
                              "Largest packet, without encapsulation and address field [B]",
                              UintegerValue(1500),
                              MakeUintegerAccessor(&FrameRelayNetDevice::SetMtu,
                                                   &FrameRelayNetDevice::GetMtu),
                              MakeUintegerChecker<uint16_t>())
                .AddAttribute("TxQueue",
                              "Where frames wait for the line",
                              PointerValue(),
                              MakePointerAccessor(&FrameRelayNetDevice::m_queue),
                              MakePointerChecker<Queue<Packet>>())
                .AddAttribute("ReceiveErrorModel",
                              "Which frames arrive damaged",
                              PointerValue(),
                              MakePointerAccessor(&FrameRelayNetDevice::m_receiveErrorModel),
                              MakePointerChecker<ErrorModel>())
                .AddTraceSource("Congestion",
                                "FECN and BECN of a frame that has arrived for this node",
                                MakeTraceSourceAccessor(&FrameRelayNetDevice::m_congestion),
                                "ns3::FrameRelayNetDevice::CongestionTracedCallback");
        using Device = FrameRelayNetDevice;
        frames(type, "MacTx", "A frame is handed to the interface", &Device::m_macTx);
        frames(type, "MacTxDrop", "It finds no room or is too large", &Device::m_macTxDrop);
        frames(type, "MacPromiscRx", "A frame is passed to the node", &Device::m_macPromiscRx);
        frames(type, "MacRx", "A frame is passed to the node", &Device::m_macRx);
        frames(type, "MacRxDrop", "A frame's headers tell nothing", &Device::m_macRxDrop);
        frames(type, "PhyTxBegin", "A frame's first bit is sent", &Device::m_phyTxBegin);
        frames(type, "PhyTxEnd", "A frame's last bit is sent", &Device::m_phyTxEnd);
        frames(type, "PhyTxDrop", "A frame went onto a line with no end", &Device::m_phyTxDrop);
        frames(type, "PhyRxEnd", "A frame has arrived", &Device::m_phyRxEnd);
        frames(type, "PhyRxDrop", "A frame has arrived damaged", &Device::m_phyRxDrop);
        frames(type, "Sniffer", "A frame on the line, either way", &Device::m_sniffer);
        frames(type, "PromiscSniffer", "A frame on the line", &Device::m_promiscSniffer);
        return type;
    }();
    return tid;
}

bool
FrameRelayNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol)
{
    const bool tooLarge = packet->GetSize() > m_mtu;
    Rfc2427Header encapsulation;
    encapsulation.SetEtherType(protocol);
    packet->AddHeader(encapsulation);
    FrameRelayHeader address;
    address.SetDlci(DlciAddress::IsMatchingType(dest) ? DlciAddress::ConvertFrom(dest).GetDlci()
                                                      : m_defaultDlci);
    packet->AddHeader(address);
    if (tooLarge)
    {
        m_macTx(packet);
        m_macTxDrop(packet);
        return false;
    }
    if (m_nodeLatency.IsStrictlyPositive())
    {
        Simulator::Schedule(m_nodeLatency, [this, packet]() { SendFrame(packet); });
        return true;
    }
    return SendFrame(packet);
}

bool
FrameRelayNetDevice::SendFrame(Ptr<Packet> frame)
{
    m_macTx(frame);
    if (!m_channel || !m_queue->Enqueue(frame))
    {
        m_macTxDrop(frame);
        return false;
    }
    TransmitNext();
    return true;
}

void
FrameRelayNetDevice::TransmitNext()
{
    if (m_onLine)
    {
        return;
    }
    m_onLine = m_queue->Dequeue();
    if (!m_onLine)
    {
        return;
    }
    m_sniffer(m_onLine);
    m_promiscSniffer(m_onLine);
    m_phyTxBegin(m_onLine);
    const Time transmission = GetTransmissionTime(m_onLine->GetSize());
    const bool carried = m_channel->Transmit(m_onLine, this, transmission);
    Simulator::Schedule(transmission, &FrameRelayNetDevice::TransmissionEnded, this, carried);
}

void
FrameRelayNetDevice::TransmissionEnded(bool carried)
{
    (carried ? m_phyTxEnd : m_phyTxDrop)(m_onLine);
    m_onLine = nullptr;
    TransmitNext();
}

void
FrameRelayNetDevice::Receive(Ptr<Packet> frame)
{
    if (m_receiveErrorModel && m_receiveErrorModel->IsCorrupt(frame))
    {
        m_phyRxDrop(frame);
        return;
    }
    m_sniffer(frame);
    m_promiscSniffer(frame);
    m_phyRxEnd(frame);
    if (!m_frameHandler.IsNull())
    {
        m_macRx(frame);
        m_frameHandler(this, frame);
    }
    else if (m_nodeLatency.IsStrictlyPositive())
    {
        Simulator::Schedule(m_nodeLatency, &FrameRelayNetDevice::HandUp, this, frame);
    }
    else
    {
        HandUp(frame);
    }
}

void
FrameRelayNetDevice::HandUp(Ptr<Packet> frame)
{
    Ptr<Packet> packet = frame->Copy();
    FrameRelayHeader address;
    Rfc2427Header encapsulation;
    if (packet->RemoveHeader(address) == 0 || packet->RemoveHeader(encapsulation) == 0)
    {
        m_macRxDrop(frame);
        return;
    }
    m_congestion(address.GetDlci(), address.GetFecn(), address.GetBecn());
    const DlciAddress circuit(address.GetDlci());
    const uint16_t protocol = encapsulation.GetEtherType();
    if (!m_promiscCallback.IsNull())
    {
        m_macPromiscRx(frame);
        m_promiscCallback(this, packet, protocol, circuit, circuit, PACKET_HOST);
    }
    m_macRx(frame);
    m_receiveCallback(this, packet, protocol, circuit);
}

Time
FrameRelayNetDevice::GetTransmissionTime(uint32_t size) const
{
    constexpr uint32_t frameCheckSequence = 2;
    constexpr uint32_t flag = 1;
    const double bits = 8.0 * (size + frameCheckSequence) * (1 + m_stuffedBits) + 8.0 * flag;
    return NanoSeconds(std::llround(bits * 1e9 / static_cast<double>(m_rate.GetBitRate())));
}

DataRate
FrameRelayNetDevice::GetDataRate() const
{
    return m_rate;
}

void
FrameRelayNetDevice::Attach(Ptr<FrameRelayChannel> channel)
{
    m_channel = channel;
    m_channel->Attach(this);
    m_linkChangeCallbacks();
}

void
FrameRelayNetDevice::SetQueue(Ptr<Queue<Packet>> queue)
{
    m_queue = queue;
}

Ptr<Queue<Packet>>
FrameRelayNetDevice::GetQueue() const
{
    return m_queue;
}

void
FrameRelayNetDevice::SetFrameHandler(FrameHandler handler)
{
    m_frameHandler = handler;
}

void
FrameRelayNetDevice::DoDispose()
{
    m_channel = nullptr;
    m_node = nullptr;
    m_queue = nullptr;
    m_onLine = nullptr;
    m_receiveErrorModel = nullptr;
    m_frameHandler = FrameHandler();
    m_receiveCallback = ReceiveCallback();
    m_promiscCallback = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

void
FrameRelayNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FrameRelayNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FrameRelayNetDevice::GetChannel() const
{
    return m_channel;
}

void
FrameRelayNetDevice::SetAddress(Address address)
{
    m_defaultDlci = DlciAddress::ConvertFrom(address).GetDlci();
}

Address
FrameRelayNetDevice::GetAddress() const
{
    return DlciAddress(m_defaultDlci);
}

bool
FrameRelayNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
FrameRelayNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
FrameRelayNetDevice::IsLinkUp() const
{
    return m_channel != nullptr;
}

void
FrameRelayNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChangeCallbacks.ConnectWithoutContext(callback);
}

bool
FrameRelayNetDevice::IsBroadcast() const
{
    return true;
}

Address
FrameRelayNetDevice::GetBroadcast() const
{
    return DlciAddress(m_defaultDlci);
}

bool
FrameRelayNetDevice::IsMulticast() const
{
    return true;
}

Address
FrameRelayNetDevice::GetMulticast(Ipv4Address /* group */) const
{
    return GetBroadcast();
}

Address
FrameRelayNetDevice::GetMulticast(Ipv6Address /* group */) const
{
    return GetBroadcast();
}

bool
FrameRelayNetDevice::IsPointToPoint() const
{
    return true;
}

bool
FrameRelayNetDevice::IsBridge() const
{
    return false;
}

bool
FrameRelayNetDevice::SendFrom(Ptr<Packet> /* packet */,
                              const Address& /* source */,
                              const Address& /* dest */,
                              uint16_t /* protocol */)
{
    return false;
}

Ptr<Node>
FrameRelayNetDevice::GetNode() const
{
    return m_node;
}

void
FrameRelayNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FrameRelayNetDevice::NeedsArp() const
{
    return false;
}

void
FrameRelayNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receiveCallback = callback;
}

void
FrameRelayNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscCallback = callback;
}

bool
FrameRelayNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
