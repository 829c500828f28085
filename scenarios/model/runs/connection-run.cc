/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-run.h"

#include "model/tcp/end-checks.h"
#include "model/tcp/host-tcp.h"

#include "ns3/simulator.h"

namespace ns3::study
{

ConnectionRun::ConnectionRun(const ParameterSet& parameters,
                             const RunFiles& files,
                             const Plan& plan)
    : FastForwardRun(parameters, files),
      m_plan(plan),
      m_choice(parameters.Create<LinkChoice>("job")),
      m_tcp(parameters.Create<TcpChoice>("job"))
{
}

void
ConnectionRun::Complete(Scenario& scenario, std::optional<TypeId> job)
{
    LinkChoice::AddParameters(scenario.parameters, "job");
    if (job)
    {
        scenario.parameters.AddType("job", *job);
    }
    scenario.parameters.AddTypes<RunLimits, TcpChoice>("job");
    FastForward::AddResultFields(scenario.results);
    LinkChoice::AddResultFields(scenario.results);
    scenario.files = {"pcap", "segments", "waits", "wan-pcap"};
}

void
ConnectionRun::JoinEnds()
{
    m_tcp->Check(m_parameters, m_plan.host, m_plan.peer);
    m_host = CreateObject<Node>();
    m_peer = CreateObject<Node>();
    m_link = m_choice->MakeLink(m_parameters);
    m_link->Join(m_host, m_peer);
    m_hostTcp = m_tcp->Install(m_host, m_parameters, HostTcp::GetTypeId(), m_plan.host);
    m_peerTcp = m_tcp->Install(m_peer, m_parameters, m_plan.peerTcp, m_plan.peer);
}

InetSocketAddress
ConnectionRun::GetPeerAddress(uint16_t port) const
{
    return {m_link->GetDeviceAddress(), port};
}

void
ConnectionRun::Install(Ptr<ClientApplication> client, Ptr<ServerApplication> server)
{
    client->SetEndCallback([this](ClientApplication::End end) { ClientEnded(end); });
    m_peer->AddApplication(server);
    m_host->AddApplication(client);
}

void
ConnectionRun::Observe(const std::string& host,
                       const std::string& peer,
                       const std::vector<std::string>& waiting)
{
    m_observer = std::make_unique<TransferObserver>(m_sender, m_link, m_peer, m_files, host, peer);
    m_observer->WatchWaits(GetClock(), waiting);
}

void
ConnectionRun::EndWhenStalled(Time more, std::vector<std::string> parts)
{
    parts.insert(parts.end(), {m_plan.host, m_plan.peer, m_choice->GetGroup()});
    WatchForStall(m_limits->m_stallTime + more + m_parameters.SumOfTimes(parts));
}

std::string
ConnectionRun::DescribeWait() const
{
    return m_sender->DescribeWait();
}

void
ConnectionRun::Ended()
{
    GetClock().Stop();
    Simulator::Stop(GetOutcome() == Outcome::FINISHED ? m_plan.closing : Time(0));
}

void
ConnectionRun::ClientEnded(ClientApplication::End end)
{
    switch (end)
    {
    case ClientApplication::End::FINISHED:
        End(Outcome::FINISHED);
        break;
    case ClientApplication::End::NOT_CONNECTED:
        End(Outcome::STALLED, m_sender->DescribeWait());
        break;
    default:
        End(Outcome::STALLED, DescribeEnd(end));
    }
}

void
ConnectionRun::Tell(JsonObject& record)
{
    if (GetOutcome() == Outcome::FINISHED)
    {
        m_link->CheckEnd();
    }
    AddOutcome(record, GetBytes(), GetClock().GetTotal());
    TellCounts(record);
    m_sender->AddLimits(record, m_plan.limits, GetClock());
    m_choice->AddResults(record, m_parameters, m_link, GetIdleSettings(m_parameters));
    FastForward::AddResults(record, GetFastForward());
    TellMore(record);
    m_observer->Publish();
}

} // namespace ns3::study
