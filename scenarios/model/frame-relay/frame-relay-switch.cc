/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-relay-switch.h"

#include "frame-relay-header.h"
#include "frame-relay-net-device.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("FrameRelaySwitch");

NS_OBJECT_ENSURE_REGISTERED(FrameRelaySwitch);

TypeId
FrameRelaySwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::FrameRelaySwitch")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<FrameRelaySwitch>()
            .AddAttribute("TransitDelay",
                          "From a frame's arrival at one port to its place in the queue of another "
                          "[s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FrameRelaySwitch::m_transitDelay),
                          MakeTimeChecker(Time(0), Seconds(10)))
            .AddAttribute("CongestionThreshold",
                          "A port is congested while so many frames wait there [1]",
                          UintegerValue(50),
                          MakeUintegerAccessor(&FrameRelaySwitch::m_congestionThreshold),
                          MakeUintegerChecker<uint32_t>(1, 100000))
            .AddTraceSource("Drop",
                            "A frame is dropped, whatever for; with the port it came in at",
                            MakeTraceSourceAccessor(&FrameRelaySwitch::m_drop),
                            "ns3::study::FrameRelaySwitch::DropCallback");
    return tid;
}

void
FrameRelaySwitch::AddPort(Ptr<FrameRelayNetDevice> port)
{
    port->SetFrameHandler(MakeCallback(&FrameRelaySwitch::Receive, this));
}

void
FrameRelaySwitch::AddCircuit(const Endpoint& a,
                             const Endpoint& b,
                             const TrafficContract& fromA,
                             const TrafficContract& fromB)
{
    const auto add = [this](const Endpoint& in, const Endpoint& out, const TrafficContract& what) {
        const Direction direction{out, FrameRelayPolicer(what, in.port->GetDataRate())};
        const bool added = m_circuits.insert({{in.port, in.dlci}, direction}).second;
        NS_ASSERT_MSG(added, "a port has one circuit of number " << in.dlci);
    };
    add(a, b, fromA);
    add(b, a, fromB);
}

const FrameRelaySwitch::Counters&
FrameRelaySwitch::GetCounters() const
{
    return m_counters;
}

void
FrameRelaySwitch::Count(uint64_t forwarded, uint64_t marked)
{
    m_counters.forwarded += forwarded;
    m_counters.marked += marked;
}

void
FrameRelaySwitch::Describe(StateRecord& state) const
{
    for (const auto& [entrance, direction] : m_circuits)
    {
        direction.policer.Describe(state);
    }
}

void
FrameRelaySwitch::Receive(Ptr<FrameRelayNetDevice> port, Ptr<Packet> frame)
{
    NS_LOG_FUNCTION(this << port << frame);
    const Ptr<Packet> copy = frame->Copy();
    FrameRelayHeader address;
    const uint32_t read = copy->RemoveHeader(address);
    const auto circuit = m_circuits.find({port, address.GetDlci()});
    if (read == 0 || circuit == m_circuits.end())
    {
        ++m_counters.unknownDlci;
        m_drop(frame, port);
        return;
    }
    auto& [out, policer] = circuit->second;
    switch (policer.Judge(copy->GetSize(), address.HasBit(FrameRelayHeader::DISCARD_ELIGIBLE)))
    {
    case FrameRelayPolicer::Verdict::DROP:
        ++m_counters.policed;
        m_drop(frame, port);
        return;
    case FrameRelayPolicer::Verdict::MARK:
        m_counters.marked += !address.HasBit(FrameRelayHeader::DISCARD_ELIGIBLE);
        address.SetBit(FrameRelayHeader::DISCARD_ELIGIBLE);
        break;
    case FrameRelayPolicer::Verdict::PASS:
        break;
    }
    address.SetDlci(out.dlci);
    copy->AddHeader(address);
    Simulator::Schedule(m_transitDelay, &FrameRelaySwitch::Forward, this, port, out, copy);
}

void
FrameRelaySwitch::Forward(Ptr<FrameRelayNetDevice> in, Endpoint out, Ptr<Packet> frame)
{
    NS_LOG_FUNCTION(this << in << out.dlci << frame);
    FrameRelayHeader address;
    frame->RemoveHeader(address);
    const bool congestedAhead = IsCongested(out.port);
    const bool drop = congestedAhead && address.HasBit(FrameRelayHeader::DISCARD_ELIGIBLE);
    address.SetBit(FrameRelayHeader::FECN,
                   congestedAhead || address.HasBit(FrameRelayHeader::FECN));
    address.SetBit(FrameRelayHeader::BECN,
                   IsCongested(in) || address.HasBit(FrameRelayHeader::BECN));
    frame->AddHeader(address);
    if (drop)
    {
        ++m_counters.eligible;
        m_drop(frame, in);
        return;
    }
    if (out.port->SendFrame(frame))
    {
        ++m_counters.forwarded;
        return;
    }
    ++m_counters.queueFull;
    m_drop(frame, in);
}

bool
FrameRelaySwitch::IsCongested(Ptr<FrameRelayNetDevice> port) const
{
    return port->GetQueue()->GetNPackets() >= m_congestionThreshold;
}

void
FrameRelaySwitch::DoDispose()
{
    m_circuits.clear();
    Object::DoDispose();
}

} // namespace ns3::study
