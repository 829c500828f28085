/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-processor.h"

#include "ns3/double.h"
#include "ns3/log.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("DeviceProcessor");

NS_OBJECT_ENSURE_REGISTERED(DeviceProcessor);

TypeId
DeviceProcessor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::DeviceProcessor")
            .SetParent<PacketPath>()
            .SetGroupName("Study")
            .AddConstructor<DeviceProcessor>()
            .AddAttribute("DeviceClock",
                          "Clock rate of the device's processor; 0 for one that takes no time "
                          "beyond the device's latencies [MHz]",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DeviceProcessor::m_clock),
                          MakeDoubleChecker<double>(0, 100000))
            .AddAttribute("DevicePacketCycles",
                          "Cycles of the device's processor for each packet, received or sent, "
                          "whatever its size [1]",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DeviceProcessor::m_packetCycles),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("DeviceByteCycles",
                          "Cycles of the device's processor for each octet of a frame received, "
                          "from the interface to the buffer [1]",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DeviceProcessor::m_byteCycles),
                          MakeDoubleChecker<double>(0, 10000))
            .AddAttribute("DeviceDrainCycles",
                          "Cycles of the device's processor for each byte passed on from the "
                          "buffer to the printer's port [1]",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DeviceProcessor::m_drainCycles),
                          MakeDoubleChecker<double>(0, 10000));
    return tid;
}

bool
DeviceProcessor::IsOn() const
{
    return m_clock > 0;
}

void
DeviceProcessor::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    Ptr<Cpu> cpu = CreateObject<Cpu>();
    cpu->SetClock(m_clock);
    PacketPath::Install(node, cpu);
}

void
DeviceProcessor::Drain(uint32_t size, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << size);
    GetCpu()->Do({{CpuStage::DRAIN, GetCpu()->GetTime(size * m_drainCycles)}},
                 Cpu::Priority::PROCESS,
                 std::move(done));
}

Time
DeviceProcessor::GetLongest(uint32_t size) const
{
    return GetCpu()->GetTime(size * (2 * m_packetCycles + 60 * m_byteCycles + m_drainCycles));
}

std::vector<CpuWork>
DeviceProcessor::GetSendWork(uint32_t /* octets */) const
{
    return {{CpuStage::SEND, GetCpu()->GetTime(m_packetCycles)}};
}

std::vector<CpuWork>
DeviceProcessor::GetReceiveWork(uint32_t octets) const
{
    return {{CpuStage::RECEIVE, GetCpu()->GetTime(m_packetCycles)},
            {CpuStage::COPY_LOOP, GetCpu()->GetTime(octets * m_byteCycles)}};
}

} // namespace ns3::study
