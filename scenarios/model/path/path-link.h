/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_LINK_H
#define PATH_LINK_H

#include "model/ethernet/link.h"
#include "model/program/scenario.h"
#include "path-direction.h"

#include <string>

namespace ns3::study
{

/**
 * @brief Any path between a host and a device: full duplex, a rate and a queue each way, a delay,
 * losses.
 *
 *     host            near router                                      device
 *     10.0.0.1 ---------- .254 = queue ==> PathRate, PathDelay, loss ==> 10.0.1.2
 *          PathAccessRate      <== loss, PathDelay, PathRateBack <== queue =
 *
 * The narrow line, with the queue before it, stands for all that is between the two. The host's own
 * line is so fast that a packet adds nothing to it unless PathAccessRate says otherwise, and its
 * interface takes whatever it is handed: a packet counts as sent, in a capture, when the host's TCP
 * sends it, however long it waits on the path. The device's answers wait in the device. Both lines
 * are PPP (2 octets a packet, no check sequence).
 */
class PathLink : public Link
{
  public:
    static TypeId GetTypeId();

    void Join(Ptr<Node> host, Ptr<Node> device) override;
    void WatchFrames(FrameListener toDevice, FrameListener toHost) override;
    bool WatchPath(std::function<void(int)> waiting, std::function<void(int)> sending) override;
    bool WatchFarEnd(FarEndListener listener) override;
    uint32_t GetMtu() const override;
    int64_t AssignStreams(int64_t stream) override;
    void Describe(StateRecord& state) const override;
    void CheckEnd() const override;

    /// @return the direction from the host
    const PathDirection& GetToDevice() const;
    /// @return the direction to the host
    const PathDirection& GetToHost() const;
    /// @return propagation one way
    Time GetDelay() const;

    /// Declare what a record holds of the packets of both directions.
    static void AddResultFields(std::vector<ResultField>& results);
    /// Add these numbers to a record; without a path (null) they are 0.
    static void AddResults(JsonObject& record, Ptr<const PathLink> path);

  private:
    /// @return one direction's settings, checked; back is for the flags that an error names
    PathDirection::Settings GetSettings(bool back) const;
    /// Refuse a list of losses that goes on behind the last packet.
    static void CheckLost(const std::string& flag,
                          const std::string& lost,
                          const PathDirection& direction);

    DataRate m_rate;                      //!< to the device
    DataRate m_rateBack;                  //!< to the host; 0 is the same
    Time m_delay;                         //!< propagation, one way
    Time m_rtt;                           //!< both ways; 0 is twice m_delay
    QueueSize m_queue;                    //!< room before the line to the device
    QueueSize m_queueBack;                //!< room before the line to the host; 0 is the same
    PathDirection::QueueKind m_queueKind; //!< what drops a packet
    double m_loss;                        //!< fraction lost to the device
    double m_lossBack;                    //!< fraction lost to the host
    std::string m_lost;                   //!< packets lost to the device
    std::string m_lostBack;               //!< packets lost to the host
    uint16_t m_mtu;                       //!< of every line [B]
    DataRate m_accessRate;                //!< of the host's own line

    Ptr<PointToPointNetDevice> m_deviceInterface; //!< the device's
    Ptr<Node> m_router;                           //!< before the narrow line
    PathDirection m_toDevice;                     //!< from the host
    PathDirection m_toHost;                       //!< from the device
};

} // namespace ns3::study

#endif /* PATH_LINK_H */
