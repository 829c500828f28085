/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stock-parameters.h"

#include "tcp-end.h"

#include <algorithm>
#include <map>
#include <vector>

namespace ns3::study
{

namespace
{

/// What attributes of this study's sockets are called in ns-3's, of the same meaning.
const std::map<std::string, std::string> SAME{
    {"HostWindow", "RcvBufSize"},
    {"ReceiveWindow", "RcvBufSize"},
    {"SendBuffer", "SndBufSize"},
    {"InitialWindow", "InitialCwnd"},
    {"MinimumRto", "MinRto"},
    {"InitialRto", "ConnTimeout"},
    {"FirstPersistTimeout", "PersistTimeout"},
    {"HostDelayedAck", "DelAckTimeout"},
    {"DelayedAckTimeout", "DelAckTimeout"},
    {"HostAckFrequency", "DelAckCount"},
    {"HostSack", "Sack"},
    {"DeviceSack", "Sack"},
    {"HostTimestamps", "Timestamp"},
    {"DeviceTimestamps", "Timestamp"},
};

/// What else is set, each in a way of its own.
const std::vector<std::string> CONVERTED{"Mss", "Nagle", "AckFrequency", "CongestionControl"};

/// Where ns-3's socket has one behaviour, the values that ask for it, of what else can be given.
const std::map<std::string, std::vector<std::string>> ONLY{
    {"HostWindowScale", {"none", "auto"}},
    {"DeviceWindowScale", {"none", "auto"}},
    {"HostFirstWindow", {"0"}},
    {"DeviceFirstWindow", {"0"}},
    {"DeviceAckRule", {"counted"}},
    {"HostReceiveBuffer", {"0"}},
    {"DeviceMss", {"0"}},
    {"SendBufferRule", {"bytes"}},
    {"NagleRule", {"rfc896"}},
    {"PushFlag", {"false"}},
    {"LossDetection", {"rfc6675"}},
    {"RtoRule", {"rfc6298"}},
    {"HostAckRule", {"counted"}},
    {"HostAckTimer", {"one-shot"}},
    {"DelayedAckTimer", {"one-shot"}},
    {"QuickAcks", {"1"}}, // a new connection counts as if a segment had waited
    {"DeviceQuickAcks", {"1"}},
    {"SillyWindowAvoidance", {"whole-segment"}},
    {"SegmentBound", {"mss"}},
    {"ResetOnFinAck", {"false"}},
    {"LongestPersistTimeout", {"1min"}},
    {"TimerWheel", {"false"}},
    {"AckLatencyPerByte", {"0ns"}},
    {"InteractiveAckLatency", {"0ns"}},
    {"AckLatencySpread", {"0ns"}},
    {"AckThreshold", {"0"}},
    {"AckPushed", {"false"}},
    {"DeviceSillyWindowAvoidance", {"false"}},
};

/// What has no effect with the values that are left: GetIdleSettings() tells of it.
const std::vector<std::string> IDLE_IN_STOCK{"SendBufferGrows",
                                             "SendBufferOverhead",
                                             "InteractiveBytes"};

/// @return whether one of them is it
bool
Has(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// @return whether ns-3's own socket can have the value of a parameter of its end's TCP
bool
CanHave(const ParameterSet& parameters, const Parameter& parameter)
{
    const std::string& name = parameter.attribute;
    if (const auto only = ONLY.find(name); only != ONLY.end())
    {
        return Has(only->second, parameters.GetText(parameter));
    }
    return SAME.count(name) > 0 || Has(CONVERTED, name) || Has(IDLE_IN_STOCK, name);
}

/// @return what to say of a parameter that ns-3's own socket cannot have
std::string
DescribeLack(const ParameterSet& parameters, const Parameter& parameter)
{
    const auto only = ONLY.find(parameter.attribute);
    std::string words;
    if (only == ONLY.end())
    {
        return "stock ns-3 has no such parameter";
    }
    for (const std::string& each : only->second)
    {
        words += (words.empty() ? "" : " or ") + each;
    }
    return "stock ns-3 has no '" + parameters.GetText(parameter) + "', only " + words;
}

} // namespace

bool
IsOfTcp(const Parameter& parameter)
{
    return parameter.type.IsChildOf(TcpEnd::GetTypeId()) || parameter.type == TcpEnd::GetTypeId();
}

std::string
FindStockName(const std::string& attribute)
{
    const auto same = SAME.find(attribute);
    return same == SAME.end() ? "" : same->second;
}

void
CheckStock(const ParameterSet& parameters)
{
    const Parameter* first = nullptr;
    std::string others;
    for (const Parameter& each : parameters.GetParameters())
    {
        if (!IsOfTcp(each) || !parameters.IsGiven(each) || CanHave(parameters, each))
        {
            continue;
        }
        if (first)
        {
            others += ", " + each.flag;
        }
        else
        {
            first = &each;
        }
    }
    if (first)
    {
        throw ParameterError(first->flag,
                             DescribeLack(parameters, *first) + "; remove it" +
                                 (others.empty() ? "" : ", and" + others.substr(1) + ",") +
                                 " from the options, the system file and the host profile, or "
                                 "give --tcp=study");
    }
}

} // namespace ns3::study
