/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "configured-tcp-factory.h"

#include "connection-socket.h"
#include "tcp-end.h"

#include "ns3/log.h"
#include "ns3/tcp-l4-protocol.h"

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
ConfiguredTcpFactory::Install(Ptr<Node> node, const ObjectFactory& end)
{
    NS_LOG_FUNCTION(node << end.GetTypeId());
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
    factory->m_settings = end.Create<TcpEnd>()->GetSettings();
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
    const auto socket = CreateObject<ConnectionSocket>();
    socket->Install(GetObject<Node>(), m_settings);
    if (m_stream >= 0)
    {
        m_stream += socket->AssignStreams(m_stream);
    }
    return socket;
}

} // namespace ns3::study
