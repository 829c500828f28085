/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "line-watch.h"

#include "ns3/callback.h"
#include "ns3/simulator.h"

namespace ns3::study
{

LineWatch::LineWatch(Ptr<NetDevice> device, std::function<void(int)> frames)
{
    // The interface keeps what it calls.
    const Ptr<LineWatch> self(this);
    const auto on = [&](const std::string& source, std::function<void()> action) {
        device->TraceConnectWithoutContext(
            source,
            Callback<void, Ptr<const Packet>>([self, action](Ptr<const Packet>) { action(); }));
    };
    on("MacTx", [frames]() { frames(+1); });
    on("MacTxDrop", [frames]() { frames(-1); });
    on("PhyTxBegin", [this]() {
        m_sending = true;
        m_begin = Simulator::Now();
    });
    const auto ended = [this, frames]() {
        m_busy = GetBusy();
        m_sending = false;
        frames(-1);
    };
    on("PhyTxEnd", ended);
    on("PhyTxDrop", ended);
}

Time
LineWatch::GetBusy() const
{
    return m_sending ? m_busy + (Simulator::Now() - m_begin) : m_busy;
}

} // namespace ns3::study
