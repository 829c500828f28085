/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_CHANNEL_H
#define FRAME_RELAY_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <vector>

namespace ns3
{

class FrameRelayNetDevice;

/**
 * @brief The wires of a frame-relay line: full duplex, two ends, a propagation delay.
 *
 * The rate is each end's own (FrameRelayNetDevice), so the two directions may differ.
 */
class FrameRelayChannel : public Channel
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /**
     * @brief Add one of the two ends.
     * @param device the end
     */
    void Attach(Ptr<FrameRelayNetDevice> device);
    /**
     * @brief Carry a frame to the other end.
     * @param frame the frame
     * @param from the end that sends it
     * @param transmission how long it takes to send, flag to flag
     * @return false if there is no other end
     */
    bool Transmit(Ptr<const Packet> frame, Ptr<FrameRelayNetDevice> from, Time transmission);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    Time m_delay;                                   //!< propagation, one way
    std::vector<Ptr<FrameRelayNetDevice>> m_ends{}; //!< at most two
};

} // namespace ns3

#endif /* FRAME_RELAY_CHANNEL_H */
