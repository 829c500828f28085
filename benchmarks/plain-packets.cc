/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The least that the packets of a print job cost: the same packets over the same links, by ns-3's
 * IPv4, queues and devices, without any TCP.
 *
 *   host ----- the link of a scenario ----- device
 *   data packets of 1500 B                  a packet of 40 B for every second one
 *
 * The host has a window of packets in flight. It sends another one for each that arrived or was
 * lost. Flags are --packets and print-job's own of the link.
 */

#include "model/links/link-choice.h"

#include "ns3/boolean.h"
#include "ns3/global-value.h"
#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/priority-queue-scheduler.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <iostream>

namespace ns3::study
{

/// A protocol over IPv4 that only tells of what arrives.
class PlainPackets : public IpL4Protocol
{
  public:
    /// @param own address, @param peer address
    PlainPackets(Ptr<Node> node, Ipv4Address own, Ipv4Address peer, std::function<void()> arrived)
        : m_ipv4(node->GetObject<Ipv4L3Protocol>()),
          m_own(own),
          m_peer(peer),
          m_arrived(arrived)
    {
        m_ipv4->Insert(this);
    }

    /// Send a packet. @param size of what IPv4 carries [B]
    void Send(uint32_t size)
    {
        m_ipv4->Send(Create<Packet>(size), m_own, m_peer, GetProtocolNumber(), nullptr);
    }

    int GetProtocolNumber() const override
    {
        return 253; // for experiments (RFC 3692)
    }

    RxStatus Receive(Ptr<Packet>, const Ipv4Header&, Ptr<Ipv4Interface>) override
    {
        m_arrived();
        return RX_OK;
    }

    RxStatus Receive(Ptr<Packet>, const Ipv6Header&, Ptr<Ipv6Interface>) override
    {
        return RX_ENDPOINT_UNREACH;
    }

    void SetDownTarget(DownTargetCallback) override
    {
    }

    void SetDownTarget6(DownTargetCallback6) override
    {
    }

    DownTargetCallback GetDownTarget() const override
    {
        return {};
    }

    DownTargetCallback6 GetDownTarget6() const override
    {
        return {};
    }

  private:
    Ptr<Ipv4L3Protocol> m_ipv4;      //!< of its node
    Ipv4Address m_own;               //!< source
    Ipv4Address m_peer;              //!< destination
    std::function<void()> m_arrived; //!< called for each packet
};

/// Send packets until so many were sent. @return how many data packets arrived
uint64_t
Run(const ParameterSet& parameters, uint64_t packets)
{
    constexpr uint32_t dataSize = 1480; // with a header of TCP
    constexpr uint32_t ackSize = 20;
    constexpr uint64_t window = 44; // of 65,535 octets
    GlobalValue::Bind("SchedulerType", TypeIdValue(PriorityQueueScheduler::GetTypeId()));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    const auto host = CreateObject<Node>();
    const auto device = CreateObject<Node>();
    const auto link = parameters.Create<LinkChoice>("job")->MakeLink(parameters);
    link->Join(host, device);
    link->AssignStreams(0);
    const Ipv4Address hostAddress("10.0.0.1");
    uint64_t sent = 0;
    uint64_t arrived = 0;
    Ptr<PlainPackets> atHost;
    Ptr<PlainPackets> atDevice;
    const auto send = [&](uint64_t count) {
        for (; count > 0 && sent < packets; --count, ++sent)
        {
            atHost->Send(dataSize);
        }
    };
    atHost =
        CreateObject<PlainPackets>(host, hostAddress, link->GetDeviceAddress(), [&] { send(2); });
    atDevice = CreateObject<PlainPackets>(device, link->GetDeviceAddress(), hostAddress, [&] {
        if (++arrived % 2 == 0)
        {
            atDevice->Send(ackSize);
        }
    });
    const auto resend = [&](Link::FrameEvent event) {
        if (event == Link::FrameEvent::LOST)
        {
            Simulator::ScheduleNow([&] { send(1); });
        }
    };
    link->WatchFrames(resend, resend);
    Simulator::ScheduleNow([&] { send(window); });
    Simulator::Run();
    Simulator::Destroy();
    return arrived;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    ns3::study::ParameterSet parameters;
    ns3::study::LinkChoice::AddParameters(parameters, "job");
    uint64_t packets = 1000;
    for (int i = 1; i < argc; ++i)
    {
        const std::string given = std::string(argv[i]).substr(2);
        const std::string flag = given.substr(0, given.find('='));
        const std::string value = given.substr(flag.size() + 1);
        flag == "packets" ? packets = std::stoull(value) : (parameters.Set(flag, value), 0);
    }
    std::cout << ns3::study::Run(parameters, packets) << " of " << packets << " arrived\n";
    return 0;
}
