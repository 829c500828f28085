/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-net-device.h"

#include "frame-relay-channel.h"
#include "frame-relay-header.h"
#include "model/core/rate-checker.h"
#include "rfc2427-header.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("FrameRelayNetDevice");

NS_OBJECT_ENSURE_REGISTERED(FrameRelayNetDevice);

TypeId
FrameRelayNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::FrameRelayNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Study")
            .AddConstructor<FrameRelayNetDevice>()
            .AddAttribute("DefaultDlci",
                          "Circuit of a packet whose destination names none [1]",
                          UintegerValue(16), // the first that Q.922 leaves to users
                          MakeUintegerAccessor(&FrameRelayNetDevice::m_defaultDlci),
                          MakeUintegerChecker<uint16_t>(0, FrameRelayHeader::MAX_DLCI))
            .AddAttribute("Mtu",
                          "Largest packet, without encapsulation and address field [B]",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&FrameRelayNetDevice::m_mtu),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("DataRate",
                          "Rate at which this end sends [bit/s]",
                          DataRateValue(DataRate("256kbps")),
                          MakeDataRateAccessor(&FrameRelayNetDevice::m_rate),
                          MakeRateChecker(DataRate("1bps"), DataRate("100Gbps")))
            .AddAttribute("StuffedBits",
                          "Zero bits inserted, as a fraction of the bits between two flags [1]",
                          DoubleValue(1.0 / 62),
                          MakeDoubleAccessor(&FrameRelayNetDevice::m_stuffedBits),
                          MakeDoubleChecker<double>(0.0, 0.2))
            .AddAttribute("NodeLatency",
                          "Time the node takes before a packet is queued for the line, and "
                          "after one has arrived from it [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FrameRelayNetDevice::m_nodeLatency),
                          MakeTimeChecker(Time(0), Seconds(10)))
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
            .AddTraceSource("MacTx",
                            "A frame is handed to the interface",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "It finds no room or is too large",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A frame is passed to the node",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_macRx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRxDrop",
                            "A frame's headers tell nothing",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_macRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A frame's first bit is sent",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "A frame's last bit is sent",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_phyTxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A frame has arrived",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame has arrived damaged",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A frame on the line, either way",
                            MakeTraceSourceAccessor(&FrameRelayNetDevice::m_promiscSniffer),
                            "ns3::Packet::TracedCallback");
    return tid;
}

bool
FrameRelayNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocol)
{
    NS_LOG_FUNCTION(this << packet << dest << protocol);
    const bool tooLarge = packet->GetSize() > GetMtu();
    Rfc2427Header encapsulation;
    encapsulation.SetEtherType(protocol);
    packet->AddHeader(encapsulation);
    FrameRelayHeader address;
    address.SetDlci(Mac16Address::IsMatchingType(dest)
                        ? Mac16Address::ConvertFrom(dest).ConvertToInt()
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
    NS_LOG_FUNCTION(this << frame);
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
    m_promiscSniffer(m_onLine);
    m_phyTxBegin(m_onLine);
    const Time transmission = GetTransmissionTime(m_onLine->GetSize());
    m_free = Simulator::Now() + transmission;
    m_channel->Transmit(m_onLine, this, transmission);
    Simulator::Schedule(transmission, &FrameRelayNetDevice::TransmissionEnded, this);
}

void
FrameRelayNetDevice::TransmissionEnded()
{
    NS_LOG_FUNCTION(this);
    m_phyTxEnd(m_onLine);
    m_onLine = nullptr;
    TransmitNext();
}

void
FrameRelayNetDevice::Receive(Ptr<Packet> frame)
{
    NS_LOG_FUNCTION(this << frame);
    if (m_receiveErrorModel && m_receiveErrorModel->IsCorrupt(frame))
    {
        m_phyRxDrop(frame);
        return;
    }
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
    NS_LOG_FUNCTION(this << frame);
    Ptr<Packet> packet = frame->Copy();
    FrameRelayHeader address;
    Rfc2427Header encapsulation;
    if (packet->RemoveHeader(address) == 0 || packet->RemoveHeader(encapsulation) == 0)
    {
        m_macRxDrop(frame);
        return;
    }
    const Mac16Address circuit(address.GetDlci());
    const uint16_t protocol = encapsulation.GetEtherType();
    if (!m_promiscCallback.IsNull())
    {
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

void
FrameRelayNetDevice::Describe(StateRecord& state) const
{
    state.Add(m_queue->GetNPackets());
    state.Add(m_queue->GetNBytes());
    state.AddInstant(m_free);
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
    m_queue = nullptr;
    m_onLine = nullptr;
    m_receiveErrorModel = nullptr;
    m_frameHandler = FrameHandler();
    NbmaNetDevice::DoDispose();
}

Ptr<Channel>
FrameRelayNetDevice::GetChannel() const
{
    return m_channel;
}

} // namespace ns3::study
