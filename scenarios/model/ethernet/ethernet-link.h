/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_LINK_H
#define ETHERNET_LINK_H

#include "link.h"

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"
#include "ns3/nstime.h"

namespace ns3::study
{

/// A shared Ethernet between a host and a device, with their IPv4 stacks.
///
/// Neighbour caches are filled beforehand and there is no queue discipline: the studied transfers
/// begin with ARP long done, and never congest the link.
class EthernetLink : public Link
{
  public:
    static TypeId GetTypeId();

    void Join(Ptr<Node> host, Ptr<Node> device) override;
    /// Join a device, and a node that has no IPv4: a bridge there takes the host's interface as a
    /// port, and the host is behind it.
    void JoinBridge(Ptr<Node> bridge, Ptr<Node> device);
    void WatchFrames(FrameListener toDevice, FrameListener toHost) override;
    int64_t AssignStreams(int64_t stream) override;
    void Describe(StateRecord& state) const override;

  private:
    /// Join two nodes, and set which frames are lost.
    void Install(Ptr<Node> host, Ptr<Node> device);

    DataRate m_rate;                 //!< of the line
    Time m_delay;                    //!< propagation, one way
    double m_lossToDevice;           //!< fraction of the host's frames lost
    double m_lossToHost;             //!< fraction of the device's frames lost
    NetDeviceContainer m_interfaces; //!< the host's, the device's
};

} // namespace ns3::study

#endif /* ETHERNET_LINK_H */
