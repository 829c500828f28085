/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "scenario-program.h"

#include "whole-file.h"

#include "ns3/command-line.h"
#include "ns3/names.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint64_t RECORD_FORMAT = 1;

/// What the arguments ask for besides parameters.
struct Request
{
    bool describe{false}; //!< print the declaration
    bool batch{false};    //!< points on standard input
    bool help{false};     //!< let ns-3's CommandLine answer
    RunFiles files;       //!< files to write
};

/**
 * @return names of the systems the program knows
 */
std::vector<std::string>
ListSystems(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    {
        if (entry.path().extension() == ".args")
        {
            names.push_back(entry.path().stem().string());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/**
 * @brief Set the parameters of a system.
 * @param parameters where to set them
 * @param name the system
 */
void
SetSystem(ParameterSet& parameters, const std::string& name)
{
    const auto folder = std::filesystem::canonical("/proc/self/exe").parent_path() / "systems";
    const auto names = ListSystems(folder);
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        std::string known;
        for (const auto& each : names)
        {
            known += (known.empty() ? "" : ", ") + each;
        }
        throw ParameterError("system", "system: there is no '" + name + "'; give one of: " + known);
    }
    std::ifstream file(folder / (name + ".args"));
    for (std::string line; std::getline(file, line);)
    {
        const auto equals = line.find('=');
        if (line.rfind("--", 0) == 0 && equals != std::string::npos)
        {
            parameters.Set(line.substr(2, equals - 2), line.substr(equals + 1));
        }
    }
}

/**
 * @brief Understand arguments.
 * @param arguments the arguments, of the form --name or --name=value
 * @param parameters where to set the point
 * @param fastForward whether to fast-forward when they do not say
 * @return what else they ask for
 */
Request
Understand(const std::vector<std::string>& arguments,
           ParameterSet& parameters,
           bool fastForward = true)
{
    Request request;
    request.files.fastForward = fastForward;
    std::string system;
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& argument : arguments)
    {
        const auto equals = argument.find('=');
        const std::string name = argument.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
        if (name.rfind("--", 0) != 0)
        {
            throw ParameterError("", "'" + argument + "' is not of the form --parameter=value");
        }
        if (name == "--describe")
        {
            request.describe = true;
        }
        else if (name == "--batch")
        {
            request.batch = true;
        }
        else if (name == "--help" || name.rfind("--Print", 0) == 0)
        {
            request.help = true;
        }
        else if (name == "--pcap")
        {
            request.files.pcap = value;
        }
        else if (name == "--wan-pcap")
        {
            request.files.wanPcap = value;
        }
        else if (name == "--segments")
        {
            request.files.segments = value;
        }
        else if (name == "--fast-forward")
        {
            if (value != "true" && value != "false")
            {
                throw ParameterError("fast-forward",
                                     "fast-forward: '" + value + "' is neither true nor false");
            }
            request.files.fastForward = value == "true";
        }
        else if (name == "--system")
        {
            system = value;
        }
        else
        {
            values.emplace_back(name.substr(2), value);
        }
    }
    if (!system.empty())
    {
        SetSystem(parameters, system);
    }
    for (const auto& [flag, text] : values)
    {
        parameters.Set(flag, text); // after the system's, so that what is given wins
    }
    return request;
}

/**
 * @brief Refuse a file that cannot be written, before the run.
 * @param flag the file's flag
 * @param name its name, or empty
 */
void
CheckWritable(const std::string& flag, const std::string& name)
{
    if (name.empty())
    {
        return;
    }
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
                         flag + ": '" + name +
                             "' cannot be written; give a file in a folder that exists and is "
                             "writable");
}

/**
 * @brief Refuse files that cannot be written, or that are one and the same.
 * @param files the files
 */
void
CheckFiles(const RunFiles& files)
{
    std::map<std::filesystem::path, std::string> taken;
    for (const auto& [flag, name] : {std::pair{"pcap", files.pcap},
                                     std::pair{"wan-pcap", files.wanPcap},
                                     std::pair{"segments", files.segments}})
    {
        CheckWritable(flag, name);
        const auto path = std::filesystem::weakly_canonical(name);
        const auto [other, isNew] = taken.insert({path, flag});
        if (!name.empty() && !isNew)
        {
            throw ParameterError(flag,
                                 std::string(flag) + ": what --" + other->second +
                                     " asks for goes to that file; give another");
        }
    }
}

/**
 * @brief Run one point and put its record together.
 * @param scenario the scenario
 * @param parameters the point
 * @param files files to write
 * @return the record
 */
JsonObject
RunPoint(const Scenario& scenario, const ParameterSet& parameters, const RunFiles& files)
{
    CheckFiles(files);
    // What Simulator::Destroy() leaves behind would make a point depend on the ones before it.
    RngSeedManager::ResetNextStreamIndex();
    Names::Clear();
    JsonObject record;
    record.Add("format", RECORD_FORMAT);
    record.Add("scenario", scenario.name);
    scenario.run(parameters, files, record);
    record.Add("parameters", parameters.ToJson());
    return record;
}

/**
 * @brief Write a line to standard output, or say that it cannot be written.
 * @param json what to write
 */
void
Print(const JsonObject& json)
{
    std::cout << json.ToString() << '\n' << std::flush;
    if (!std::cout)
    {
        throw std::runtime_error("standard output cannot be written to; is the disk full?");
    }
}

/**
 * @brief Print what the scenario takes and gives.
 * @param scenario the scenario
 * @param parameters its parameters
 */
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
    description.Add("ns3",
                    std::to_string(NS3_STUDY_NS3_VERSION / 100) + "." +
                        std::to_string(NS3_STUDY_NS3_VERSION % 100));
    description.Add("parameters", parameterList);
    description.Add("results", resultList);
    Print(description);
}

/**
 * @brief Let ns-3's CommandLine print its help.
 * @param argc number of arguments
 * @param argv the arguments
 * @param scenario the scenario
 * @param parameters its parameters
 */
void
PrintHelp(int argc, char* argv[], const Scenario& scenario, const ParameterSet& parameters)
{
    CommandLine command;
    command.Usage(scenario.help);
    std::string ignored;
    command.AddValue("system", "Start from the parameters of this measured system", ignored);
    command.AddValue("pcap", "Write a capture of the host's interface to this file", ignored);
    command.AddValue("wan-pcap", "Write a capture of the frame-relay line to this file", ignored);
    command.AddValue("segments", "Write the segment table to this file", ignored);
    bool on = true;
    command.AddValue("fast-forward",
                     "Take cycles off that are proven to repeat, instead of simulating them; the "
                     "record is the same (true or false)",
                     on);
    bool off = false;
    command.AddValue("describe", "Print parameters and results as JSON", off);
    command.AddValue("batch", "Run one point for each line of standard input", off);
    for (const auto& parameter : parameters.GetParameters())
    {
        std::string value = parameter.Format(*parameter.initial);
        command.AddValue(parameter.flag,
                         parameter.help + " (" + parameter.GetAllowed() + ")",
                         value);
    }
    command.Parse(argc, argv);
}

/**
 * @brief Answer every line of standard input with a record or an error, in order.
 * @param scenario the scenario
 * @param base the parameters every point starts from
 * @param fastForward whether to fast-forward points that do not say
 */
void
RunBatch(const Scenario& scenario, const ParameterSet& base, bool fastForward)
{
    for (std::string line; std::getline(std::cin, line);)
    {
        std::istringstream words(line);
        std::vector<std::string> arguments;
        for (std::string word; words >> word;)
        {
            arguments.push_back(word);
        }
        JsonObject answer;
        try
        {
            ParameterSet parameters = base;
            const Request request = Understand(arguments, parameters, fastForward);
            if (request.describe || request.batch || request.help)
            {
                throw ParameterError("", "a line of a batch is a point: --parameter=value ...");
            }
            answer = RunPoint(scenario, parameters, request.files);
        }
        catch (const ParameterError& error)
        {
            answer.Add("error", std::string(error.what()));
            answer.Add("parameter", error.parameter);
        }
        catch (const std::exception& error)
        {
            answer.Add("error", std::string(error.what()));
            answer.Add("parameter", std::string());
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
        const RunFiles& files = request.files;
        if (request.batch && !(files.pcap + files.wanPcap + files.segments).empty())
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
            RunBatch(scenario, parameters, request.files.fastForward);
        }
        else
        {
            Print(RunPoint(scenario, parameters, request.files));
        }
        return 0;
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << '\n';
        return 2;
    }
}

} // namespace ns3
