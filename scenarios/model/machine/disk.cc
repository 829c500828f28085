/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "disk.h"

#include "model/core/rate-checker.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("Disk");

NS_OBJECT_ENSURE_REGISTERED(Disk);

TypeId
Disk::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::Disk")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<Disk>()
            .AddAttribute("DiskRate",
                          "Rate at which the disk is read when nothing else is done [bit/s]",
                          DataRateValue(DataRate("40Mbps")),
                          MakeDataRateAccessor(&Disk::m_rate),
                          MakeRateChecker(DataRate("1kbps"), DataRate("100Gbps")))
            .AddAttribute("DiskReading",
                          "What the processor does while the disk is read. held: nothing else. "
                          "waited: other work, while the reading program waits. read-ahead: the "
                          "program works, and the disk reads the next data meanwhile",
                          EnumValue(HELD),
                          MakeEnumAccessor<Reading>(&Disk::m_reading),
                          MakeEnumChecker(HELD, "held", WAITED, "waited", READ_AHEAD, "read-ahead"))
            .AddTraceSource("Waited",
                            "The reader waits for the disk, and the processor does not",
                            MakeTraceSourceAccessor(&Disk::m_waitedTrace),
                            "ns3::study::Disk::WaitedTracedCallback");
    return tid;
}

void
Disk::SetCpu(Ptr<Cpu> cpu)
{
    m_cpu = cpu;
}

void
Disk::Read(uint32_t size, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << size);
    if (m_reading == HELD)
    {
        m_left = size;
        ReadPages(done);
        return;
    }
    const Time began = m_ahead ? m_began : Simulator::Now();
    const Time wait =
        std::max(began + m_rate.CalculateBytesTxTime(size) - Simulator::Now(), Time());
    m_waitedTrace(wait.IsStrictlyPositive());
    m_deliverEvent = Simulator::Schedule(wait, &Disk::Deliver, this, done);
}

void
Disk::ReadPages(const std::function<void()>& done)
{
    const uint32_t page = std::min(m_left, PAGE);
    m_cpu->Do({{CpuStage::DISK, m_rate.CalculateBytesTxTime(page)}},
              Cpu::Priority::PROCESS,
              [this, page, done]() {
                  m_left -= page;
                  if (m_left > 0)
                  {
                      ReadPages(done);
                  }
                  else
                  {
                      done();
                  }
              });
}

void
Disk::Describe(StateRecord& state) const
{
    state.Add(m_left);
    state.AddTimer(m_deliverEvent);
    state.Add(m_ahead ? (Simulator::Now() - m_began).GetTimeStep() : -1);
}

void
Disk::Deliver(const std::function<void()>& done)
{
    NS_LOG_FUNCTION(this);
    m_waitedTrace(false);
    m_ahead = m_reading == READ_AHEAD;
    m_began = Simulator::Now();
    done();
}

void
Disk::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_deliverEvent.Cancel();
    m_cpu = nullptr;
    Object::DoDispose();
}

} // namespace ns3::study
