/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * How many segments a recovery sends, ACK by ACK: RFC 9937, on a window without a network.
 */

#include "model/tcp/proportional-rate-reduction.h"
#include "tests/suite.h"

#include "ns3/tcp-socket-state.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1000; //!< [B]

/// A recovery of a flight, in which each ACK tells of one segment that has come.
struct Recovery
{
    Ptr<TcpSocketState> tcb{CreateObject<TcpSocketState>()}; //!< with its window
    ProportionalRateReduction rule;                          //!< what shrinks it
    uint32_t pipe;                                           //!< segments on their way
    uint32_t sent{0};                                        //!< segments sent in it

    /// @param flight segments outstanding @param lost of them @param threshold segments to end with
    Recovery(uint32_t flight, uint32_t lost, uint32_t threshold)
        : pipe(flight - lost - 1)
    {
        tcb->m_segmentSize = MSS;
        tcb->m_ssThresh = threshold * MSS;
        tcb->m_bytesInFlight = pipe * MSS;
        rule.EnterRecovery(tcb, 3, flight * MSS, MSS);
        Send();
    }

    /// Another segment has come.
    void Ack(bool mayBeLoss)
    {
        --pipe;
        tcb->m_bytesInFlight = pipe * MSS;
        rule.DoRecovery(tcb, MSS, mayBeLoss);
        Send();
    }

    /// Send what the window lets go.
    void Send()
    {
        for (; (pipe + 1) * MSS <= tcb->m_cWnd; ++pipe, ++sent)
        {
            rule.UpdateBytesSent(MSS);
        }
    }
};

/// In the round trip of a recovery half of what comes is sent where the window is halved.
class SendsItsShare : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Recovery recovery(100, 1, 50);
        NS_TEST_EXPECT_MSG_EQ(recovery.sent, 1, "the fast retransmit");
        for (uint32_t i = 2; i <= 99; ++i)
        {
            recovery.Ack(true);
            NS_TEST_EXPECT_MSG_EQ_TOL(recovery.sent, i / 2.0, 1.0, "sent after " << i << " ACKs");
        }
        NS_TEST_EXPECT_MSG_EQ(recovery.pipe, 50, "and ends at the threshold");
    }
};

/// Where more is lost than the window shrinks by, one is sent for one, or two if that was progress.
class CatchesUp : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Recovery slow(100, 80, 50);
        Recovery fast(100, 80, 50);
        for (int i = 0; i < 10; ++i)
        {
            slow.Ack(true);
            fast.Ack(false);
        }
        NS_TEST_EXPECT_MSG_EQ(slow.sent, 11, "packet conservation");
        NS_TEST_EXPECT_MSG_EQ(fast.sent, 21, "slow start");
        for (int i = 0; i < 100; ++i)
        {
            fast.Ack(false);
        }
        NS_TEST_EXPECT_MSG_EQ(fast.pipe, 50, "up to the threshold");
    }
};

const Suite g_reductionSuite(
    "proportional-rate-reduction",
    {new SendsItsShare("sends its share of what comes"),
     new CatchesUp("catches up with the threshold")}); //!< registers itself

} // namespace
