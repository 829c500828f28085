/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_PATH_H
#define PACKET_PATH_H

#include "cpu.h"
#include "model/proof/state-record.h"

#include "ns3/ip-l4-protocol.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <vector>

namespace ns3::study
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
    static TypeId GetTypeId();

    /// Take the place of TCP below IP, and that of IP below TCP, at a node that has an IPv4 stack
    /// and its interfaces.
    void Install(Ptr<Node> node, Ptr<Cpu> cpu);

    /// Add what decides when a segment is carried: the processor's work, and the bus's.
    void Describe(StateRecord& state) const;

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

    /// TracedCallback signature for frames to be sent that the bus carries by itself.
    typedef void (*FramesTracedCallback)(int change);

  protected:
    void DoDispose() override;

    // All of a segment in its frame of so many octets, without frame check sequence:

    /// @return what the processor has to do before it can be sent
    virtual std::vector<CpuWork> GetSendWork(uint32_t octets) const = 0;
    /// @return what the processor has to do with one that came
    virtual std::vector<CpuWork> GetReceiveWork(uint32_t octets) const = 0;
    /// @return how long the bus carries it by itself, without the processor
    virtual Time GetBusTime(uint32_t octets) const;

    /// @return the processor
    Ptr<Cpu> GetCpu() const;

  private:
    /// Take a segment that TCP sends.
    void Send(Ptr<Packet> packet,
              Ipv4Address source,
              Ipv4Address destination,
              uint8_t protocol,
              Ptr<Ipv4Route> route);
    /// Let the bus carry a frame by itself, if it does, and go on. One received does not wait
    /// behind all that are to be sent.
    void Carry(uint32_t octets, bool received, std::function<void()> then);

    Ptr<Cpu> m_cpu;          //!< does the work
    Ptr<IpL4Protocol> m_tcp; //!< above
    DownTargetCallback m_ip; //!< below
    Ptr<Cpu> m_engine;       //!< a processor of a kind: carries frames over the bus by itself
    TracedCallback<int> m_framesTrace; //!< change in the frames sent that are at the bus
};

} // namespace ns3::study

#endif /* PACKET_PATH_H */
