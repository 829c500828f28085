/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_CHANNEL_H
#define FRAME_RELAY_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <vector>

namespace ns3::study
{

class FrameRelayNetDevice;

/// The wires of a frame-relay line: full duplex, two ends; the network's delay is the switch's.
/// The rate is each end's own (FrameRelayNetDevice), so the two directions may differ.
class FrameRelayChannel : public Channel
{
  public:
    static TypeId GetTypeId();

    /// Add one of the two ends.
    void Attach(Ptr<FrameRelayNetDevice> device);
    /// Carry a frame that takes a time to send to the other end.
    void Transmit(Ptr<const Packet> frame, Ptr<FrameRelayNetDevice> from, Time transmission);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    std::vector<Ptr<FrameRelayNetDevice>> m_ends{}; //!< at most two
};

} // namespace ns3::study

#endif /* FRAME_RELAY_CHANNEL_H */
