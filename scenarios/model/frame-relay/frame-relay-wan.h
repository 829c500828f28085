/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_WAN_H
#define FRAME_RELAY_WAN_H

#include "model/ethernet/link.h"
#include "model/program/scenario.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3::study
{

class FrameRelayNetDevice;
class FrameRelaySwitch;

/**
 * @brief A branch office behind frame relay: two LANs, two routers and a provider's network.
 *
 *     headquarters         router           switch           router           branch
 *       10.0.0.1 ---------- .254  ---------- cloud ----------  .254 --------- 10.0.2.2
 *             HeadquartersLan  10.0.1.1  |    delay   |  10.0.1.2   Branch
 *                 Rate         Headquarters        Branch           LanRate
 *                              AccessRate          AccessRate
 *
 * One permanent circuit joins the routers, with one contract for both directions. Routers and
 * switch store a frame and then forward it. The two LANs are shared Ethernets.
 *
 * The study's source has a Token Ring of 16 Mbit/s at headquarters. Here it is an Ethernet of that
 * rate. So there is no wait for the token, no header of 802.5 or LLC, no source routing, no ring
 * latency, no frame above 1500 bytes; and short frames are padded as on an Ethernet.
 */
class FrameRelayWan : public Link
{
  public:
    static TypeId GetTypeId();

    static constexpr uint16_t HEADQUARTERS_DLCI = 101; //!< the circuit on headquarters' line
    static constexpr uint16_t BRANCH_DLCI = 102;       //!< the circuit on the branch's line

    /// One site's part.
    struct Site
    {
        Ptr<NetDevice> interface;           //!< of the station on the LAN
        Ptr<Node> router;                   //!< between LAN and line
        Ptr<NetDevice> routerLan;           //!< the router's interface to the LAN
        Ptr<FrameRelayNetDevice> routerWan; //!< the router's interface to the line
        Ptr<FrameRelayNetDevice> port;      //!< the switch's end of the line
    };

    /// Build everything between two nodes, without a network protocol.
    void Connect(Ptr<Node> headquarters, Ptr<Node> branch);
    /// Connect a host at headquarters and a device at the branch, with IPv4 and static routes.
    void Join(Ptr<Node> host, Ptr<Node> device) override;

    void WatchFrames(FrameListener toDevice, FrameListener toHost) override;
    bool WatchFarEnd(FarEndListener listener) override;
    int64_t AssignStreams(int64_t stream) override;
    void Describe(StateRecord& state) const override;
    std::vector<int64_t> GetCounts() const override;
    void Count(const std::vector<int64_t>& more) override;

    /// Called with the packet, without the headers of a line.
    using FarPacketListener = std::function<void(FarEvent, Ptr<const Packet>)>;

    /// Tell what becomes of the packets of two stations where the first of them does not see it.
    void WatchFarPackets(const Site& near, const Site& far, const FarPacketListener& listener);

    /// @return the nodes and devices at headquarters
    const Site& GetHeadquarters() const;
    /// @return the nodes and devices at the branch
    const Site& GetBranch() const;

    /// Declare what a record holds of the frames of both directions.
    static void AddResultFields(std::vector<ResultField>& results);
    /// Add these numbers to a record; without such a network (null) they are 0.
    static void AddResults(JsonObject& record, Ptr<const FrameRelayWan> wan);
    /// @param size of a packet, without any header of a line [B]
    /// @param protocol its EtherType
    /// @return its way from one station to the other while nothing else is on any line
    Time GetTransitTime(uint32_t size, uint16_t protocol) const;

  private:
    /// Build one site up to the switch; loss is the fraction of frames lost on the way to the site.
    void BuildSite(Site& site,
                   Ptr<Node> station,
                   DataRate lanRate,
                   DataRate accessRate,
                   uint16_t dlci,
                   double loss);
    /// @return an end of an access line, for a node, at which so many frames may wait
    Ptr<FrameRelayNetDevice> MakeLineEnd(Ptr<Node> node, DataRate rate, uint32_t queue) const;
    /// Give a site's interfaces addresses, and its nodes routes to the others.
    static void AssignAddresses(const Site& site,
                                Ipv4Address station,
                                Ipv4Address routerLan,
                                Ipv4Address routerWan,
                                Ipv4Address otherRouter);

    DataRate m_headquartersLanRate;    //!< of the LAN at headquarters
    DataRate m_branchLanRate;          //!< of the branch's LAN
    DataRate m_headquartersAccessRate; //!< of headquarters' line
    DataRate m_branchAccessRate;       //!< of the branch's line
    Time m_cloudDelay;                 //!< from switch port to switch port
    Time m_routerLatency;              //!< per packet and router
    uint32_t m_routerQueue;            //!< frames that may wait in a router for its line
    uint32_t m_switchQueue;            //!< frames that may wait at a switch port
    uint32_t m_congestionThreshold;    //!< frames that wait at a congested port
    DataRate m_committedRate;          //!< CIR, if a line carries that
    uint64_t m_committedBurst;         //!< Bc [bit]
    uint64_t m_excessBurst;            //!< Be [bit]
    double m_stuffedBits;              //!< zeros inserted
    double m_lossToBranch;             //!< fraction of frames lost
    double m_lossToHeadquarters;       //!< fraction of frames lost
    uint64_t m_routerDrops{0};         //!< frames that found no room in a router
    uint64_t m_lineLosses{0};          //!< frames that arrived at a router damaged

    Site m_headquarters;            //!< the host's
    Site m_branch;                  //!< the device's
    Ptr<Node> m_cloud;              //!< the switch's node
    Ptr<FrameRelaySwitch> m_switch; //!< between the two lines
};

} // namespace ns3::study

#endif /* FRAME_RELAY_WAN_H */
