/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * HyStart ends slow start when a train of ACKs is as long as the one-way delay, for which half of
 * the shortest round trip stands (Ha and Rhee 2011). ns-3's TcpCubic takes the whole round trip.
 *
 * In one round of slow start with a round trip of 40 ms an ACK comes every 0.5 ms.
 */

#include "ns3/core-module.h"
#include "ns3/internet-module.h"

using namespace ns3;

/// Slow start ends within one ACK of half the round trip.
class HystartTrainTest : public TestCase
{
  public:
    HystartTrainTest()
        : TestCase("A train of ACKs as long as half the round trip ends CUBIC's slow start")
    {
    }

  private:
    void DoRun() override;
};

void
HystartTrainTest::DoRun()
{
    constexpr uint32_t mss = 1000;
    const Time gap = MicroSeconds(500);
    const Time roundTrip = MilliSeconds(40);
    const auto control = CreateObject<TcpCubic>();
    const auto state = CreateObject<TcpSocketState>();
    state->m_segmentSize = mss;
    state->m_cWnd = 20 * mss;
    state->m_ssThresh = state->m_initialSsThresh = 1000 * mss;
    state->m_isCwndLimited = true;
    control->Init(state);
    Time train;
    for (uint32_t ack = 1; ack <= 200; ++ack)
    {
        Simulator::Schedule(ack * gap, [&, ack]() {
            state->m_lastAckedSeq = SequenceNumber32(ack * mss);
            state->m_highTxMark = SequenceNumber32(1000 * mss);
            control->PktsAcked(state, 1, roundTrip);
            control->IncreaseWindow(state, 1);
            if (train.IsZero() && state->m_cWnd >= state->m_ssThresh)
            {
                train = (ack - 1) * gap;
            }
        });
    }
    Simulator::Run();
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_GT(train, roundTrip / 2 - 2 * gap, "length of the train at the end");
    NS_TEST_EXPECT_MSG_LT(train, roundTrip / 2 + 2 * gap, "length of the train at the end");
}

/// One case.
static struct HystartTrainSuite : public TestSuite
{
    HystartTrainSuite()
        : TestSuite("tcp-hystart-whole-round-trip", Type::UNIT)
    {
        AddTestCase(new HystartTrainTest, Duration::QUICK);
    }
} g_suite; //!< registers it

int
main(int argc, char* argv[])
{
    return TestRunner::Run(argc, argv);
}
