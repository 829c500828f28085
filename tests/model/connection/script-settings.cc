/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Settings of packet scripts: their names are those of the ends' attributes, where these have them.
 */

#include "packet-script.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace ns3::study::tcp
{

Nanos
ToNanos(const std::string& text)
{
    static const std::map<std::string, double> units{{"ns", 1},
                                                     {"us", 1e3},
                                                     {"ms", 1e6},
                                                     {"s", 1e9},
                                                     {"", 1e9}};
    std::size_t used = 0;
    const double number = std::stod(text, &used);
    const auto unit = units.find(text.substr(used));
    if (unit == units.end())
    {
        throw std::invalid_argument("no time: " + text);
    }
    return Nanos(static_cast<int64_t>(number * unit->second + (number < 0 ? -0.5 : 0.5)));
}

void
SetByName(ConnectionSettings& s, const std::string& name, const std::string& text)
{
    bool found = false;
    const auto set = [&](const std::string& setting, auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if (name != setting)
        {
            return;
        }
        found = true;
        if constexpr (std::is_same_v<Value, Nanos>)
        {
            value = ToNanos(text);
        }
        else if constexpr (std::is_same_v<Value, bool>)
        {
            value = text == "true";
        }
        else
        {
            value = static_cast<Value>(std::stod(text));
        }
    };
    // The names of the values of an enumeration, in its order.
    const auto choose =
        [&](const std::string& setting, auto& value, const std::vector<std::string>& names) {
            if (name == setting)
            {
                const auto place = std::find(names.begin(), names.end(), text);
                value = static_cast<std::decay_t<decltype(value)>>(place - names.begin());
                found = place != names.end();
            }
        };
    set("Mss", s.mss);
    set("Window", s.window);
    set("FirstWindow", s.firstWindow);
    set("FixedBuffer", s.fixedBuffer);
    set("Sack", s.sack);
    set("Timestamps", s.timestamps);
    set("ReplyTime", s.replyTime);
    set("SegmentTime", s.segmentTime);
    set("AckLatency", s.attention.bulk);
    set("AckLatencyPerByte", s.attention.perByte);
    set("AckLatencySpread", s.attention.spread);
    set("InteractiveAckLatency", s.attention.interactive);
    set("InteractiveBytes", s.attention.interactiveBytes);
    set("WindowProbeLatency", s.attention.probe);
    set("SynAckLatency", s.attention.syn);
    set("ResetOnFinAck", s.resetOnFinAck);
    set("FirstPersistTimeout", s.firstPersist);
    set("LongestPersistTimeout", s.longestPersist);
    set("OverrideTimeout", s.overrideTimeout);
    set("TimeWait", s.timeWait);
    set("SynRetries", s.synRetries);
    set("DataRetries", s.dataRetries);
    set("SendBuffer", s.sendBuffer);
    set("SendBufferOverhead", s.blockOverhead);
    set("SendBufferGrows", s.bufferGrows);
    choose("SendBufferRule", s.countsMemory, {"bytes", "linux"});
    set("Nagle", s.nagle);
    set("PushFlag", s.push);
    set("InitialWindow", s.recovery.initialWindow);
    set("InitialRto", s.recovery.timeout.initial);
    set("MinimumRto", s.recovery.timeout.least);
    set("PeersAckDelay", s.recovery.peersAckDelay);
    set("AckFrequency", s.acks.frequency);
    set("AckThreshold", s.acks.threshold);
    set("QuickAcks", s.acks.quickAcks);
    set("AckPushed", s.acks.pushed);
    set("DelayedAckTimeout", s.acks.timeout);
    set("ReceiverSillyWindowAvoidance", s.acks.sillyWindowAvoidance);
    choose("NagleRule", s.minshall, {"rfc896", "minshall"});
    choose("SegmentBound", s.halvesSegments, {"mss", "half-window"});
    choose("LossDetection", s.recovery.rack, {"rfc6675", "rack-tlp"});
    choose("CongestionControl", s.recovery.growth, {"newreno", "reno", "cubic", "bbr"});
    choose("RtoRule", s.recovery.timeout.bound, {"rfc6298", "linux"});
    choose("SillyWindowAvoidance", s.smallWindow, {"rfc1122", "whole-segment", "none", "burst"});
    choose("AckRule", s.acks.count, {"segments", "octets", "adaptive"});
    choose("DelayedAckTimer", s.acks.timer, {"one-shot", "free-running"});
    choose("WindowUpdates", s.acks.updates, {"every-opening", "rfc1122", "bsd", "from-zero"});
    uint8_t scale = s.windowScale.value_or(0);
    set("WindowScale", scale);
    s.windowScale = name == "WindowScale" ? scale : s.windowScale;
    // All timers have one clock.
    Nanos tick = s.clock.GetTick();
    bool wheel = s.clock.HasWheel();
    set("TimerTick", tick);
    set("TimerWheel", wheel);
    if (name == "TimerTick" || name == "TimerWheel")
    {
        s.clock = s.recovery.timeout.clock = s.acks.clock = TimerClock(tick, wheel);
    }
    if (!found)
    {
        throw std::invalid_argument("no such setting or value: " + name + " " + text);
    }
}

} // namespace ns3::study::tcp
