/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "request.h"

#include "model/core/notation.h"

#include "ns3/system-path.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace ns3::study
{

namespace
{

/// Set the parameters of a system.
void
SetSystem(ParameterSet& parameters, const std::string& name)
{
    const auto folder = std::filesystem::path(SystemPath::FindSelfDirectory()) / "systems";
    std::set<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    {
        if (entry.path().extension() == ".args")
        {
            names.insert(entry.path().stem().string());
        }
    }
    if (names.count(name) == 0)
    {
        throw ParameterError("system",
                             "there is no '" + name +
                                 "' among those of the last ./waf build; give one of: " +
                                 Join({names.begin(), names.end()}, ", ") +
                                 "; or build again, if its TOML file is new");
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

/// @return whether it is wanted
bool
ReadSwitch(const std::string& flag, const std::string& value)
{
    if (value != "true" && value != "false")
    {
        throw ParameterError(flag, "'" + value + "' is neither true nor false");
    }
    return value == "true";
}

} // namespace

Request
Understand(const std::vector<std::string>& arguments, ParameterSet& parameters, bool fastForward)
{
    Request request;
    request.files.fastForward = fastForward;
    request.canonical =
        std::find(arguments.begin(), arguments.end(), "--canonical") != arguments.end();
    std::string system;
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& argument : arguments)
    {
        if (argument.rfind("--", 0) != 0)
        {
            throw ParameterError("", "'" + argument + "' is not of the form --parameter=value");
        }
        const auto equals = argument.find('=');
        const std::string flag = argument.substr(2, equals - 2);
        const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
        const auto kind = std::find_if(FILE_KINDS.begin(),
                                       FILE_KINDS.end(),
                                       [&flag](const FileKind& each) { return each.flag == flag; });
        if (flag == "canonical")
        {
            continue;
        }
        if (request.canonical && flag != "batch")
        {
            request.values.push_back(argument);
        }
        else if (kind != FILE_KINDS.end())
        {
            request.files.*kind->member = value;
        }
        else if (flag == "describe")
        {
            request.describe = true;
        }
        else if (flag == "batch")
        {
            request.batch = true;
        }
        else if (flag == "help" || flag.rfind("Print", 0) == 0)
        {
            request.help = true;
        }
        else if (flag == "fast-forward")
        {
            request.files.fastForward = ReadSwitch(flag, value);
        }
        else if (flag == "tell-parameters")
        {
            request.tells = ReadSwitch(flag, value);
        }
        else if (flag == "system")
        {
            system = value;
        }
        else
        {
            values.emplace_back(flag, value);
        }
    }
    if (!system.empty())
    {
        SetSystem(parameters, system);
    }
    for (const auto& [flag, text] : values)
    {
        parameters.DropAlternative(flag);
    }
    for (const auto& [flag, text] : values)
    {
        parameters.Set(flag, text); // after the system's, so that what is given wins
    }
    return request;
}

} // namespace ns3::study
