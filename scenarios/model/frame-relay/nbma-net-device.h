/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NBMA_NET_DEVICE_H
#define NBMA_NET_DEVICE_H

#include "ns3/channel.h"
#include "ns3/mac16-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

namespace ns3::study
{

/**
 * @brief What ns-3 asks of every interface, answered for a network of virtual circuits (PVC).
 *
 * Many stations are behind one line and none hears what is sent to another: a non-broadcast
 * multi-access network (NBMA). Its addresses are the numbers of circuits (DLCI), each as a
 * Mac16Address, which holds on this line only. Any other destination means the default circuit.
 * Nothing is resolved, so that is where IPv4's packets go, and what ns-3 calls the broadcast
 * address is that circuit's.
 */
class NbmaNetDevice : public NetDevice
{
  public:
    void SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    void SetAddress(Address address) override
    {
        m_defaultDlci = Mac16Address::ConvertFrom(address).ConvertToInt();
    }

    Address GetAddress() const override
    {
        return Mac16Address(m_defaultDlci);
    }

    bool SetMtu(const uint16_t mtu) override
    {
        m_mtu = mtu;
        return true;
    }

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    bool IsLinkUp() const override
    {
        return GetChannel() != nullptr;
    }

    void AddLinkChangeCallback(Callback<void> callback) override
    {
        m_linkChangeCallbacks.ConnectWithoutContext(callback);
    }

    bool IsBroadcast() const override
    {
        return false;
    }

    Address GetBroadcast() const override
    {
        return GetAddress();
    }

    bool IsMulticast() const override
    {
        return false;
    }

    Address GetMulticast(Ipv4Address /* group */) const override
    {
        return GetAddress();
    }

    Address GetMulticast(Ipv6Address /* group */) const override
    {
        return GetAddress();
    }

    bool IsPointToPoint() const override
    {
        return false;
    }

    bool IsBridge() const override
    {
        return false;
    }

    bool SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t) override
    {
        return false;
    }

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    void SetNode(Ptr<Node> node) override
    {
        m_node = node;
    }

    bool NeedsArp() const override
    {
        return false;
    }

    void SetReceiveCallback(ReceiveCallback callback) override
    {
        m_receiveCallback = callback;
    }

    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override
    {
        m_promiscCallback = callback;
    }

    bool SupportsSendFrom() const override
    {
        return false;
    }

  protected:
    void DoDispose() override
    {
        m_node = nullptr;
        m_receiveCallback = ReceiveCallback();
        m_promiscCallback = PromiscReceiveCallback();
        NetDevice::DoDispose();
    }

    ReceiveCallback m_receiveCallback;        //!< the node
    PromiscReceiveCallback m_promiscCallback; //!< the node, for who sees everything
    TracedCallback<> m_linkChangeCallbacks;   //!< told when the line comes up
    uint16_t m_defaultDlci;                   //!< circuit of what names none
    uint16_t m_mtu;                           //!< largest packet [B]

  private:
    Ptr<Node> m_node;      //!< whose interface this is
    uint32_t m_ifIndex{0}; //!< its number there
};

} // namespace ns3::study

#endif /* NBMA_NET_DEVICE_H */
