/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What a delivery rate is measured over when a segment is sent again.
 */

#include "model/tcp/delivery-rate.h"
#include "tests/suite.h"

#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/tcp-tx-item.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t SIZE = 1000; //!< of a segment [B]

/// Two segments leave at 1 and 2 ms; the second is lost, leaves again at 50 ms, and comes at 90;
/// a third leaves at 95 ms and comes at 135.
class SentAgain : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Ptr<DeliveryRate> rate = CreateObject<DeliveryRate>();
        Ptr<TcpTxBuffer> buffer = CreateObject<TcpTxBuffer>();
        buffer->SetSegmentSize(SIZE);
        buffer->SetHeadSequence(SequenceNumber32(1));
        buffer->Add(Create<Packet>(3 * SIZE));
        std::vector<TcpTxItem*> items;
        const auto send = [&]() {
            const SequenceNumber32 next(1 + SIZE * items.size());
            items.push_back(buffer->CopyFromSequence(SIZE, next));
            rate->SkbSent(items.back(), items.size() == 1);
        };
        const auto sample = [&](std::size_t item) {
            rate->SkbDelivered(items[item]);
            return rate->GenerateSample(SIZE, 0, false, SIZE, Time(0)).m_sendElapsed;
        };
        std::vector<Time> phases;
        const auto at = [](int ms, std::function<void()> then) {
            Simulator::Schedule(MilliSeconds(ms), std::move(then));
        };
        at(1, send);
        at(2, send);
        at(41, [&]() { phases.push_back(sample(0)); });
        at(50, [&]() { rate->SkbSent(items[1], false); });
        at(90, [&]() { phases.push_back(sample(1)); });
        at(95, send);
        at(135, [&]() { phases.push_back(sample(2)); });
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(phases[0], MilliSeconds(0), "of the first segment");
        NS_TEST_EXPECT_MSG_EQ(phases[1], MilliSeconds(49), "of what was sent again, 1 to 50 ms");
        NS_TEST_EXPECT_MSG_EQ(phases[2], MilliSeconds(45), "of the next, 50 to 95 ms");
    }
};

const Suite g_deliveryRateSuite(
    "delivery-rate",
    {new SentAgain("the send phase goes by the last time that a segment left")}); //!< registers
                                                                                  //!< itself

} // namespace
