/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_LINK_H
#define ETHERNET_LINK_H

#include "state-record.h"

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>

namespace ns3
{

/**
 * @brief A shared Ethernet between a host and a device, with their IPv4 stacks.
 *
 * Neighbour caches are filled beforehand and there is no queue discipline: the studied transfers
 * begin with ARP long done, and never congest the link. ns-3's CSMA leaves the preamble out.
 */
class EthernetLink : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Give two nodes IPv4 stacks and join them.
     * @param host the host, which becomes 10.0.0.1
     * @param device the device, which becomes 10.0.0.2
     */
    void Join(Ptr<Node> host, Ptr<Node> device);

    /**
     * @return the host's interface
     */
    Ptr<NetDevice> GetHostInterface() const;
    /**
     * @return the device's address
     */
    Ipv4Address GetDeviceAddress() const;
    /**
     * @brief Add what decides what becomes of a frame, but for the frames on their way.
     * @param state where to add it
     */
    void Describe(StateRecord& state) const;

  private:
    DataRate m_rate;       //!< of the line
    Time m_delay;          //!< propagation, one way
    double m_lossToDevice; //!< share of the host's frames lost
    double m_lossToHost;   //!< share of the device's frames lost

    std::array<Ptr<NetDevice>, 2> m_interfaces; //!< the host's, the device's
};

} // namespace ns3

#endif /* ETHERNET_LINK_H */
