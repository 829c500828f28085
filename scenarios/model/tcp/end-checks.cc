/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "end-checks.h"

#include "tcp-options.h"

#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <map>

namespace ns3::study
{

namespace
{

/// What the two parameters of an end say.
struct WindowOfEnd
{
    const Parameter* size{nullptr};  //!< the window's parameter
    const Parameter* scale{nullptr}; //!< the option's
    uint64_t window{0};              //!< [B]
    uint64_t first{0};               //!< where the window grows, what it begins with [B]
    uint64_t buffer{0};              //!< SO_RCVBUF, which takes the place of both [B]
    WindowScale windowScale{NO_SCALE};
};

/// @return what a group of parameters says
WindowOfEnd
FindWindow(const ParameterSet& parameters, const std::string& group)
{
    const auto find = [&](const std::string& ofHost, const std::string& ofDevice) {
        const auto& all = parameters.GetParameters();
        const auto found = std::find_if(all.begin(), all.end(), [&](const Parameter& each) {
            return each.group == group && (each.attribute == ofHost || each.attribute == ofDevice);
        });
        return found == all.end() ? nullptr : &*found;
    };
    const auto read = [&parameters](const Parameter* size) -> uint64_t {
        return size ? dynamic_cast<const UintegerValue&>(*parameters.GetValue(*size)).Get() : 0;
    };
    const Parameter* const buffer = find("HostReceiveBuffer", "");
    WindowOfEnd found;
    found.scale = find("HostWindowScale", "DeviceWindowScale");
    found.windowScale =
        dynamic_cast<const EnumValue<WindowScale>&>(*parameters.GetValue(*found.scale)).Get();
    found.buffer = read(buffer);
    found.size = found.buffer > 0 ? buffer : find("HostWindow", "ReceiveWindow");
    found.first = read(find("HostFirstWindow", "DeviceFirstWindow"));
    found.window = read(found.size);
    if (found.buffer > 0)
    {
        found.window = GetLargestOf(static_cast<uint32_t>(found.buffer));
        found.first = GetFirstOf(static_cast<uint32_t>(found.buffer));
    }
    return found;
}

/// Refuse a window that its end's option, and its peer's, cannot announce.
void
CheckWindow(const WindowOfEnd& own, const WindowOfEnd& peer)
{
    // One that grows does so as far as what both ends offer lets it.
    const bool grows = own.first > 0 && own.first < own.window;
    const std::string size = std::to_string(own.window) + " B";
    for (const WindowOfEnd* end : {&own, &peer})
    {
        if (!grows && own.window > tcp::LARGEST_UNSCALED && end->windowScale == NO_SCALE)
        {
            throw ParameterError(own.size->flag,
                                 size + " needs window scaling at both ends: give --" +
                                     own.scale->flag + "=auto and --" + peer.scale->flag +
                                     "=auto, or at most " + std::to_string(tcp::LARGEST_UNSCALED) +
                                     " B");
        }
    }
    if (own.windowScale > LARGEST_SHIFT)
    {
        return;
    }
    const uint64_t least = uint64_t{1} << own.windowScale;
    const uint64_t most = uint64_t{tcp::LARGEST_UNSCALED} << own.windowScale;
    if (own.window < least || own.window > most)
    {
        throw ParameterError(own.scale->flag,
                             "a shift of " + std::to_string(own.windowScale) +
                                 " announces windows of " + std::to_string(least) + " to " +
                                 std::to_string(most) + " B, and " + own.size->flag +
                                 (own.buffer > 0 ? " lets it grow to " : " is ") + size +
                                 "; give auto or another shift");
    }
}

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

void
CheckWindows(const ParameterSet& parameters, const std::string& one, const std::string& other)
{
    const WindowOfEnd first = FindWindow(parameters, one);
    const WindowOfEnd second = FindWindow(parameters, other);
    CheckWindow(first, second);
    CheckWindow(second, first);
}

void
CheckTimerWheels(const ParameterSet& parameters)
{
    const auto& all = parameters.GetParameters();
    for (const Parameter& each : all)
    {
        if (each.attribute != "TimerWheel" || parameters.GetText(each) == "false")
        {
            continue;
        }
        const Parameter& tick = *std::find_if(all.begin(), all.end(), [&](const Parameter& other) {
            return other.group == each.group && other.attribute == "TimerTick";
        });
        // CONFIG_HZ is at most 1000.
        const auto value = parameters.GetValue(tick);
        if (dynamic_cast<const TimeValue&>(*value).Get() < MilliSeconds(1))
        {
            throw ParameterError(tick.flag,
                                 "'" + parameters.GetText(tick) +
                                     "' is no tick of Linux's timer "
                                     "wheel: give 1ms to 1s, or " +
                                     each.flag + "=false");
        }
    }
}

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
