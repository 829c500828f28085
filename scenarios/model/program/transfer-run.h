/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFER_RUN_H
#define TRANSFER_RUN_H

#include "json-object.h"
#include "scenario.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3::study
{

/// What bounds any run: its random numbers, and how long it may last or stand still.
class RunLimits : public Object
{
  public:
    static TypeId GetTypeId();

    uint32_t m_seed;  //!< of the random numbers
    Time m_timeLimit; //!< a run that takes longer is ended
    Time m_stallTime; //!< how long nothing may move, beyond all configured times
};

/**
 * @brief How a run begins and ends: in a fresh simulator, and once.
 *
 * It ends when what derives from it says so, at the time limit, or, where that is watched for, when
 * nothing has moved for longer than every timer together allows. What is built in between, and what
 * else the record tells, is for those who derive from it.
 */
class TransferRun
{
  public:
    /// The group is the part of the scenario that RunLimits belongs to.
    TransferRun(const ParameterSet& parameters,
                const RunFiles& files,
                const std::string& group = "job");
    virtual ~TransferRun() = default;

    /// Run to the end, tell what came out, and leave the simulator clean, whatever happens.
    void Run(JsonObject& record);

  protected:
    /// How a run ended.
    enum class Outcome
    {
        NONE,     //!< not yet
        FINISHED, //!< all is done
        STALLED,  //!< nothing moves, or an end gave up
        CUT_OFF   //!< the time limit was reached
    };

    /// Cut the run off after this time, instead of when it was to be before.
    void SetTimeLeft(Time left);
    /// End the run when nothing moves any more for this long, above 0.
    void WatchForStall(Time limit);
    /// Something has moved.
    void Progress();
    /// The run is over: note how, and in a sentence why it did not finish. Later calls change
    /// nothing.
    void End(Outcome outcome, const std::string& reason = "");
    /// @return how it ended
    Outcome GetOutcome() const;
    /// Add how it ended, how much it moved and how fast; only a finished run has a throughput.
    void AddOutcome(JsonObject& record, uint64_t bytes, Time duration) const;

    const ParameterSet& m_parameters; //!< the point
    const RunFiles& m_files;          //!< files to write
    const Ptr<RunLimits> m_limits;    //!< what bounds the run

  private:
    /// Put everything together, in a fresh simulator.
    virtual void Build() = 0;
    /// Tell what came out, and leave the files.
    virtual void Report(JsonObject& record) = 0;
    /// @return true while something is at work that will get there, or give up and say so itself;
    ///         asked by WatchForStall() alone
    virtual bool IsAtWork() const;
    /// @return one sentence on what is waited for
    virtual std::string DescribeWait() const = 0;
    /// It has ended: stop the clocks, and the simulator when both ends have closed.
    virtual void Ended() = 0;

    Outcome m_outcome{Outcome::NONE}; //!< how it ended
    std::string m_reason;             //!< why it did not finish
    Time m_lastProgress;              //!< when something last moved
    EventId m_timeLimitEvent;         //!< the run is ended at its time limit
};

} // namespace ns3::study

#endif /* TRANSFER_RUN_H */
