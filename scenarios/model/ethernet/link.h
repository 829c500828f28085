/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_H
#define LINK_H

#include "model/proof/state-record.h"

#include "ns3/ipv4-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/object.h"

#include <vector>

namespace ns3::study
{

/// What is between a host and a device, whatever it is.
class Link : public Object
{
  public:
    static TypeId GetTypeId();

    /// Give a host, which becomes 10.0.0.1, and a device IPv4 stacks and join them.
    virtual void Join(Ptr<Node> host, Ptr<Node> device) = 0;
    /// @return the host's interface, an Ethernet's
    virtual Ptr<NetDevice> GetHostInterface() const = 0;
    /// @return the device's address
    virtual Ipv4Address GetDeviceAddress() const = 0;
    /// @return every interface in which a frame on its way to the device can wait for a line, the
    ///         host's first; each has the trace sources MacTx, MacTxDrop, PhyTxEnd and PhyTxDrop
    virtual std::vector<Ptr<NetDevice>> GetInterfacesTowardsDevice() const = 0;

    /// @return the device's router's interface to a frame-relay line, with the trace source
    ///         PromiscSniffer; null where there is no such line
    virtual Ptr<NetDevice> GetFrameRelayLine() const
    {
        return nullptr;
    }

    /// Fix the streams of the random numbers: each direction and line loses by its own.
    /// @return how many there are from the first one on
    virtual int64_t AssignStreams(int64_t stream) = 0;
    /// Add what decides what becomes of a frame, but for the frames on their way.
    virtual void Describe(StateRecord& state) const = 0;
};

} // namespace ns3::study

#endif /* LINK_H */
