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
#include "ns3/queue-disc.h"

#include <cstdint>
#include <functional>
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

    /// @return the host's interface: an Ethernet's or a PPP line's
    Ptr<NetDevice> GetHostInterface() const
    {
        return m_towardsDevice.at(0);
    }

    /// @return the device's address
    Ipv4Address GetDeviceAddress() const
    {
        return m_deviceAddress;
    }

    /// @return every interface in which a frame in flight to the device can wait for a line, the
    ///         host's first; each has the trace sources MacTx, MacTxDrop and PhyTxEnd
    const std::vector<Ptr<NetDevice>>& GetInterfacesTowardsDevice() const
    {
        return m_towardsDevice;
    }

    /// @return the queue before the last of these interfaces, if what waits for its line waits
    ///         there instead; null where the interface itself is the queue
    Ptr<QueueDisc> GetQueueTowardsDevice() const
    {
        return m_queueTowardsDevice;
    }

    /// @return the device's router's interface to a frame-relay line, with the trace source
    ///         PromiscSniffer; null where there is no such line
    Ptr<NetDevice> GetFrameRelayLine() const
    {
        return m_frameRelayLine;
    }

    /// What becomes of a frame.
    enum class FrameEvent
    {
        SENT,    //!< an end has handed it down
        ARRIVED, //!< it is at the other end
        LOST     //!< it never will be: lost, or dropped
    };

    /// Called at each of these events.
    using FrameListener = std::function<void(FrameEvent)>;

    /// Tell of every frame, of each direction by itself.
    virtual void WatchFrames(FrameListener toDevice, FrameListener toHost) = 0;

    /// Tell of every change in the number of packets that wait in a queue of a path, and of those
    /// that one of its narrow lines is sending, in both directions.
    /// @return false if there is no path: nothing is told
    virtual bool WatchPath(std::function<void(int)> /* waiting */,
                           std::function<void(int)> /* sending */)
    {
        return false;
    }

    /// What a packet can do where the host does not see it.
    enum class FarEvent
    {
        ARRIVED,     //!< it is at the device
        LOST_TO_IT,  //!< it will not be
        SENT,        //!< the device hands it down
        LOST_FROM_IT //!< and the host never has it
    };

    /// Called with the identification that the sender's IPv4 gave the packet.
    using FarEndListener = std::function<void(FarEvent, uint16_t)>;

    /// Tell of these events. @return false if the link does not
    virtual bool WatchFarEnd(FarEndListener)
    {
        return false;
    }

    /// @return the largest IPv4 packet it carries, headers included [B]
    virtual uint32_t GetMtu() const
    {
        return 1500; // RFC 894, RFC 2427
    }

    /// Refuse, when a transfer has ended, what its parameters promised and no packet came to.
    virtual void CheckEnd() const
    {
    }

    /// Fix the streams of the random numbers: each direction and line loses by its own.
    /// @return how many there are from the first one on
    virtual int64_t AssignStreams(int64_t stream) = 0;
    /// Add what decides what becomes of a frame, but for the frames in flight.
    virtual void Describe(StateRecord& state) const = 0;

    /// @return what it has counted of the frames, and results tell
    virtual std::vector<int64_t> GetCounts() const
    {
        return {};
    }

    /// Count as many more of each.
    virtual void Count(const std::vector<int64_t>& /* more */)
    {
    }

  protected:
    // What who derives from it has made when the two are joined.
    Ipv4Address m_deviceAddress;                 //!< the device's
    std::vector<Ptr<NetDevice>> m_towardsDevice; //!< where a frame to the device can wait
    Ptr<QueueDisc> m_queueTowardsDevice;         //!< the queue before the last of them
    Ptr<NetDevice> m_frameRelayLine;             //!< the device's router's interface to one
};

} // namespace ns3::study

#endif /* LINK_H */
