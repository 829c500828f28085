/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PATH_H
#define PACKET_PATH_H

#include "cpu.h"

#include "ns3/ip-l4-protocol.h"
#include "ns3/node.h"

#include <vector>

namespace ns3
{

/**
 * @brief Stands between a node's TCP and its IP, and has the node's processor carry every segment.
 *
 * What a segment costs is for those who derive from it to say. A segment sent reaches the interface
 * when the processor is done with it; one received reaches TCP then. The sniffer's view of a
 * node stays the interface's: a frame sent is seen after this work, one received before it.
 */
class PacketPath : public IpL4Protocol
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Take the place of TCP below IP, and that of IP below TCP.
     * @param node a node with an IPv4 stack, its interfaces added
     * @param cpu its processor
     */
    void Install(Ptr<Node> node, Ptr<Cpu> cpu);

    int GetProtocolNumber() const override;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override;
    RxStatus Receive(Ptr<Packet> packet,
                     const Ipv6Header& header,
                     Ptr<Ipv6Interface> incomingInterface) override;
    void SetDownTarget(DownTargetCallback callback) override;
    void SetDownTarget6(DownTargetCallback6 callback) override;
    DownTargetCallback GetDownTarget() const override;
    DownTargetCallback6 GetDownTarget6() const override;

  protected:
    void DoDispose() override;

    /**
     * @param octets the segment in its frame, without frame check sequence
     * @return what the processor has to do before such a frame can be sent
     */
    virtual std::vector<CpuWork> GetSendWork(uint32_t octets) const = 0;
    /**
     * @param octets the segment in its frame, without frame check sequence
     * @return what the processor has to do with such a frame that came
     */
    virtual std::vector<CpuWork> GetReceiveWork(uint32_t octets) const = 0;
    /**
     * @param octets the segment in its frame, without frame check sequence
     * @return how long the bus carries it by itself, without the processor
     */
    virtual Time GetBusTime(uint32_t octets) const = 0;

    /**
     * @return the processor
     */
    Ptr<Cpu> GetCpu() const;

  private:
    /**
     * @brief Take a segment that TCP sends.
     * @param packet the segment
     * @param source its source
     * @param destination its destination
     * @param protocol TCP's number
     * @param route where to
     */
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);
    /**
     * @brief Occupy the bus when it is free.
     * @param time for how long
     * @return how long until that is over
     */
    Time TakeBus(Time time);

    Ptr<Cpu> m_cpu;          //!< does the work
    Ptr<IpL4Protocol> m_tcp; //!< above
    DownTargetCallback m_ip; //!< below
    Time m_busFree;          //!< when the bus has carried all it was given
};

} // namespace ns3

#endif /* PACKET_PATH_H */
