/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idle-settings.h"

#include <algorithm>
#include <functional>
#include <map>

namespace ns3::study
{

namespace
{

/// The values of one end's attributes, as one writes them.
using Values = std::map<std::string, std::string>;

/// @return a rule: the attribute can do nothing while another one is this
std::function<bool(const Values&)>
While(const std::string& attribute, const std::string& value)
{
    return [=](const Values& end) {
        const auto found = end.find(attribute);
        return found != end.end() && found->second == value;
    };
}

/// @return whether the first window is no less than what it would grow to
bool
BeginsWithAll(const Values& end, const std::string& first, const std::string& all)
{
    return std::stoull(end.at(first)) >= std::stoull(end.at(all));
}

/// @return whether the receive buffer says what the window is
bool
HasBuffer(const Values& end)
{
    return std::stoull(end.at("HostReceiveBuffer")) > 0;
}

/// @return whether a device acknowledges as Linux does
bool
IsAdaptive(const Values& end)
{
    return end.at("DeviceAckRule") == "adaptive";
}

/// @return whether no ACK of a device is withheld by count
bool
CountsNothing(const Values& end)
{
    return std::stoul(end.at("AckFrequency")) <= 1 || IsAdaptive(end);
}

/// What can do nothing, and when, as far as one end tells.
const std::map<std::string, std::function<bool(const Values&)>> IDLE{
    {"SendBufferGrows", While("SendBufferRule", "bytes")},
    {"SendBufferOverhead", While("SendBufferRule", "bytes")},
    {"NagleRule", While("Nagle", "false")},
    {"InteractiveBytes", While("InteractiveAckLatency", "0ns")},
    {"HostFirstWindow",
     [](const Values& end) {
         return HasBuffer(end) || BeginsWithAll(end, "HostFirstWindow", "HostWindow");
     }},
    {"DeviceFirstWindow",
     [](const Values& end) { return BeginsWithAll(end, "DeviceFirstWindow", "ReceiveWindow"); }},
    {"HostWindow", HasBuffer},
    {"AckPushed", CountsNothing},
    {"AckFrequency", IsAdaptive},
    {"AckThreshold", IsAdaptive},
    {"WindowUpdates", IsAdaptive},
};

/// What does nothing without SACK.
const std::string RACK = "LossDetection";

/// @return whether one that has a rule was given: without it nothing need be looked at
bool
HasAnyToJudge(const ParameterSet& parameters)
{
    const auto& all = parameters.GetParameters();
    return std::any_of(all.begin(), all.end(), [&parameters](const Parameter& each) {
        return parameters.IsGiven(each) && (each.attribute == RACK || IDLE.count(each.attribute));
    });
}

/// @return whether both ends of all connections offer SACK
bool
UseSack(const std::map<std::string, Values>& ends)
{
    return std::all_of(ends.begin(), ends.end(), [](const auto& end) {
        return !While("HostSack", "false")(end.second) && !While("DeviceSack", "false")(end.second);
    });
}

} // namespace

std::vector<std::string>
GetIdleSettings(const ParameterSet& parameters)
{
    std::vector<std::string> idle;
    if (!HasAnyToJudge(parameters))
    {
        return idle;
    }
    std::map<std::string, Values> ends;
    for (const Parameter& each : parameters.GetParameters())
    {
        ends[each.group][each.attribute] = parameters.GetText(each);
    }
    for (const Parameter& each : parameters.GetParameters())
    {
        const Values& end = ends[each.group];
        if (!parameters.IsGiven(each) || end.at(each.attribute) == each.Format(*each.initial))
        {
            continue;
        }
        const auto rule = IDLE.find(each.attribute);
        if ((rule != IDLE.end() && rule->second(end)) || (each.attribute == RACK && !UseSack(ends)))
        {
            idle.push_back(each.key);
        }
    }
    return idle;
}

} // namespace ns3::study
