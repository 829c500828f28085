/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parameter.h"

#include "notation.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace ns3::study
{

namespace
{

/// @return the words in lower case, receive-window
std::string
Spell(const std::string& name, char separator)
{
    std::string spelled;
    for (const char c : name)
    {
        if (std::isupper(static_cast<unsigned char>(c)) && !spelled.empty())
        {
            spelled += separator;
        }
        spelled += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return spelled;
}

/// @param attribute an attribute's name, Nagle or HostWindow
/// @param prefix what tells two parts of one type apart, Client; or empty
/// @return the name in that part, ClientNagle or ClientWindow
std::string
Prefixed(const std::string& attribute, const std::string& prefix)
{
    const std::string host = "Host";
    const bool replace = !prefix.empty() && attribute.rfind(host, 0) == 0;
    return prefix + (replace ? attribute.substr(host.size()) : attribute);
}

/// Take kind and range from the attribute's checker. @return false if that kind is no parameter
bool
ReadChecker(Parameter& parameter)
{
    const std::string type = parameter.checker->GetValueTypeName();
    std::string underlying;
    if (parameter.checker->HasUnderlyingTypeInformation())
    {
        underlying = parameter.checker->GetUnderlyingTypeInformation();
    }
    const auto blank = underlying.find(' ');
    const std::string range = blank == std::string::npos ? "" : underlying.substr(blank + 1);
    const auto colon = range.find(':');
    const std::string low = range.substr(0, colon);
    const std::string high = range.substr(colon + 1);
    if (type == "ns3::TimeValue")
    {
        parameter.kind = "time";
        parameter.minimum = FormatTime(Time(low));
        parameter.maximum = FormatTime(Time(high));
    }
    else if (type == "ns3::DataRateValue")
    {
        parameter.kind = "data-rate";
        parameter.minimum = FormatRate(std::stoull(low));
        parameter.maximum = FormatRate(std::stoull(high));
    }
    else if (type == "ns3::UintegerValue" || type == "ns3::DoubleValue")
    {
        parameter.kind = type == "ns3::DoubleValue" ? "real" : "integer";
        parameter.minimum = low;
        parameter.maximum = high;
    }
    else if (type == "ns3::BooleanValue")
    {
        parameter.kind = "boolean";
    }
    else if (type.rfind("ns3::EnumValue", 0) == 0)
    {
        parameter.kind = "choice";
        std::istringstream names(underlying);
        for (std::string name; std::getline(names, name, '|');)
        {
            parameter.choices.push_back(name);
        }
    }
    else
    {
        return false;
    }
    return true;
}

/// @return what such a value looks like
std::string
DescribeForm(const std::string& kind)
{
    static const std::map<std::string, std::string> forms{
        {"time", "a time: a number and ns, us, ms, s, min or h"},
        {"data-rate", "a data rate: a number and bps, kbps, Mbps or Gbps"},
        {"integer", "a whole number"},
        {"real", "a number"},
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

} // namespace

ParameterError::ParameterError(const std::string& parameter, const std::string& message)
    : std::runtime_error(parameter + (parameter.empty() ? "" : ": ") + message),
      parameter(parameter)
{
}

Ptr<AttributeValue>
Parameter::Parse(const std::string& text) const
{
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
    const double number = ReadNumber(kind, text);
    if (std::isnan(number))
    {
        throw ParameterError(flag,
                             "'" + text.substr(0, 80) + "' is not " + DescribeForm(kind) +
                                 "; give " + GetAllowed());
    }
    const Ptr<AttributeValue> value = MakeValue(kind, number);
    if (!value || !checker->Check(*value))
    {
        throw ParameterError(flag, text + " is out of range; give " + GetAllowed());
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
        return FormatRate(rate->Get().GetBitRate());
    }
    if (const auto number = dynamic_cast<const DoubleValue*>(&value))
    {
        return FormatNumber(number->Get());
    }
    return value.SerializeToString(checker);
}

JsonObject
Parameter::ToJson() const
{
    JsonObject json;
    json.Add("name", name);
    json.Add("flag", flag);
    json.Add("key", key);
    json.Add("group", group);
    json.Add("type", kind);
    json.Add("unit", unit);
    json.Add("default", Format(*initial));
    json.Add("min", minimum);
    json.Add("max", maximum);
    json.Add("choices", choices);
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
    const bool unitNeeded = kind == "integer" && unit != "1";
    return minimum + " to " + maximum + (unitNeeded ? " " + unit : "");
}

std::vector<std::string>
Parameter::GetWords() const
{
    return kind == "boolean" ? std::vector<std::string>{"true", "false"} : choices;
}

void
ParameterSet::AddType(const std::string& group,
                      TypeId type,
                      const std::string& prefix,
                      const std::set<std::string>& without)
{
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const TypeId::AttributeInformation attribute = type.GetAttribute(i);
        Parameter parameter;
        parameter.type = type;
        parameter.attribute = attribute.name;
        parameter.name = Prefixed(attribute.name, prefix);
        parameter.flag = Spell(parameter.name, '-');
        parameter.key = Spell(parameter.name, '_');
        parameter.group = group;
        parameter.checker = attribute.checker;
        parameter.initial = attribute.originalInitialValue;
        const auto bracket = attribute.help.rfind(" [");
        parameter.help = attribute.help.substr(0, bracket);
        if (bracket != std::string::npos)
        {
            parameter.unit =
                attribute.help.substr(bracket + 2, attribute.help.size() - bracket - 3);
        }
        if (without.count(attribute.name) == 0 && ReadChecker(parameter))
        {
            m_parameters.push_back(parameter);
        }
    }
}

void
ParameterSet::Set(const std::string& flag, const std::string& text)
{
    for (const auto& parameter : m_parameters)
    {
        if (parameter.flag == flag)
        {
            m_values[flag] = parameter.Parse(text);
            return;
        }
    }
    throw ParameterError(flag, "there is no such parameter; --describe lists them all");
}

ObjectFactory
ParameterSet::GetFactory(TypeId type, const std::string& group) const
{
    ObjectFactory factory(type.GetName());
    for (const auto& parameter : m_parameters)
    {
        const bool declared =
            parameter.group == group && (type == parameter.type || type.IsChildOf(parameter.type));
        const auto given = m_values.find(parameter.flag);
        if (declared && given != m_values.end())
        {
            factory.Set(parameter.attribute, *given->second);
        }
    }
    return factory;
}

const std::vector<Parameter>&
ParameterSet::GetParameters() const
{
    return m_parameters;
}

JsonObject
ParameterSet::ToJson() const
{
    JsonObject json;
    for (const auto& parameter : m_parameters)
    {
        json.Add(parameter.key, parameter.Format(*GetValue(parameter)));
    }
    return json;
}

Time
ParameterSet::SumOfTimes(const std::vector<std::string>& groups) const
{
    for (const auto& group : groups)
    {
        NS_ABORT_MSG_UNLESS(
            std::any_of(m_parameters.begin(),
                        m_parameters.end(),
                        [&group](const Parameter& parameter) { return parameter.group == group; }),
            "there is no group of parameters named " << group);
    }
    Time sum;
    for (const auto& parameter : m_parameters)
    {
        const Ptr<const AttributeValue> value = GetValue(parameter);
        const auto time = dynamic_cast<const TimeValue*>(PeekPointer(value));
        if (time && std::find(groups.begin(), groups.end(), parameter.group) != groups.end())
        {
            sum += time->Get();
        }
    }
    return sum;
}

Ptr<const AttributeValue>
ParameterSet::GetValue(const Parameter& parameter) const
{
    const auto given = m_values.find(parameter.flag);
    return given == m_values.end() ? parameter.initial : Ptr<const AttributeValue>(given->second);
}

} // namespace ns3::study
