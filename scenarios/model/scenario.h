/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_H
#define SCENARIO_H

#include "json-object.h"
#include "parameter.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @brief Files a run leaves beside its record; an empty name means none.
 */
struct RunFiles
{
    std::string pcap;     //!< capture at the host's interface
    std::string wanPcap;  //!< capture of a branch's frame-relay line
    std::string segments; //!< segment table, as comma-separated values
};

/**
 * @brief A number that a run's record holds.
 */
struct ResultField
{
    std::string key;  //!< name in the record, with its unit
    std::string unit; //!< B, s, B/s or 1
    std::string help; //!< one sentence
};

/**
 * @brief A study's situation: parameters in, one run, a flat record out.
 */
class Scenario
{
  public:
    virtual ~Scenario() = default;

    /**
     * @return the scenario's name, which is its program's
     */
    virtual std::string GetName() const = 0;
    /**
     * @return one sentence on what is studied
     */
    virtual std::string GetHelp() const = 0;
    /**
     * @return its parameters, with their defaults
     */
    virtual ParameterSet GetParameters() const = 0;
    /**
     * @return the numbers in the record of a run
     */
    virtual std::vector<ResultField> GetResults() const = 0;
    /**
     * @brief Run one point in a fresh simulator, and leave it clean.
     * @param parameters the point
     * @param files what to write beside the record
     * @param record where to add what came out
     * @throw std::runtime_error if a file cannot be written
     */
    virtual void Run(const ParameterSet& parameters, const RunFiles& files, JsonObject& record) = 0;
};

} // namespace ns3

#endif /* SCENARIO_H */
