/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NBMA_NET_DEVICE_H
#define NBMA_NET_DEVICE_H

#include "dlci-address.h"

#include "ns3/channel.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

namespace ns3
{

/**
 * @brief An interface to a network of virtual circuits (PVC), as a node sees it.
 *
 * Many stations are behind one line and none hears what is sent to another: a non-broadcast
 * multi-access network (NBMA). A destination that is a DlciAddress chooses a circuit, any other
 * means DefaultDlci. Nothing is resolved, so that is where IPv4's packets go, and what ns-3 calls
 * the broadcast address is that circuit's.
 */
class NbmaNetDevice : public NetDevice
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsPointToPoint() const override;
    bool IsBridge() const override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

    /**
     * @param destination any address
     * @return the circuit it means
     */
    uint16_t GetCircuit(const Address& destination) const;

    ReceiveCallback m_receiveCallback;        //!< the node
    PromiscReceiveCallback m_promiscCallback; //!< the node, for who sees everything
    TracedCallback<> m_linkChangeCallbacks;   //!< told when the line comes up

  private:
    uint16_t m_defaultDlci; //!< circuit of what names none
    uint16_t m_mtu;         //!< largest packet [B]
    Ptr<Node> m_node;       //!< whose interface this is
    uint32_t m_ifIndex{0};  //!< its number there
};

} // namespace ns3

#endif /* NBMA_NET_DEVICE_H */
