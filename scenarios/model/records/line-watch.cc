/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "line-watch.h"

#include "model/core/trace-listener.h"

#include "ns3/simulator.h"

namespace ns3::study
{

LineWatch::LineWatch(Ptr<NetDevice> device, LimitClock& clock, std::size_t place)
{
    // The interface keeps what it calls.
    const Ptr<LineWatch> self(this);
    ListenToPackets(device, {"MacTx"}, [&clock, place]() { clock.InterfaceFrames(place, +1); });
    ListenToPackets(device, {"MacTxDrop"}, [&clock, place]() { clock.InterfaceFrames(place, -1); });
    ListenToPackets(device, {"PhyTxBegin"}, [self]() {
        self->m_sending = true;
        self->m_begin = Simulator::Now();
    });
    ListenToPackets(device, {"PhyTxEnd", "PhyTxDrop"}, [self, &clock, place]() {
        self->m_busy = self->GetBusy();
        self->m_sending = false;
        clock.InterfaceFrames(place, -1);
    });
}

Time
LineWatch::GetBusy() const
{
    return m_sending ? m_busy + (Simulator::Now() - m_begin) : m_busy;
}

std::vector<Ptr<LineWatch>>
WatchLines(Ptr<const Link> link, LimitClock& clock)
{
    std::vector<Ptr<LineWatch>> lines;
    for (const Ptr<NetDevice>& interface : link->GetInterfacesTowardsDevice())
    {
        lines.push_back(Create<LineWatch>(interface, clock, lines.size()));
    }
    return lines;
}

} // namespace ns3::study
