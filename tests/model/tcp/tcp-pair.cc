/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-pair.h"

#include "model/records/segment-log.h"

#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <algorithm>

namespace ns3::study
{

TcpPair::TcpPair(ObjectFactory host, ObjectFactory device, ObjectFactory link, int64_t hostStream)
    : m_link(link.Create<Link>())
{
    Ptr<Node> hostNode = CreateObject<Node>();
    Ptr<Node> deviceNode = CreateObject<Node>();
    m_link->Join(hostNode, deviceNode);
    ConfiguredTcpFactory::Install(hostNode, host)->AssignStreams(hostStream);
    Ptr<ConfiguredTcpFactory> devices = ConfiguredTcpFactory::Install(deviceNode, device);
    devices->AssignStreams(m_link->AssignStreams(0));
    const Ptr<NetDevice> interface = m_link->GetHostInterface();
    const Framing framing = GetFraming(interface);
    TapInterface(interface, [this, framing](FrameDirection direction, Ptr<const Packet> frame) {
        const TcpFrame segment = DecodeTcpFrame(frame, framing).value();
        const bool sent = direction == FrameDirection::SENT;
        seen.push_back({Simulator::Now(), sent, segment.header, segment.size});
    });

    m_nodes = NodeContainer(hostNode, deviceNode);
    listener = DynamicCast<ConnectionSocket>(CreateSocket(false));
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    listener->Listen();
    listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        Callback<void, Ptr<Socket>, const Address&>([this](Ptr<Socket> socket, const Address&) {
            deviceSocket = DynamicCast<ConnectionSocket>(socket);
            socket->SetRecvCallback(MakeCallback(&TcpPair::Read, this));
            const Callback<void, Ptr<Socket>> closed([this](Ptr<Socket> each) {
                deviceClosed = true;
                Simulator::Schedule(MicroSeconds(1), [each]() { each->Close(); });
            });
            const Callback<void, Ptr<Socket>> lost([this](Ptr<Socket>) { deviceClosed = true; });
            socket->SetCloseCallbacks(closed, lost);
        }));

    hostSocket = DynamicCast<ConnectionSocket>(CreateSocket(true));
    hostSocket->SetSendCallback(
        Callback<void, Ptr<Socket>, uint32_t>([this](Ptr<Socket>, uint32_t) { Fill(); }));
    const Callback<void, Ptr<Socket>> closed([this](Ptr<Socket>) { hostClosed = true; });
    hostSocket->SetCloseCallbacks(closed, closed);
    hostSocket->Bind();
    hostSocket->Connect(GetDevice(PORT));
}

TcpPair::~TcpPair()
{
    Simulator::Destroy();
}

void
TcpPair::Write(uint64_t size, bool close)
{
    m_toWrite = size;
    m_close = close;
}

void
TcpPair::WriteNow(uint32_t size)
{
    hostSocket->Send(Create<Packet>(size), 0);
}

void
TcpPair::Fill()
{
    const auto size =
        static_cast<uint32_t>(std::min<uint64_t>(m_toWrite, hostSocket->GetTxAvailable()));
    if (size == 0)
    {
        return;
    }
    m_toWrite -= size; // before Send(), which may call this again
    hostSocket->Send(Create<Packet>(size), 0);
    if (m_toWrite == 0 && m_close)
    {
        hostSocket->Close();
    }
}

void
TcpPair::SetReading(bool reading)
{
    m_reading = reading;
    if (m_reading && deviceSocket)
    {
        Read(deviceSocket);
    }
}

void
TcpPair::Read(Ptr<Socket> socket)
{
    while (m_reading)
    {
        Ptr<Packet> packet = socket->Recv();
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        received += packet->GetSize();
    }
}

void
TcpPair::SetLossToHost(bool lose)
{
    Ptr<RateErrorModel> losing = CreateObject<RateErrorModel>();
    losing->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    losing->SetRate(lose);
    m_link->GetHostInterface()->SetAttribute("ReceiveErrorModel", PointerValue(losing));
}

void
TcpPair::RunUntil(Time until)
{
    Simulator::Stop(until - Simulator::Now());
    Simulator::Run();
}

void
TcpPair::Forge(uint8_t flags, uint32_t sequence, uint32_t acknowledges, uint16_t port)
{
    TcpHeader header;
    header.SetFlags(flags);
    header.SetSourcePort(port == 0 ? seen.front().header.GetSourcePort() : port);
    header.SetDestinationPort(PORT);
    header.SetSequenceNumber(SequenceNumber32(sequence));
    header.SetAckNumber(SequenceNumber32(acknowledges));
    header.SetWindowSize(32120);
    const Ptr<Node> host = m_nodes.Get(0);
    const auto from = host->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    const auto tcp = host->GetObject<TcpL4Protocol>();
    tcp->SendPacket(Create<Packet>(), header, from, m_link->GetDeviceAddress());
}

std::size_t
TcpPair::Count(bool fromHost, uint8_t flags) const
{
    return std::count_if(seen.begin(), seen.end(), [=](const SeenSegment& each) {
        return each.fromHost == fromHost && (each.header.GetFlags() & flags) == flags;
    });
}

Address
TcpPair::GetDevice(uint16_t port) const
{
    return InetSocketAddress(m_link->GetDeviceAddress(), port);
}

Ptr<Socket>
TcpPair::CreateSocket(bool ofHost) const
{
    return Socket::CreateSocket(m_nodes.Get(ofHost ? 0 : 1), ConfiguredTcpFactory::GetTypeId());
}

std::vector<SeenSegment>
TcpPair::HostData() const
{
    auto data = seen;
    std::erase_if(data, [](const SeenSegment& each) { return !each.fromHost || each.size == 0; });
    return data;
}

std::vector<SeenSegment>
TcpPair::DeviceSegments() const
{
    auto segments = seen;
    std::erase_if(segments, [](const SeenSegment& each) {
        return each.fromHost || each.header.GetFlags() & TcpHeader::SYN;
    });
    return segments;
}

} // namespace ns3::study
