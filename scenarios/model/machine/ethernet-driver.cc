/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-driver.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(EthernetDriver);

TypeId
EthernetDriver::GetTypeId()
{
    static const double most = 1e6; // cycles
    static TypeId tid =
        TypeId("ns3::study::EthernetDriver")
            .SetParent<PacketPath>()
            .SetGroupName("Study")
            .AddConstructor<EthernetDriver>()
            .AddAttribute("SendCycles",
                          "Processor cycles for each packet sent, whatever its size: TCP, IP, "
                          "driver [1]",
                          DoubleValue(5000),
                          MakeDoubleAccessor(&EthernetDriver::m_sendCycles),
                          MakeDoubleChecker<double>(0, most))
            .AddAttribute("ReceiveCycles",
                          "Processor cycles for each packet received, whatever its size: "
                          "interrupt, driver, IP, TCP [1]",
                          DoubleValue(5000),
                          MakeDoubleAccessor(&EthernetDriver::m_receiveCycles),
                          MakeDoubleChecker<double>(0, most))
            .AddAttribute("TaskletCycles",
                          "Processor cycles for the tasklet that the driver schedules for each "
                          "packet received [1]",
                          DoubleValue(0),
                          MakeDoubleAccessor(&EthernetDriver::m_taskletCycles),
                          MakeDoubleChecker<double>(0, most))
            .AddAttribute("WordCycles",
                          "Processor cycles of the driver's copy loop for each word, besides "
                          "waiting for the bus [1]",
                          DoubleValue(10),
                          MakeDoubleAccessor(&EthernetDriver::m_wordCycles),
                          MakeDoubleChecker<double>(0, most))
            .AddAttribute("BusWidth",
                          "Width of the bus to the Ethernet controller [B]",
                          UintegerValue(2),
                          MakeUintegerAccessor(&EthernetDriver::m_busWidth),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("BusClock",
                          "Clock rate of the bus to the Ethernet controller [MHz]",
                          DoubleValue(8),
                          MakeDoubleAccessor(&EthernetDriver::m_busClock),
                          MakeDoubleChecker<double>(0.01, 100000))
            .AddAttribute("BusCycles",
                          "Clocks of the bus that a word takes without wait states [1]",
                          DoubleValue(2),
                          MakeDoubleAccessor(&EthernetDriver::m_busCycles),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("WaitStates",
                          "Wait states of the bus: more clocks for each word [1]",
                          DoubleValue(1),
                          MakeDoubleAccessor(&EthernetDriver::m_waitStates),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("InterfaceTransfer",
                          "Who moves a frame between memory and the Ethernet controller: the "
                          "processor (PIO) or the controller (DMA)",
                          EnumValue(PIO),
                          MakeEnumAccessor<Transfer>(&EthernetDriver::m_transfer),
                          MakeEnumChecker(PIO, "pio", DMA, "dma"));
    return tid;
}

std::vector<CpuWork>
EthernetDriver::GetSendWork(uint32_t octets) const
{
    std::vector<CpuWork> work{{CpuStage::SEND, GetCpu()->GetTime(m_sendCycles)}};
    AddCopy(work, octets);
    return work;
}

std::vector<CpuWork>
EthernetDriver::GetReceiveWork(uint32_t octets) const
{
    std::vector<CpuWork> work{{CpuStage::RECEIVE, GetCpu()->GetTime(m_receiveCycles)},
                              {CpuStage::TASKLET, GetCpu()->GetTime(m_taskletCycles)}};
    AddCopy(work, octets);
    return work;
}

Time
EthernetDriver::GetBusTime(uint32_t octets) const
{
    return m_transfer == DMA ? GetWordTime(octets) : Time();
}

void
EthernetDriver::AddCopy(std::vector<CpuWork>& work, uint32_t octets) const
{
    if (m_transfer == PIO)
    {
        work.push_back({CpuStage::COPY_LOOP, GetCpu()->GetTime(GetWords(octets) * m_wordCycles)});
        work.push_back({CpuStage::BUS, GetWordTime(octets)});
    }
}

uint32_t
EthernetDriver::GetWords(uint32_t octets) const
{
    return (octets + m_busWidth - 1) / m_busWidth;
}

Time
EthernetDriver::GetWordTime(uint32_t octets) const
{
    const double clocks = GetWords(octets) * (m_busCycles + m_waitStates);
    return NanoSeconds(static_cast<int64_t>(clocks * 1000 / m_busClock + 0.5));
}

} // namespace ns3::study
