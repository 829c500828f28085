/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Reno's window as Linux counts it: in whole segments, and afresh from each loss on.
 */

#include "model/tcp/reno.h"
#include "tests/suite.h"

#include "ns3/tcp-socket-state.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t MSS = 1000; //!< [B]

/// @return a window of so many segments that limits the sender, in congestion avoidance
Ptr<TcpSocketState>
WindowOf(uint32_t segments)
{
    auto tcb = CreateObject<TcpSocketState>();
    tcb->m_segmentSize = MSS;
    tcb->m_cWnd = segments * MSS;
    tcb->m_ssThresh = tcb->m_cWnd.Get();
    tcb->m_isCwndLimited = true;
    return tcb;
}

/// Half of an odd window has no half segment.
class HalvesDownwards : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Reno reno;
        NS_TEST_EXPECT_MSG_EQ(reno.GetSsThresh(WindowOf(35), 0), 17 * MSS, "of 35");
        NS_TEST_EXPECT_MSG_EQ(reno.GetSsThresh(WindowOf(3), 0), 2 * MSS, "of 3: two at least");
    }
};

/// A segment for each window acknowledged; a loss forgets what was acknowledged towards it.
class CountsAfresh : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool lost : {false, true})
        {
            Reno reno;
            const auto tcb = WindowOf(10);
            reno.IncreaseWindow(tcb, 9);
            NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd, 10 * MSS, "nine of ten acknowledged");
            if (lost)
            {
                reno.CongestionStateSet(tcb, TcpSocketState::CA_RECOVERY);
            }
            reno.IncreaseWindow(tcb, 1);
            NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd, (lost ? 10 : 11) * MSS, "and the tenth");
            reno.IncreaseWindow(tcb, 9);
            NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd, 11 * MSS, "and nine more");
        }
    }
};

/// So does every other reduction of the window, as one that a lost retransmission makes.
class CountsAfreshWhenHalved : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Reno reno;
        const auto tcb = WindowOf(10);
        reno.IncreaseWindow(tcb, 9);
        reno.GetSsThresh(tcb, 0);
        reno.IncreaseWindow(tcb, 1);
        NS_TEST_EXPECT_MSG_EQ(tcb->m_cWnd, 10 * MSS, "the tenth is the first");
    }
};

const Suite g_renoSuite("reno",
                        {new HalvesDownwards("half of an odd window is a whole number"),
                         new CountsAfreshWhenHalved("any reduction begins the count afresh"),
                         new CountsAfresh("a loss begins the count afresh")}); //!< registers itself

} // namespace
