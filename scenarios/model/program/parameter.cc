/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parameter.h"

#include "model/core/notation.h"
#include "model/core/rate-checker.h"
#include "packet-notation.h"
#include "turn-notation.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3::study
{

namespace
{

const std::string NO_ENTRIES = "none"; // what an empty list is called where values are shown

/// @return what such a value looks like
std::string
DescribeForm(const std::string& kind)
{
    static const std::map<std::string, std::string> forms{
        {"time", "a time: a number and ns, us, ms, s, min or h"},
        {"data-rate",
         "a data rate: a number and bps, kbps, Mbps or Gbps (or bit/s, ...), or of bytes B/s, kB/s "
         "or MB/s"},
        {"integer", "a whole number"},
        {"real", "a number"},
        {"queue-size", "the room of a queue"},
        {"packet-list", "a list of packets"},
        {"turn-list", "a list of turns"},
    };
    return forms.at(kind);
}

/// @return the value of what ReadNumber() has read, or null if it cannot be held at all
Ptr<AttributeValue>
MakeValue(const std::string& kind, double number)
{
    constexpr double largest = 9e15; // what a double still counts one by one
    if (kind == "real")
    {
        return std::isfinite(number) ? Create<DoubleValue>(number) : nullptr;
    }
    if (std::abs(number) >= (kind == "time" ? 9e18 : largest))
    {
        return nullptr;
    }
    if (kind == "time")
    {
        return Create<TimeValue>(NanoSeconds(std::llround(number)));
    }
    if (number < 0)
    {
        return nullptr;
    }
    const auto whole = static_cast<uint64_t>(number); // a rate below 1 bit/s is none
    return kind == "data-rate" ? Ptr<AttributeValue>(Create<DataRateValue>(DataRate(whole)))
                               : Ptr<AttributeValue>(Create<UintegerValue>(whole));
}

/// @return the value of a kind that is no number and no word, or null if the text is none
Ptr<AttributeValue>
MakeOther(const std::string& kind, const std::string& text, const AttributeChecker& checker)
{
    if (kind == "queue-size")
    {
        const auto room = ReadQueueSize(text);
        return room ? Create<QueueSizeValue>(*room) : nullptr;
    }
    const auto list = Create<StringValue>(text);
    return checker.Check(*list) ? list : nullptr;
}

} // namespace

ParameterError::ParameterError(const std::string& parameter, const std::string& message)
    : std::runtime_error(parameter + (parameter.empty() ? "" : ": ") + message),
      parameter(parameter)
{
}

Ptr<AttributeValue>
Parameter::Parse(const std::string& given) const
{
    std::string text = Trim(given);
    const bool isList = kind == "packet-list" || kind == "turn-list";
    if (isList && text == NO_ENTRIES)
    {
        text.clear();
    }
    if (const auto words = GetWords(); !words.empty())
    {
        if (std::find(words.begin(), words.end(), text) == words.end())
        {
            throw ParameterError(flag,
                                 "'" + text + "' is not one of the choices; give " + GetAllowed());
        }
        Ptr<AttributeValue> value = checker->Create();
        value->DeserializeFromString(text, checker);
        return value;
    }
    if (!word.empty() && text == word)
    {
        return Create<DataRateValue>(NoLimit());
    }
    const bool hasNumber = kind != "queue-size" && !isList;
    const double number = hasNumber ? Read(text) : 0;
    const Ptr<AttributeValue> value =
        hasNumber ? MakeValue(kind, number) : MakeOther(kind, text, *checker);
    if (std::isnan(number) || (!hasNumber && !value))
    {
        const std::string bytes = kind == "integer" && unit == "B"
                                      ? ", or a number and kB, MB or GB (1 kB is 1000 B)"
                                      : "";
        throw ParameterError(flag,
                             "'" + text.substr(0, 80) + "' is not " + DescribeForm(kind) +
                                 "; give " + GetAllowed() + bytes);
    }
    if (!value || !checker->Check(*value))
    {
        throw ParameterError(flag,
                             text + " is out of range; give " + GetAllowed() + GetWayOut(number));
    }
    return value;
}

std::string
Parameter::Format(const AttributeValue& value) const
{
    if (const auto time = dynamic_cast<const TimeValue*>(&value))
    {
        return FormatTime(time->Get());
    }
    if (const auto rate = dynamic_cast<const DataRateValue*>(&value))
    {
        return !word.empty() && rate->Get() == NoLimit() ? word
                                                         : FormatRate(rate->Get().GetBitRate());
    }
    if (const auto number = dynamic_cast<const DoubleValue*>(&value))
    {
        return FormatNumber(number->Get());
    }
    if (kind == "packet-list")
    {
        return FormatPacketList(ReadPacketList(value.SerializeToString(checker)));
    }
    if (kind == "turn-list")
    {
        return FormatTurns(ReadTurns(value.SerializeToString(checker)));
    }
    return value.SerializeToString(checker);
}

JsonObject
Parameter::ToCanonical(const std::string& text) const
{
    const Ptr<AttributeValue> value = Parse(text);
    const std::string canonical = Format(*value);
    JsonObject json;
    json.Add("text", canonical);
    const double number = ReadNumber(canonical, GetUnits(kind, unit, IsFraction()));
    if (minimum.empty() || std::isnan(number))
    {
        return json; // a word: none is no limit
    }
    json.Add("number", std::optional<double>(number));
    const bool hasUnit = kind == "time" || kind == "data-rate";
    json.Add("short",
             hasUnit ? Shorten(canonical, number, GetUnits(kind, unit, false)) : canonical);
    return json;
}

JsonObject
Parameter::ToJson() const
{
    JsonObject json;
    json.Add("name", name);
    json.Add("flag", flag);
    json.Add("short", shortFlag);
    json.Add("key", key);
    json.Add("group", group);
    json.Add("type", kind);
    json.Add("unit", unit);
    json.Add("default", Format(*initial));
    json.Add("min", minimum);
    json.Add("max", maximum);
    json.Add("word", word);
    json.Add("choices", choices);
    json.Add("instead_of", insteadOf);
    json.Add("beyond", beyond);
    json.Add("help", help);
    return json;
}

std::string
Parameter::GetAllowed() const
{
    if (const auto words = GetWords(); !words.empty())
    {
        const std::vector<std::string> others(words.begin(), words.end() - 1);
        return Join(others, ", ") + (others.empty() ? "" : " or ") + words.back();
    }
    if (kind == "queue-size" || kind == "packet-list")
    {
        return kind == "queue-size" ? "packets, as in 100p, or bytes, as in 64000B"
                                    : "packet numbers from 1 on, as in 5,17, or none";
    }
    if (kind == "turn-list")
    {
        return "who writes, after how many us, how many bytes, as in "
               "c50000:120,s30000:2000, or none";
    }
    const bool unitNeeded = kind == "integer" && unit != "1";
    return minimum + " to " + maximum + (unitNeeded ? " " + unit : "") +
           (word.empty() ? "" : " or " + word);
}

bool
Parameter::IsFraction() const
{
    return kind == "real" && unit == "1" && maximum == "1";
}

double
Parameter::Read(const std::string& text) const
{
    const double number = ReadNumber(text, GetUnits(kind, unit, IsFraction()));
    const bool isWhole = kind != "integer" || number == std::floor(number);
    return isWhole ? number : std::nan("");
}

std::vector<std::string>
Parameter::GetWords() const
{
    return kind == "boolean" ? std::vector<std::string>{"true", "false"} : choices;
}

std::string
Parameter::GetWayOut(double number) const
{
    if (beyond.empty() || number <= Read(maximum))
    {
        return "";
    }
    const Ptr<AttributeValue> twice = MakeValue(kind, 2 * number);
    const std::string place = "{twice}";
    const auto at = beyond.find(place);
    return at == std::string::npos || !twice
               ? beyond
               : std::string(beyond).replace(at, place.size(), Format(*twice));
}

} // namespace ns3::study
