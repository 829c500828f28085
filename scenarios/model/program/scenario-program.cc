/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-program.h"

#include "canonical.h"
#include "model/core/notation.h"
#include "model/core/ns3-version.h"
#include "request.h"
#include "whole-file.h"

#include "ns3/command-line.h"
#include "ns3/names.h"
#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <sstream>

namespace ns3::study
{

namespace
{

constexpr uint64_t RECORD_FORMAT = 1;

/// Refuse a file that cannot be written, before the run.
void
CheckWritable(const std::string& flag, const std::string& name)
{
    try
    {
        WholeFile file(name);
        const bool written = static_cast<bool>(file.GetStream());
        if (written && !std::filesystem::is_directory(name))
        {
            return;
        }
    }
    catch (const std::filesystem::filesystem_error&)
    {
        // A name that cannot even be looked at: the sentence below says what to do.
    }
    throw ParameterError(flag,
                         "'" + name +
                             "' cannot be written; give a file in a folder that exists and is "
                             "writable");
}

/// @return true if a run of it can leave such a file
bool
Leaves(const Scenario& scenario, const std::string& flag)
{
    return std::find(scenario.files.begin(), scenario.files.end(), flag) != scenario.files.end();
}

/// Refuse files that a run does not leave, that cannot be written, or that are one and the same.
void
CheckFiles(const Scenario& scenario, const RunFiles& files)
{
    std::map<std::filesystem::path, std::string> taken;
    for (const FileKind& kind : FILE_KINDS)
    {
        const std::string flag = kind.flag;
        const std::string& name = files.*kind.member;
        if (name.empty())
        {
            continue;
        }
        if (!Leaves(scenario, flag))
        {
            throw ParameterError(flag,
                                 "no run of " + scenario.name + " leaves such a file; " +
                                     (scenario.files.empty()
                                          ? "leave it out"
                                          : "give --" + Join(scenario.files, " or --")));
        }
        CheckWritable(flag, name);
        const auto [other, isNew] = taken.insert({std::filesystem::weakly_canonical(name), flag});
        if (!isNew)
        {
            throw ParameterError(flag,
                                 "what --" + other->second +
                                     " asks for goes to that file; give another");
        }
    }
}

/// Run one point and put its record together, with its parameters if they are to be told.
JsonObject
RunPoint(const Scenario& scenario, const ParameterSet& parameters, const RunFiles& files, bool tell)
{
    CheckFiles(scenario, files);
    // What Simulator::Destroy() leaves behind would make a point depend on the ones before it.
    RngSeedManager::ResetNextStreamIndex();
    Names::Clear();
    JsonObject record;
    record.Add("format", RECORD_FORMAT);
    record.Add("scenario", scenario.name);
    scenario.run(parameters, files, record);
    if (tell)
    {
        record.Add("parameters", parameters.ToJson());
    }
    return record;
}

/// Write a line to standard output, or say that it cannot be written.
void
Print(const JsonObject& json)
{
    std::cout << json.ToString() << '\n' << std::flush;
    if (!std::cout)
    {
        throw std::runtime_error("standard output cannot be written to; is the disk full?");
    }
}

/// Print what the scenario takes and gives.
void
PrintDescription(const Scenario& scenario, const ParameterSet& parameters)
{
    std::vector<JsonObject> parameterList;
    for (const auto& parameter : parameters.GetParameters())
    {
        parameterList.push_back(parameter.ToJson());
    }
    std::vector<JsonObject> resultList;
    for (const auto& field : scenario.results)
    {
        JsonObject json;
        json.Add("key", field.key);
        json.Add("unit", field.unit);
        json.Add("help", field.help);
        resultList.push_back(json);
    }
    JsonObject description;
    description.Add("format", RECORD_FORMAT);
    description.Add("scenario", scenario.name);
    description.Add("help", scenario.help);
    description.Add("ns3", DescribeNs3());
    description.Add("parameters", parameterList);
    description.Add("results", resultList);
    description.Add("limits", scenario.limits);
    description.Add("files", scenario.files);
    Print(description);
}

/// Let ns-3's CommandLine print its help.
void
PrintHelp(int argc, char* argv[], const Scenario& scenario, const ParameterSet& parameters)
{
    CommandLine command;
    command.Usage(scenario.help);
    std::string ignored;
    command.AddValue("system", "Start from the parameters of this measured system", ignored);
    for (const FileKind& kind : FILE_KINDS)
    {
        if (Leaves(scenario, kind.flag))
        {
            command.AddValue(kind.flag, kind.help, ignored);
        }
    }
    bool on = true;
    command.AddValue("fast-forward",
                     "Take cycles off that are proven to repeat, instead of simulating them; the "
                     "record is the same (true or false)",
                     on);
    command.AddValue("tell-parameters",
                     "Tell the run's parameters in its record (true or false); whoever gave them "
                     "to a batch knows them",
                     on);
    bool off = false;
    command.AddValue("describe", "Print parameters and results as JSON", off);
    command.AddValue("batch", "Run one point for each line of standard input", off);
    command.AddValue(
        "canonical",
        "Run nothing: print the other arguments' values in their canonical notation as "
        "JSON; with --batch those of each line of standard input, separated by tabs",
        off);
    std::list<std::string> values; // Parse() writes into them, so none may move or go before
    for (const auto& parameter : parameters.GetParameters())
    {
        command.AddValue(parameter.flag,
                         parameter.help + " (" + parameter.GetAllowed() + ")",
                         values.emplace_back(parameter.Format(*parameter.initial)));
    }
    command.Parse(argc, argv);
}

/// Print what values are, of the arguments or of each line of standard input.
void
TellCanonical(const ParameterSet& parameters, const Request& asked)
{
    if (!asked.batch)
    {
        Print(ToCanonical(parameters, asked.values, true));
        return;
    }
    for (std::string line; std::getline(std::cin, line);)
    {
        Print(ToCanonical(parameters, SplitValues(line), false));
    }
}

/// Answer every line of standard input with a record or an error, in order.
void
RunBatch(const Scenario& scenario, const ParameterSet& base, const Request& asked)
{
    for (std::string line; std::getline(std::cin, line);)
    {
        std::istringstream words(line);
        const std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
        JsonObject answer;
        try
        {
            ParameterSet parameters = base;
            const Request request = Understand(arguments, parameters, asked.files.fastForward);
            if (request.describe || request.batch || request.help || request.canonical)
            {
                throw ParameterError("", "a line of a batch is a point: --parameter=value ...");
            }
            answer = RunPoint(scenario, parameters, request.files, asked.tells && request.tells);
        }
        catch (const std::exception& error)
        {
            const auto wrong = dynamic_cast<const ParameterError*>(&error);
            answer.Add("error", std::string(error.what()));
            answer.Add("parameter", wrong ? wrong->parameter : "");
        }
        Print(answer);
    }
}

} // namespace

int
RunScenarioProgram(int argc, char* argv[], const Scenario& scenario)
{
    try
    {
        ParameterSet parameters = scenario.parameters;
        const Request request =
            Understand(std::vector<std::string>(argv + 1, argv + argc), parameters);
        if (request.canonical)
        {
            TellCanonical(parameters, request);
            return 0;
        }
        if (request.batch && !request.files.IsEmpty())
        {
            throw ParameterError("",
                                 "--batch takes no --pcap, --wan-pcap or --segments; a line of it "
                                 "may");
        }
        if (request.help)
        {
            PrintHelp(argc, argv, scenario, parameters);
        }
        else if (request.describe)
        {
            PrintDescription(scenario, parameters);
        }
        else if (request.batch)
        {
            RunBatch(scenario, parameters, request);
        }
        else
        {
            Print(RunPoint(scenario, parameters, request.files, request.tells));
        }
        return 0;
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << '\n';
        return 2;
    }
}

} // namespace ns3::study
