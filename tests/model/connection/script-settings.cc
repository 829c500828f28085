/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Settings of a packet script by the names of attributes, without the end that has them.
 */

#include "packet-script.h"

#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

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

namespace
{

using Setter = std::function<void(ConnectionSettings&, const std::string&)>;

/// @return what sets a number, a time or a yes and no; `get` returns where it is
template <typename Get>
Setter
To(Get get)
{
    return [get](ConnectionSettings& settings, const std::string& text) {
        auto& value = get(settings);
        using Value = std::remove_reference_t<decltype(value)>;
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
}

/// @return what sets one of some values, whose names are in the order of their enumeration
template <typename Get>
Setter
To(Get get, const std::string& names)
{
    return [get, names](ConnectionSettings& settings, const std::string& text) {
        auto& value = get(settings);
        std::istringstream list(names);
        int place = 0;
        for (std::string name; list >> name; ++place)
        {
            if (name == text)
            {
                value = static_cast<std::remove_reference_t<decltype(value)>>(place);
                return;
            }
        }
        throw std::invalid_argument("no such value: " + text);
    };
}

/// Give all timers a clock.
void
SetClock(ConnectionSettings& settings, const TimerClock& clock)
{
    settings.clock = settings.recovery.timeout.clock = settings.acks.clock = clock;
}

/// @return what finds a member by a path
#define AT(path) [](ConnectionSettings& s) -> auto& { return s.path; }

/// @return all settings
const std::map<std::string, Setter>&
GetSetters()
{
    static const std::map<std::string, Setter> setters{
        {"Mss", To(AT(mss))},
        {"Window", To(AT(window))},
        {"FirstWindow", To(AT(firstWindow))},
        {"FixedBuffer", To(AT(fixedBuffer))},
        {"WindowScale",
         [](ConnectionSettings& s, const std::string& text) {
             s.windowScale = static_cast<uint8_t>(std::stoul(text));
         }},
        {"Sack", To(AT(sack))},
        {"Timestamps", To(AT(timestamps))},
        {"ReplyTime", To(AT(replyTime))},
        {"SegmentTime", To(AT(segmentTime))},
        {"AckLatency", To(AT(attention.bulk))},
        {"AckLatencyPerByte", To(AT(attention.perByte))},
        {"AckLatencySpread", To(AT(attention.spread))},
        {"InteractiveAckLatency", To(AT(attention.interactive))},
        {"InteractiveBytes", To(AT(attention.interactiveBytes))},
        {"WindowProbeLatency", To(AT(attention.probe))},
        {"SynAckLatency", To(AT(attention.syn))},
        {"ResetOnFinAck", To(AT(resetOnFinAck))},
        {"FirstPersistTimeout", To(AT(firstPersist))},
        {"LongestPersistTimeout", To(AT(longestPersist))},
        {"OverrideTimeout", To(AT(overrideTimeout))},
        {"TimeWait", To(AT(timeWait))},
        {"SynRetries", To(AT(synRetries))},
        {"DataRetries", To(AT(dataRetries))},
        {"SendBuffer", To(AT(sendBuffer))},
        {"SendBufferOverhead", To(AT(blockOverhead))},
        {"SendBufferGrows", To(AT(bufferGrows))},
        {"SendBufferRule", To(AT(countsMemory), "bytes linux")},
        {"Nagle", To(AT(nagle))},
        {"PushFlag", To(AT(push))},
        {"InitialWindow", To(AT(recovery.initialWindow))},
        {"InitialRto", To(AT(recovery.timeout.initial))},
        {"MinimumRto", To(AT(recovery.timeout.least))},
        {"PeersAckDelay", To(AT(recovery.peersAckDelay))},
        {"AckFrequency", To(AT(acks.frequency))},
        {"AckThreshold", To(AT(acks.threshold))},
        {"QuickAcks", To(AT(acks.quickAcks))},
        {"AckPushed", To(AT(acks.pushed))},
        {"DelayedAckTimeout", To(AT(acks.timeout))},
        {"ReceiverSillyWindowAvoidance", To(AT(acks.sillyWindowAvoidance))},
        {"NagleRule", To(AT(minshall), "rfc896 minshall")},
        {"SegmentBound", To(AT(halvesSegments), "mss half-window")},
        {"LossDetection", To(AT(recovery.rack), "rfc6675 rack-tlp")},
        {"CongestionControl", To(AT(recovery.growth), "newreno reno cubic bbr")},
        {"RtoRule", To(AT(recovery.timeout.bound), "rfc6298 linux")},
        {"SillyWindowAvoidance", To(AT(smallWindow), "rfc1122 whole-segment none burst")},
        {"AckRule", To(AT(acks.count), "segments octets adaptive")},
        {"DelayedAckTimer", To(AT(acks.timer), "one-shot free-running")},
        {"WindowUpdates", To(AT(acks.updates), "every-opening rfc1122 bsd from-zero")},
        {"TimerTick",
         [](ConnectionSettings& s, const std::string& text) {
             SetClock(s, TimerClock(ToNanos(text), s.clock.HasWheel()));
         }},
        {"TimerWheel",
         [](ConnectionSettings& s, const std::string& text) {
             SetClock(s, TimerClock(s.clock.GetTick(), text == "true"));
         }},
    };
    return setters;
}

#undef AT

} // namespace

void
SetByName(ConnectionSettings& settings, const std::string& name, const std::string& value)
{
    const auto found = GetSetters().find(name);
    if (found == GetSetters().end())
    {
        throw std::invalid_argument("no such setting: " + name);
    }
    found->second(settings, value);
}

} // namespace ns3::study::tcp
