/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_SWITCH_H
#define FRAME_RELAY_SWITCH_H

#include "frame-relay-policer.h"

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <map>
#include <utility>

namespace ns3::study
{

class FrameRelayNetDevice;

/**
 * @brief A frame-relay network ("cloud") as one switch with a transit delay.
 *
 * A frame that has wholly arrived at a port is looked up by port and DLCI and held to the circuit's
 * contract. After the transit delay it is queued at the port where the circuit leaves, with its
 * DLCI there. A port at which CongestionThreshold frames wait is congested: frames that leave there
 * get FECN, frames that enter there and so travel to where the others come from get BECN, and those
 * marked DE are dropped. A frame that finds the queue full is dropped whatever its mark.
 */
class FrameRelaySwitch : public Object
{
  public:
    static TypeId GetTypeId();

    /// One end of a circuit in the switch.
    struct Endpoint
    {
        Ptr<FrameRelayNetDevice> port; //!< where it enters
        uint16_t dlci;                 //!< its number on that line
    };

    /// What became of the frames.
    struct Counters
    {
        uint64_t forwarded{0};   //!< frames queued at the port they leave by
        uint64_t marked{0};      //!< frames marked DE because they were above Bc
        uint64_t unknownDlci{0}; //!< dropped: no such circuit
        uint64_t policed{0};     //!< dropped: above Bc + Be
        uint64_t eligible{0};    //!< dropped: DE at a congested port
        uint64_t queueFull{0};   //!< dropped: no room at the port
    };

    /// Make a device of this switch's node a port.
    void AddPort(Ptr<FrameRelayNetDevice> port);
    /// Set up a permanent virtual circuit between two ports, with a contract for what enters at
    /// each.
    void AddCircuit(const Endpoint& a,
                    const Endpoint& b,
                    const TrafficContract& fromA,
                    const TrafficContract& fromB);
    /// Told of a frame that is dropped, and of the port that it came in at.
    using DropCallback = Callback<void, Ptr<const Packet>, Ptr<const NetDevice>>;

    /// @return what became of the frames so far
    const Counters& GetCounters() const;
    /// Count frames that were not simulated.
    void Count(uint64_t forwarded, uint64_t marked);
    /// Add what decides what becomes of a frame that arrives, but for the ports' lines.
    void Describe(StateRecord& state) const;

  protected:
    void DoDispose() override;

  private:
    /// One direction of a circuit.
    struct Direction
    {
        Endpoint out;              //!< where it leaves
        FrameRelayPolicer policer; //!< holds it to its contract
    };

    /// A frame has arrived at a port.
    void Receive(Ptr<FrameRelayNetDevice> port, Ptr<Packet> frame);
    /// Queue a frame where it leaves.
    void Forward(Ptr<FrameRelayNetDevice> in, Endpoint out, Ptr<Packet> frame);
    /// @return whether as many frames wait at a port as CongestionThreshold says
    bool IsCongested(Ptr<FrameRelayNetDevice> port) const;

    using Entrance = std::pair<Ptr<FrameRelayNetDevice>, uint16_t>; //!< port and DLCI

    Time m_transitDelay;                      //!< from port to port
    uint32_t m_congestionThreshold;           //!< frames that wait at a congested port
    std::map<Entrance, Direction> m_circuits; //!< by where a frame enters
    Counters m_counters;                      //!< what became of the frames
    /// A frame is dropped, whatever for
    TracedCallback<Ptr<const Packet>, Ptr<const NetDevice>> m_drop;
};

} // namespace ns3::study

#endif /* FRAME_RELAY_SWITCH_H */
