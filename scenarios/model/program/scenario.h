/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_H
#define SCENARIO_H

#include "json-object.h"
#include "parameter-set.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::study
{

/// Files a run leaves beside its record, an empty name meaning none, and what else about a
///        run changes nothing in its result.
struct RunFiles
{
    std::string pcap;       //!< capture at the host's interface
    std::string wanPcap;    //!< capture of a branch's frame-relay line
    std::string segments;   //!< segment table, as comma-separated values
    std::string waits;      //!< who waited for what, and when, as comma-separated values
    bool fastForward{true}; //!< take proven cycles off; never a run that leaves a file

    /// @return true if the run leaves none
    bool IsEmpty() const
    {
        return (pcap + wanPcap + segments + waits).empty();
    }
};

/// A number that a run's record holds.
struct ResultField
{
    std::string key;  //!< name in the record, with its unit
    std::string unit; //!< B, s, B/s or 1
    std::string help; //!< one sentence
};

/// What to do about a job that is larger than any that is run, behind its refusal.
constexpr const char* A_SHORTER_JOB =
    " (a longer job only repeats itself: its steady rate is that of a shorter one)";

/// A study's situation: parameters in, one run, a flat record out.
struct Scenario
{
    std::string name;                 //!< its program's name, too
    std::string help;                 //!< one sentence on what is studied
    ParameterSet parameters;          //!< with their defaults
    std::vector<ResultField> results; //!< the numbers in the record of a run
    std::vector<JsonObject> limits;   //!< what a run can wait for, and what relieves it
    std::vector<std::string> files;   //!< flags of what a run can leave: pcap, segments, wan-pcap
    /// Run one point in a fresh simulator, and leave it clean.
    ///
    /// Takes the point, what to write beside the record, and where to add what came out. Throws
    /// std::runtime_error if a file cannot be written.
    std::function<void(const ParameterSet&, const RunFiles&, JsonObject&)> run;
};

} // namespace ns3::study

#endif /* SCENARIO_H */
