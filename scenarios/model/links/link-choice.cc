/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-choice.h"

#include "model/ethernet/ethernet-link.h"
#include "model/frame-relay/frame-relay-wan.h"
#include "model/path/path-link.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <map>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(LinkChoice);

namespace
{

/// The parts of a scenario that the links' parameters are in.
const std::map<LinkChoice::Kind, std::string> GROUPS{
    {LinkChoice::ETHERNET, "link"},
    {LinkChoice::PATH, "path"},
    {LinkChoice::FRAME_RELAY, "wan"},
};

/// Refuse an MSS whose segments would not fit the packets of a link.
void
CheckMss(const ParameterSet& parameters, const Link& link)
{
    constexpr uint32_t headers = 40; // IPv4's and TCP's; the MSS leaves options out (RFC 6691)
    for (const Parameter& parameter : parameters.GetParameters())
    {
        if (parameter.attribute != "Mss")
        {
            continue;
        }
        const auto mss = DynamicCast<const UintegerValue>(parameters.GetValue(parameter))->Get();
        const uint32_t mtu = link.GetMtu();
        if (mss + headers > mtu)
        {
            throw ParameterError(parameter.flag,
                                 std::to_string(mss) + " B and " + std::to_string(headers) +
                                     " B of headers do not fit the MTU of " + std::to_string(mtu) +
                                     " B; give at most " + std::to_string(mtu - headers) +
                                     " B, or --link=path " +
                                     "--path-mtu=" + std::to_string(mss + headers));
        }
    }
}

} // namespace

TypeId
LinkChoice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::LinkChoice")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<LinkChoice>()
            .AddAttribute(
                "Link",
                "What is between the two ends: an Ethernet, any path, or a frame-relay "
                "network with the device at a branch; the parameters of the others have "
                "no effect",
                EnumValue(ETHERNET),
                MakeEnumAccessor<Kind>(&LinkChoice::m_kind),
                MakeEnumChecker(ETHERNET, "ethernet", PATH, "path", FRAME_RELAY, "frame-relay"));
    return tid;
}

void
LinkChoice::AddParameters(ParameterSet& parameters, const std::string& group)
{
    parameters.AddType(GROUPS.at(ETHERNET), EthernetLink::GetTypeId());
    parameters.AddType(GROUPS.at(PATH), PathLink::GetTypeId());
    parameters.AddType(GROUPS.at(FRAME_RELAY), FrameRelayWan::GetTypeId());
    parameters.AddType(group, LinkChoice::GetTypeId());
    parameters.SetAlternatives("rtt", "path-delay");
    parameters.SetBeyond("link-delay", ", or --link=path --rtt={twice}");
    parameters.SetShort("path-rate", "rate");
    parameters.SetShort("rtt", "rtt"); // is short already
}

void
LinkChoice::AddResultFields(std::vector<ResultField>& results)
{
    FrameRelayWan::AddResultFields(results);
    PathLink::AddResultFields(results);
}

Ptr<Link>
LinkChoice::MakeLink(const ParameterSet& parameters) const
{
    const std::string group = GetGroup();
    Ptr<Link> link;
    switch (m_kind)
    {
    case ETHERNET:
        link = parameters.Create<EthernetLink>(group);
        break;
    case PATH:
        link = parameters.Create<PathLink>(group);
        break;
    case FRAME_RELAY:
        link = parameters.Create<FrameRelayWan>(group);
        break;
    }
    CheckMss(parameters, *link);
    return link;
}

std::string
LinkChoice::GetGroup() const
{
    return GROUPS.at(m_kind);
}

void
LinkChoice::AddResults(JsonObject& record,
                       const ParameterSet& parameters,
                       Ptr<const Link> link,
                       const std::vector<std::string>& idle) const
{
    FrameRelayWan::AddResults(record, DynamicCast<const FrameRelayWan>(link));
    PathLink::AddResults(record, DynamicCast<const PathLink>(link));
    std::vector<std::string> withoutEffect;
    for (const auto& [kind, group] : GROUPS)
    {
        if (kind != m_kind)
        {
            const auto given = parameters.GetGiven(group);
            withoutEffect.insert(withoutEffect.end(), given.begin(), given.end());
        }
    }
    withoutEffect.insert(withoutEffect.end(), idle.begin(), idle.end());
    record.Add("without_effect", withoutEffect);
}

} // namespace ns3::study
