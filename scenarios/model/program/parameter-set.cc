/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parameter-set.h"

#include "checker-kind.h"
#include "model/core/notation.h"

#include "ns3/abort.h"

#include <algorithm>
#include <cmath>
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

/// @return a parameter's default in its canonical spelling, made once: each point of a batch tells
///         it
const std::string&
FormatDefault(const Parameter& parameter)
{
    static std::map<const AttributeValue*, std::string> texts; // the type keeps the value
    const auto [place, first] = texts.try_emplace(PeekPointer(parameter.initial));
    if (first)
    {
        place->second = parameter.Format(*parameter.initial);
    }
    return place->second;
}

} // namespace

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
    const Parameter* parameter = std::as_const(*this).Find(flag);
    if (parameter && parameter->flag == flag)
    {
        m_values[flag] = parameter->Parse(text);
        return;
    }
    const Parameter typed = FindAsTyped(flag);
    m_values[std::as_const(*this).Find(flag)->flag] = typed.Parse(text);
}

JsonObject
ParameterSet::ToCanonical(const std::string& flag, const std::string& text) const
{
    const Parameter* parameter = Find(flag);
    return parameter && parameter->flag == flag ? parameter->ToCanonical(text)
                                                : FindAsTyped(flag).ToCanonical(text);
}

double
ParameterSet::ReadNumber(const std::string& flag, const std::string& text) const
{
    const Parameter* parameter = Find(flag);
    return parameter ? parameter->Read(Trim(text)) : std::nan("");
}

Parameter
ParameterSet::FindAsTyped(const std::string& flag) const
{
    const Parameter* parameter = Find(flag);
    if (!parameter)
    {
        throw ParameterError(flag, "there is no such parameter; --describe lists them all");
    }
    Parameter typed = *parameter;
    typed.flag = flag;
    return typed;
}

void
ParameterSet::SetAlternatives(const std::string& flag, const std::string& other)
{
    Find(flag)->insteadOf = other;
    Find(other)->insteadOf = flag;
}

void
ParameterSet::DropAlternative(const std::string& flag)
{
    if (const Parameter* parameter = Find(flag))
    {
        m_values.erase(parameter->insteadOf);
    }
}

void
ParameterSet::SetBeyond(const std::string& flag, const std::string& way)
{
    Find(flag)->beyond = way;
}

void
ParameterSet::SetShort(const std::string& flag, const std::string& name)
{
    NS_ABORT_MSG_IF(Find(name) && Find(name)->flag != flag,
                    "there is a parameter named " << name << " already");
    Find(flag)->shortFlag = name;
}

std::vector<std::string>
ParameterSet::GetGiven(const std::string& group) const
{
    std::vector<std::string> given;
    for (const auto& parameter : m_parameters)
    {
        if (parameter.group == group && m_values.count(parameter.flag) > 0)
        {
            given.push_back(parameter.key);
        }
    }
    return given;
}

const Parameter*
ParameterSet::Find(const std::string& flag) const
{
    const auto found =
        std::find_if(m_parameters.begin(), m_parameters.end(), [&flag](const Parameter& each) {
            return each.flag == flag || (!flag.empty() && each.shortFlag == flag);
        });
    return found == m_parameters.end() ? nullptr : &*found;
}

Parameter*
ParameterSet::Find(const std::string& flag)
{
    return const_cast<Parameter*>(std::as_const(*this).Find(flag));
}

ObjectFactory
ParameterSet::GetFactory(TypeId type, const std::string& group) const
{
    ObjectFactory factory(type.GetName());
    for (const auto& parameter : m_parameters)
    {
        if (parameter.group != group)
        {
            continue;
        }
        const auto given = m_values.find(parameter.flag);
        if (given != m_values.end() && (type == parameter.type || type.IsChildOf(parameter.type)))
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
        json.Add(parameter.key, GetText(parameter));
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

std::string
ParameterSet::GetText(const Parameter& parameter) const
{
    const auto given = m_values.find(parameter.flag);
    return given == m_values.end() ? FormatDefault(parameter) : parameter.Format(*given->second);
}

bool
ParameterSet::IsGiven(const Parameter& parameter) const
{
    return m_values.find(parameter.flag) != m_values.end();
}

} // namespace ns3::study
