/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stock-tcp.h"

#include "end-checks.h"
#include "model/core/ns3-version.h"
#include "stock-parameters.h"
#include "tcp-end.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/node.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-bbr.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-cubic.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(TcpChoice);

namespace
{

/// @return whether both ends offer timestamps, and so every segment has them
bool
UseTimestamps(const ParameterSet& parameters)
{
    const auto& all = parameters.GetParameters();
    return std::all_of(all.begin(), all.end(), [&parameters](const Parameter& each) {
        return (each.attribute != "HostTimestamps" && each.attribute != "DeviceTimestamps") ||
               parameters.GetText(each) == "true";
    });
}

/// @return ns-3's own congestion control of that name
TypeId
FindCongestionControl(GrowthRule control)
{
    switch (control)
    {
    case GrowthRule::RENO:
        return TcpLinuxReno::GetTypeId();
    case GrowthRule::CUBIC:
        return TcpCubic::GetTypeId();
    case GrowthRule::EXTERNAL:
        return TcpBbr::GetTypeId();
    case GrowthRule::NEWRENO:
        break;
    }
    return TcpNewReno::GetTypeId();
}

/**
 * @brief ns-3's own socket, whose window probe does not end the process.
 *
 * Where the peer's window is closed and nothing is left to send, ns-3's persist timer reads a null
 * pointer. Here that probe is left out. All else is ns-3's.
 */
class StockTcpSocket : public TcpSocketBase
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::study::StockTcpSocket")
                                .SetParent<TcpSocketBase>()
                                .SetGroupName("Study")
                                .AddConstructor<StockTcpSocket>();
        return tid;
    }

#if !NS3_STUDY_OBJECT_TELLS_TYPE
    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }
#endif

  protected:
    Ptr<TcpSocketBase> Fork() override
    {
        return CopyObject<StockTcpSocket>(this);
    }

    void PersistTimeout() override
    {
        if (m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence) > 0)
        {
            TcpSocketBase::PersistTimeout();
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(StockTcpSocket);

/// Makes ns-3's own sockets for a node, as TcpL4Protocol does, with attributes of their own.
class StockTcpFactory : public ConfiguredTcpFactory
{
  public:
    /// Make a factory for a part of a scenario.
    StockTcpFactory(const ParameterSet& parameters, const std::string& group)
    {
        for (const Parameter& each : parameters.GetParameters())
        {
            if (each.group == group && IsOfTcp(each))
            {
                Take(each, *parameters.GetValue(each), parameters.GetText(each));
            }
        }
        if (UseTimestamps(parameters))
        {
            m_segment -= tcp::TIMESTAMPS_LENGTH; // ns-3's SegmentSize is the payload alone
        }
        m_attributes["SegmentSize"] = Create<UintegerValue>(m_segment);
    }

    Ptr<Socket> CreateSocket() override
    {
        const auto tcp = GetObject<TcpL4Protocol>();
        const auto make = [&tcp](const std::string& attribute) {
            TypeIdValue type;
            tcp->GetAttribute(attribute, type);
            return ObjectFactory(type.Get().GetName());
        };
        const ObjectFactory control(FindCongestionControl(m_control).GetName());
        Ptr<TcpSocketBase> socket = CreateObject<StockTcpSocket>();
        socket->SetNode(GetObject<Node>());
        socket->SetTcp(tcp);
        socket->SetRtt(make("RttEstimatorType").Create<RttEstimator>());
        socket->SetCongestionControlAlgorithm(control.Create<TcpCongestionOps>());
        socket->SetRecoveryAlgorithm(make("RecoveryType").Create<TcpRecoveryOps>());
        tcp->AddSocket(socket);
        for (const auto& [name, value] : m_attributes)
        {
            socket->SetAttribute(name, *value);
        }
        return socket;
    }

  private:
    /// Note what a parameter is for ns-3's own socket.
    void Take(const Parameter& parameter, const AttributeValue& value, const std::string& text)
    {
        const std::string& name = parameter.attribute;
        if (const std::string same = FindStockName(name); !same.empty())
        {
            m_attributes[same] = value.Copy();
        }
        else if (name == "HostWindowScale" || name == "DeviceWindowScale")
        {
            m_attributes["WindowScaling"] = Create<BooleanValue>(text != "none");
        }
        else if (name == "Nagle")
        {
            m_attributes["TcpNoDelay"] = Create<BooleanValue>(text == "false");
        }
        else if (name == "AckFrequency") // by 0 all that has come has one ACK: here, a segment
        {
            const uint64_t every = dynamic_cast<const UintegerValue&>(value).Get();
            m_attributes["DelAckCount"] = Create<UintegerValue>(std::max<uint64_t>(every, 1));
        }
        else if (name == "Mss")
        {
            m_segment = dynamic_cast<const UintegerValue&>(value).Get();
        }
        else if (name == "CongestionControl")
        {
            m_control = dynamic_cast<const EnumValue<GrowthRule>&>(value).Get();
        }
    }

    std::map<std::string, Ptr<AttributeValue>> m_attributes; //!< of the sockets, by name
    uint64_t m_segment{ETHERNET_MSS};                        //!< largest payload [B]
    GrowthRule m_control{GrowthRule::NEWRENO};               //!< of the sockets
};

} // namespace

TypeId
TcpChoice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::TcpChoice")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<TcpChoice>()
            .AddAttribute("Tcp",
                          "Which TCP both ends have: this study's, or stock ns-3's TcpSocketBase, "
                          "which does not tell what it waits for; a parameter that stock ns-3 has "
                          "not is refused",
                          EnumValue(STUDY),
                          MakeEnumAccessor<Kind>(&TcpChoice::m_kind),
                          MakeEnumChecker(STUDY, "study", STOCK, "stock"));
    return tid;
}

void
TcpChoice::Check(const ParameterSet& parameters,
                 const std::string& one,
                 const std::string& other) const
{
    if (m_kind == STOCK)
    {
        CheckStock(parameters);
    }
    CheckWindows(parameters, one, other);
    CheckTimerWheels(parameters);
}

Ptr<ConfiguredTcpFactory>
TcpChoice::Install(Ptr<Node> node,
                   const ParameterSet& parameters,
                   TypeId type,
                   const std::string& group) const
{
    if (m_kind == STUDY)
    {
        return ConfiguredTcpFactory::Install(node, parameters.GetFactory(type, group));
    }
    const auto factory = CreateObject<StockTcpFactory>(parameters, group);
    node->AggregateObject(factory);
    return factory;
}

} // namespace ns3::study
