/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "configured-tcp-factory.h"

#include "corrected-tcp-socket.h"

#include "ns3/log.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("ConfiguredTcpFactory");

NS_OBJECT_ENSURE_REGISTERED(ConfiguredTcpFactory);

TypeId
ConfiguredTcpFactory::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::ConfiguredTcpFactory")
                            .SetParent<SocketFactory>()
                            .SetGroupName("Study")
                            .AddConstructor<ConfiguredTcpFactory>();
    return tid;
}

Ptr<ConfiguredTcpFactory>
ConfiguredTcpFactory::Install(Ptr<Node> node, const ObjectFactory& sockets)
{
    NS_LOG_FUNCTION(node << sockets.GetTypeId());
    for (const std::string overruled : {"SocketType", "RecoveryType"})
    {
        TypeIdValue asked;
        node->GetObject<TcpL4Protocol>()->GetAttribute(overruled, asked);
        TypeId::AttributeInformation about;
        TcpL4Protocol::GetTypeId().LookupAttributeByName(overruled, &about);
        if (asked.Get() != DynamicCast<const TypeIdValue>(about.originalInitialValue)->Get())
        {
            NS_LOG_WARN(asked.Get() << " has no effect: the sockets' own attributes say it");
        }
    }
    Ptr<ConfiguredTcpFactory> factory = CreateObject<ConfiguredTcpFactory>();
    factory->m_sockets = sockets;
    node->AggregateObject(factory);
    return factory;
}

int64_t
ConfiguredTcpFactory::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    constexpr int64_t setAside = 1000;
    m_stream = stream;
    return setAside;
}

Ptr<Socket>
ConfiguredTcpFactory::CreateSocket()
{
    Ptr<TcpL4Protocol> tcp = GetObject<TcpL4Protocol>();
    Ptr<TcpSocketBase> socket = m_sockets.Create<TcpSocketBase>();
    socket->SetNode(GetObject<Node>());
    socket->SetTcp(tcp);
    socket->SetRtt(CreateObject<RttMeanDeviation>());
    Ptr<CorrectedTcpSocket> ours = DynamicCast<CorrectedTcpSocket>(socket);
    const CongestionControl control =
        ours ? ours->GetCongestionControl() : CongestionControl::NEWRENO;
    socket->SetCongestionControlAlgorithm(MakeCongestionControl(control));
    socket->SetRecoveryAlgorithm(MakeRecovery(control));
    if (ours && m_stream >= 0)
    {
        m_stream += ours->AssignStreams(m_stream);
    }
    tcp->AddSocket(socket);
    return socket;
}

} // namespace ns3::study
