/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "line-watch.h"

#include "model/core/trace-listener.h"

#include "ns3/simulator.h"

namespace ns3::study
{

LineWatch::LineWatch(Ptr<NetDevice> device, std::function<void(int)> frames)
{
    // The interface keeps what it calls.
    const Ptr<LineWatch> self(this);
    ListenToPackets(device, {"MacTx"}, [frames]() { frames(+1); });
    ListenToPackets(device, {"MacTxDrop"}, [frames]() { frames(-1); });
    ListenToPackets(device, {"PhyTxBegin"}, [self]() {
        self->m_sending = true;
        self->m_begin = Simulator::Now();
    });
    ListenToPackets(device, {"PhyTxEnd", "PhyTxDrop"}, [self, frames]() {
        self->m_busy = self->GetBusy();
        self->m_sending = false;
        frames(-1);
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
        const std::size_t place = lines.size();
        lines.push_back(Create<LineWatch>(interface, [&clock, place](int change) {
            clock.InterfaceFrames(place, change);
        }));
    }
    return lines;
}

} // namespace ns3::study
