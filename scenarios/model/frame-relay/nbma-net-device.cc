/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nbma-net-device.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NbmaNetDevice);

TypeId
NbmaNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NbmaNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Study")
            .AddAttribute("DefaultDlci",
                          "Circuit of a packet whose destination names none [1]",
                          UintegerValue(16), // the first that Q.922 leaves to users
                          MakeUintegerAccessor(&NbmaNetDevice::m_defaultDlci),
                          MakeUintegerChecker<uint16_t>(0, DlciAddress::MAX))
            .AddAttribute("Mtu",
                          "Largest packet, without encapsulation and address field [B]",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&NbmaNetDevice::SetMtu, &NbmaNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>());
    return tid;
}

uint16_t
NbmaNetDevice::GetCircuit(const Address& destination) const
{
    return DlciAddress::IsMatchingType(destination)
               ? DlciAddress::ConvertFrom(destination).GetDlci()
               : m_defaultDlci;
}

void
NbmaNetDevice::DoDispose()
{
    m_node = nullptr;
    m_receiveCallback = ReceiveCallback();
    m_promiscCallback = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

void
NbmaNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
NbmaNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

void
NbmaNetDevice::SetAddress(Address address)
{
    m_defaultDlci = DlciAddress::ConvertFrom(address).GetDlci();
}

Address
NbmaNetDevice::GetAddress() const
{
    return DlciAddress(m_defaultDlci);
}

bool
NbmaNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
NbmaNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
NbmaNetDevice::IsLinkUp() const
{
    return GetChannel() != nullptr;
}

void
NbmaNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChangeCallbacks.ConnectWithoutContext(callback);
}

bool
NbmaNetDevice::IsBroadcast() const
{
    return false;
}

Address
NbmaNetDevice::GetBroadcast() const
{
    return DlciAddress(m_defaultDlci);
}

bool
NbmaNetDevice::IsMulticast() const
{
    return false;
}

Address
NbmaNetDevice::GetMulticast(Ipv4Address /* group */) const
{
    return GetBroadcast();
}

Address
NbmaNetDevice::GetMulticast(Ipv6Address /* group */) const
{
    return GetBroadcast();
}

bool
NbmaNetDevice::IsPointToPoint() const
{
    return false;
}

bool
NbmaNetDevice::IsBridge() const
{
    return false;
}

bool
NbmaNetDevice::SendFrom(Ptr<Packet> /* packet */,
                        const Address& /* source */,
                        const Address& /* dest */,
                        uint16_t /* protocol */)
{
    return false;
}

Ptr<Node>
NbmaNetDevice::GetNode() const
{
    return m_node;
}

void
NbmaNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
NbmaNetDevice::NeedsArp() const
{
    return false;
}

void
NbmaNetDevice::SetReceiveCallback(ReceiveCallback callback)
{
    m_receiveCallback = callback;
}

void
NbmaNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback callback)
{
    m_promiscCallback = callback;
}

bool
NbmaNetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
