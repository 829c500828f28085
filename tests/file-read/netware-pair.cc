/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "netware-pair.h"

#include "model/core/trace-listener.h"
#include "model/ethernet/interface-setup.h"

#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <list>
#include <sstream>

namespace ns3::study
{

namespace
{

constexpr uint32_t NETWORK = 0x10; //!< the one between the two

} // namespace

NetDeviceContainer
JoinIpx(const NodeContainer& nodes, uint32_t network)
{
    const NetDeviceContainer interfaces =
        InstallCsmaSegment(nodes, DataRate("10Mbps"), NanoSeconds(500));
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        nodes.Get(i)->GetObject<IpxProtocol>()->AddInterface(interfaces.Get(i), network);
    }
    return interfaces;
}

std::string
Hex(Ptr<const Packet> packet)
{
    std::vector<uint8_t> octets(packet->GetSize());
    packet->CopyData(octets.data(), octets.size());
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (const unsigned octet : octets)
    {
        text << std::setw(2) << octet;
    }
    return text.str();
}

uint64_t
InBurst(uint32_t fragments)
{
    return fragments * 1400 - 8;
}

void
UseBurst(NetwarePair& pair, uint32_t burstSize)
{
    pair.workstation->SetAttribute("Protocol", EnumValue(NetwareWorkstation::PACKET_BURST));
    pair.workstation->SetAttribute("BurstSize", UintegerValue(burstSize));
}

NetwarePair::NetwarePair()
    : workstation(CreateObject<NetwareWorkstation>()),
      server(CreateObject<NetwareServer>())
{
    m_nodes.Create(2);
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        m_nodes.Get(i)->AggregateObject(CreateObject<IpxProtocol>());
    }
    m_interfaces = JoinIpx(m_nodes, NETWORK);
    m_nodes.Get(0)->AddApplication(workstation);
    m_nodes.Get(1)->AddApplication(server);
}

NetwarePair::~NetwarePair()
{
    Simulator::Destroy();
}

void
NetwarePair::Lose(const std::vector<uint32_t>& toServer, const std::vector<uint32_t>& toWorkstation)
{
    const auto lose = [this](uint32_t at, const std::vector<uint32_t>& frames) {
        Ptr<ReceiveListErrorModel> loss = CreateObject<ReceiveListErrorModel>();
        loss->SetList(std::list<uint32_t>(frames.begin(), frames.end()));
        m_interfaces.Get(at)->SetAttribute("ReceiveErrorModel", PointerValue(loss));
    };
    lose(1, toServer);
    lose(0, toWorkstation);
}

void
NetwarePair::Lose(double share)
{
    for (uint32_t i = 0; i < m_interfaces.GetN(); ++i)
    {
        LoseFrames(m_interfaces.Get(i), share);
    }
}

void
NetwarePair::SendBoth(Ptr<Packet> packet)
{
    constexpr uint16_t stranger = 0x4444;
    for (const uint32_t from : {0, 1})
    {
        const uint32_t to = 1 - from;
        IpxAddress address = m_nodes.Get(to)->GetObject<IpxProtocol>()->GetAddress(0);
        address.socket = to == 0 ? NetwareWorkstation::SOCKET : ncp::SOCKET;
        m_nodes.Get(from)->GetObject<IpxProtocol>()->Send(packet->Copy(), stranger, address);
    }
}

void
NetwarePair::Run(uint64_t size)
{
    workstation->SetFile(m_nodes.Get(1)->GetObject<IpxProtocol>()->GetAddress(0), size);
    workstation->SetEndCallback([this](NetwareWorkstation::End how) {
        end = how;
        endTime = Simulator::Now();
        Simulator::Stop();
    });
    server->SetFile(size, workstation->GetFragmentSize());
    Listen(server, "Tx", [this](Ptr<const Packet>, bool again) {
        sent.push_back({Simulator::Now(), again});
    });
    Listen(workstation, "Tx", [this](NetwareWorkstation::Message message) {
        if (message == NetwareWorkstation::Message::REQUEST)
        {
            requests.push_back(Simulator::Now());
        }
        repeated += message == NetwareWorkstation::Message::REPEATED_REQUEST;
        lists += message == NetwareWorkstation::Message::MISSING_LIST;
    });
    Listen(workstation, "Rx", [this](uint32_t octets) { received += octets; });
    Simulator::Run();
}

uint32_t
NetwarePair::GetResent() const
{
    return std::count_if(sent.begin(), sent.end(), [](const Event& event) { return event.again; });
}

} // namespace ns3::study
