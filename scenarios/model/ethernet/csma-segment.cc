/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csma-segment.h"

#include "ns3/csma-helper.h"
#include "ns3/csma-net-device.h"
#include "ns3/string.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NetDeviceContainer
InstallCsmaSegment(const NodeContainer& nodes, DataRate rate, Time delay)
{
    CsmaHelper csma;
    // Room for a whole window of any segments: the interface is never where a frame is lost.
    csma.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("100000p"));
    csma.SetChannelAttribute("DataRate", DataRateValue(rate));
    csma.SetChannelAttribute("Delay", TimeValue(delay));
    const NetDeviceContainer interfaces = csma.Install(nodes);
    for (uint32_t i = 0; i < interfaces.GetN(); ++i)
    {
        // A station that finds the line busy looks again after each inter-frame gap (96 bits), so
        // that it never misses one; ns-3's own random backoff leaves the line idle for up to 1 ms.
        constexpr uint32_t noLimit = std::numeric_limits<uint32_t>::max();
        DynamicCast<CsmaNetDevice>(interfaces.Get(i))
            ->SetBackoffParams(std::max(rate.CalculateBitsTxTime(96), delay / 16),
                               1,
                               1,
                               1,
                               noLimit);
    }
    return interfaces;
}

} // namespace ns3
