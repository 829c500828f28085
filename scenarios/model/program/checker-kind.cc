/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "checker-kind.h"

#include "model/core/notation.h"

#include <sstream>

namespace ns3::study
{

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
    const auto behind = range.find(' ');
    const std::string high = range.substr(0, behind).substr(colon + 1);
    if (type == "ns3::TimeValue")
    {
        parameter.kind = "time";
        parameter.minimum = FormatTimeInShort(Time(low));
        parameter.maximum = FormatTimeInShort(Time(high));
    }
    else if (type == "ns3::DataRateValue")
    {
        parameter.kind = "data-rate";
        parameter.minimum = FormatRate(std::stoull(low));
        parameter.maximum = FormatRate(std::stoull(high));
        parameter.word = range.substr(behind + 1);
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
    else if (type == "ns3::QueueSizeValue")
    {
        parameter.kind = "queue-size";
    }
    else if (type == "ns3::StringValue" &&
             (underlying == "packet-list" || underlying == "turn-list"))
    {
        parameter.kind = underlying;
    }
    else
    {
        return false;
    }
    return true;
}

} // namespace ns3::study
