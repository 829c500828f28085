/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cpu.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("Cpu");

NS_OBJECT_ENSURE_REGISTERED(Cpu);

std::string
CpuStageName(CpuStage stage)
{
    static const std::array<std::string, static_cast<std::size_t>(CpuStage::N_STAGES)> names{
        "disk",
        "system_call",
        "user_copy",
        "socket_copy",
        "send",
        "receive",
        "tasklet",
        "copy_loop",
        "bus",
        "drain",
        "idle",
    };
    return names.at(static_cast<std::size_t>(stage));
}

TypeId
Cpu::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::Cpu")
                            .SetParent<Object>()
                            .SetGroupName("Study")
                            .AddConstructor<Cpu>()
                            .AddAttribute("CpuClock",
                                          "Clock rate of the processor [MHz]",
                                          DoubleValue(250),
                                          MakeDoubleAccessor(&Cpu::m_clock),
                                          MakeDoubleChecker<double>(0.01, 100000))
                            .AddTraceSource("Stage",
                                            "What the processor does from now on",
                                            MakeTraceSourceAccessor(&Cpu::m_stageTrace),
                                            "ns3::study::Cpu::StageTracedCallback");
    return tid;
}

void
Cpu::SetClock(double megahertz)
{
    m_clock = megahertz;
}

Time
Cpu::GetTime(double cycles) const
{
    return NanoSeconds(static_cast<int64_t>(cycles * 1000 / m_clock + 0.5));
}

void
Cpu::Do(std::vector<CpuWork> work, Priority priority, std::function<void()> done)
{
    NS_LOG_FUNCTION(this << work.size());
    m_tasks[static_cast<std::size_t>(priority)].push_back({std::move(work), std::move(done)});
    if (!m_working)
    {
        TakeTask();
    }
}

Time
Cpu::GetBusy(CpuStage stage) const
{
    const Time current = stage == m_stage ? Simulator::Now() - m_since : Time();
    return m_busy[static_cast<std::size_t>(stage)] + current;
}

void
Cpu::Describe(StateRecord& state) const
{
    state.Add(static_cast<int64_t>(m_stage));
    state.AddTimer(m_stepEvent);
    state.Add(m_working);
    if (m_working)
    {
        DescribeTask(state, m_task, m_part);
    }
    for (const auto& tasks : m_tasks)
    {
        state.Add(static_cast<int64_t>(tasks.size()));
        for (const Task& task : tasks)
        {
            DescribeTask(state, task, 0);
        }
    }
}

void
Cpu::DescribeTask(StateRecord& state, const Task& task, std::size_t part)
{
    state.Add(static_cast<int64_t>(task.work.size() - part));
    for (; part < task.work.size(); ++part)
    {
        state.Add(static_cast<int64_t>(task.work[part].stage));
        state.Add(task.work[part].time.GetTimeStep());
    }
}

void
Cpu::Skip(CpuStage stage, Time time)
{
    m_busy[static_cast<std::size_t>(stage)] += time;
}

void
Cpu::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_stepEvent.Cancel();
    for (auto& tasks : m_tasks)
    {
        tasks.clear();
    }
    m_task = {};
    Object::DoDispose();
}

void
Cpu::TakeTask()
{
    m_working = false;
    for (auto& tasks : m_tasks)
    {
        if (!tasks.empty())
        {
            m_working = true;
            m_task = std::move(tasks.front());
            m_part = 0;
            tasks.pop_front();
            Step();
            return;
        }
    }
    Enter(CpuStage::IDLE);
}

void
Cpu::Step()
{
    if (m_part < m_task.work.size())
    {
        const CpuWork work = m_task.work[m_part++];
        Enter(work.stage);
        m_stepEvent = Simulator::Schedule(work.time, &Cpu::Step, this);
        return;
    }
    const std::function<void()> done = std::move(m_task.done);
    done(); // what it asks for waits its turn
    TakeTask();
}

void
Cpu::Enter(CpuStage stage)
{
    NS_LOG_FUNCTION(this << CpuStageName(stage));
    m_busy[static_cast<std::size_t>(m_stage)] += Simulator::Now() - m_since;
    m_since = Simulator::Now();
    if (stage != m_stage)
    {
        m_stage = stage;
        m_stageTrace(stage);
    }
}

} // namespace ns3::study
