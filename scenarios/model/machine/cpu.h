/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CPU_H
#define CPU_H

#include "model/proof/state-record.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace ns3::study
{

/// What a processor can be busy with while it moves a file.
enum class CpuStage : uint8_t
{
    DISK,        //!< held while the disk delivers
    SYSTEM_CALL, //!< entering and leaving the kernel, a read, a write or a page of sendfile
    USER_COPY,   //!< page cache to the application's buffer
    SOCKET_COPY, //!< to the socket buffer, with the checksum
    SEND,        //!< TCP, IP and driver for a packet to send, whatever its size
    RECEIVE,     //!< interrupt, driver, IP and TCP for a packet that came, whatever its size
    TASKLET,     //!< the driver's own deferred step for a packet that came
    COPY_LOOP,   //!< the instructions that move a packet to or from the interface
    BUS,         //!< held while the bus takes or gives the words of a packet
    DRAIN,       //!< a device moves bytes to the printer's port
    IDLE,        //!< nothing to do
    N_STAGES
};

/// @return the name of a stage in results, e.g. socket_copy
std::string CpuStageName(CpuStage stage);

/// A piece of work.
struct CpuWork
{
    CpuStage stage; //!< what for
    Time time;      //!< how long
};

/**
 * @brief One processor, which does one thing at a time and counts what for.
 *
 * Tasks are done in the order they come, those of interrupts before those of processes. A task that
 * has begun is finished first, so one that takes long should come in parts.
 */
class Cpu : public Object
{
  public:
    static TypeId GetTypeId();

    /// Who wants work done.
    enum class Priority
    {
        INTERRUPT, //!< the kernel, for a packet: before any process
        PROCESS    //!< an application, and what it calls
    };

    /// Set the clock [MHz] of a processor made without attributes.
    void SetClock(double megahertz);
    /// @return how long a number of clock cycles takes
    Time GetTime(double cycles) const;
    /// Do a task, its parts one after the other, when its turn comes; done is called at its end.
    void Do(std::vector<CpuWork> work, Priority priority, std::function<void()> done);
    /// @return the time spent on a stage so far
    Time GetBusy(CpuStage stage) const;

    /// Add the work in hand and what waits. Whom each task's end is told is for those to know who
    /// asked for it.
    void Describe(StateRecord& state) const;
    /// Count time on a stage that was not simulated.
    void Skip(CpuStage stage, Time time);

    /// TracedCallback signature for a change of what the processor does.
    typedef void (*StageTracedCallback)(CpuStage stage);

  protected:
    void DoDispose() override;

  private:
    /// A task and whom to tell of its end.
    struct Task
    {
        std::vector<CpuWork> work;  //!< its parts
        std::function<void()> done; //!< called at the end
    };

    /// Add what is left of a task, from a part on.
    static void DescribeTask(StateRecord& state, const Task& task, std::size_t part);
    /// Take the next task, or idle.
    void TakeTask();
    /// Begin the next part of the task, or end it.
    void Step();
    /// Count what was done up to now, and go on with something else.
    void Enter(CpuStage stage);

    static constexpr auto STAGES = static_cast<std::size_t>(CpuStage::N_STAGES); //!< how many

    double m_clock;                          //!< clock rate [MHz]
    std::array<std::deque<Task>, 2> m_tasks; //!< that wait, by priority
    Task m_task;                             //!< the one in hand
    std::size_t m_part{0};                   //!< which part of it comes next
    bool m_working{false};                   //!< a task is in hand
    CpuStage m_stage{CpuStage::IDLE};        //!< what is being done
    Time m_since;                            //!< since when
    std::array<Time, STAGES> m_busy{};       //!< time spent, by stage
    EventId m_stepEvent;                     //!< the end of the part in hand
    TracedCallback<CpuStage> m_stageTrace;   //!< what the processor does from now on
};

} // namespace ns3::study

#endif /* CPU_H */
