/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-direction.h"

#include "model/core/trace-listener.h"

#include "ns3/codel-queue-disc.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/object-factory.h"
#include "ns3/red-queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <list>

namespace ns3::study
{

void
PathDirection::Install(Ptr<PointToPointNetDevice> from,
                       Ptr<PointToPointNetDevice> to,
                       const Settings& settings)
{
    m_settings = settings;
    m_serialization = SerializationTime(settings.rate);
    m_line = from;
    from->SetDataRate(settings.rate);
    // Not ConnectQueueTraces(): the interface would let one more packet wait in itself.
    m_flow = CreateObject<NetDeviceQueueInterface>();
    from->AggregateObject(m_flow);
    m_queue = MakeQueue(settings);
    from->GetNode()->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(from, m_queue);
    from->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&PathDirection::Begin, this));
    Listen(from, "PhyTxEnd", [this](Ptr<const Packet>) { End(); });

    if (!settings.lost.empty())
    {
        std::list<uint32_t> fromZero;
        for (const uint32_t number : settings.lost)
        {
            fromZero.push_back(number - 1);
        }
        auto list = CreateObject<ReceiveListErrorModel>();
        list->SetList(fromZero);
        m_lossModel = list;
    }
    else if (settings.loss > 0)
    {
        auto random = CreateObject<RateErrorModel>();
        random->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        random->SetRate(settings.loss);
        m_lossModel = random;
    }
    if (m_lossModel)
    {
        to->SetReceiveErrorModel(m_lossModel);
        Listen(to, "PhyRxDrop", [this](Ptr<const Packet>) { ++m_lost; });
    }
}

Ptr<QueueDisc>
PathDirection::MakeQueue(const Settings& settings)
{
    ObjectFactory factory;
    switch (settings.kind)
    {
    case DROP_TAIL:
        factory.SetTypeId(FifoQueueDisc::GetTypeId());
        break;
    case CODEL:
        factory.SetTypeId(CoDelQueueDisc::GetTypeId());
        // RFC 8289, 4.4: a queue below one packet of the largest size is no standing queue.
        factory.Set("MinBytes", UintegerValue(settings.mtu));
        break;
    case FQ_CODEL:
        factory.SetTypeId(FqCoDelQueueDisc::GetTypeId());
        break;
    case RED: {
        factory.SetTypeId(RedQueueDisc::GetTypeId());
        // ns-3's own proportions: it drops between a fifth and three fifths of the room on average.
        const double room = settings.queue.GetValue();
        factory.Set("MinTh", DoubleValue(room / 5));
        factory.Set("MaxTh", DoubleValue(room * 3 / 5));
        factory.Set("MeanPktSize", UintegerValue(settings.mtu));
        factory.Set("LinkBandwidth", DataRateValue(settings.rate));
        factory.Set("LinkDelay", TimeValue(settings.delay));
        break;
    }
    }
    factory.Set("MaxSize", QueueSizeValue(settings.queue));
    return factory.Create<QueueDisc>();
}

void
PathDirection::Begin(Ptr<const Packet> packet)
{
    m_flow->GetTxQueue(0)->Stop();
    m_free = Simulator::Now() + m_serialization.Get(packet->GetSize());
}

void
PathDirection::End()
{
    ++m_sent;
    if (m_queue->GetNPackets() == 0)
    {
        m_flow->GetTxQueue(0)->Start();
        return;
    }
    // The interface is still letting go of the packet before.
    Simulator::ScheduleNow([queue = m_flow->GetTxQueue(0)]() { queue->Wake(); });
}

Ptr<PointToPointNetDevice>
PathDirection::GetLine() const
{
    return m_line;
}

Ptr<QueueDisc>
PathDirection::GetQueue() const
{
    return m_queue;
}

uint64_t
PathDirection::GetDropped() const
{
    return m_queue->GetStats().nTotalDroppedPackets;
}

uint64_t
PathDirection::GetLost() const
{
    return m_lost;
}

uint64_t
PathDirection::GetSent() const
{
    return m_sent;
}

bool
PathDirection::IsTransmitting() const
{
    return m_flow->GetTxQueue(0)->IsStopped();
}

int64_t
PathDirection::AssignStreams(int64_t stream)
{
    if (const auto random = DynamicCast<RateErrorModel>(m_lossModel))
    {
        random->AssignStreams(stream);
    }
    if (const auto red = DynamicCast<RedQueueDisc>(m_queue))
    {
        red->AssignStreams(stream + 1);
    }
    return 2; // so that a loss that comes in moves nobody else's draws
}

void
PathDirection::Describe(StateRecord& state) const
{
    // A list of losses counts the packets; the other disciplines have a memory of their own.
    if (m_lossModel || m_settings.kind != DROP_TAIL)
    {
        state.SetUnprovable(m_lossModel ? Obstacle::LOSSES : Obstacle::QUEUE);
        return;
    }
    state.Add(m_queue->GetNPackets());
    state.Add(m_queue->GetNBytes());
    state.Add(IsTransmitting());
    state.AddInstant(m_free);
}

} // namespace ns3::study
