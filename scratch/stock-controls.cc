/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Two of ns-3's controls of the congestion window beside those of this study, each fed by hand.
 *
 * CUBIC: in one round of slow start, 40 ms long, an ACK comes every half millisecond; how long the
 * train is when slow start ends. Proportional rate reduction: of 100 segments one is lost, 99 are
 * told of by SACK one by one, and the window is to be halved; how many segments are sent meanwhile.
 * docs/reference/tcp-corrections.md says what is corrected.
 */

#include "model/tcp/cubic.h"
#include "model/tcp/proportional-rate-reduction.h"

#include "ns3/core-module.h"
#include "ns3/internet-module.h"

#include <iostream>

using namespace ns3;

namespace
{

const uint32_t MSS = 1000; //!< [B]

/// Feed a congestion control a train of ACKs.
void
Train(const std::string& name, Ptr<TcpCongestionOps> control)
{
    Ptr<TcpSocketState> state = CreateObject<TcpSocketState>();
    state->m_segmentSize = MSS;
    state->m_cWnd = 20 * MSS;
    state->m_ssThresh = state->m_initialSsThresh = 1000 * MSS;
    state->m_isCwndLimited = true;
    control->Init(state);
    Time ended;
    for (uint32_t ack = 1; ack <= 200; ++ack)
    {
        Simulator::Schedule(Seconds(1) + ack * MicroSeconds(500), [&, ack]() {
            state->m_lastAckedSeq = SequenceNumber32(ack * MSS);
            state->m_highTxMark = SequenceNumber32(1000 * MSS);
            control->PktsAcked(state, 1, MilliSeconds(40));
            control->IncreaseWindow(state, 1);
            const bool slowStart = state->m_cWnd < state->m_ssThresh;
            ended = ended.IsZero() && !slowStart ? Simulator::Now() : ended;
        });
    }
    Simulator::Run();
    Simulator::Destroy();
    std::cout << name << ": slow start ends after a train of " << (ended - Seconds(1)).As(Time::MS)
              << std::endl;
}

/// Feed a recovery the ACKs of a flight.
void
Recovery(const std::string& name, Ptr<TcpRecoveryOps> recovery)
{
    Ptr<TcpSocketState> state = CreateObject<TcpSocketState>();
    state->m_segmentSize = MSS;
    state->m_ssThresh = 50 * MSS;
    uint32_t sent = 0;
    for (uint32_t pipe = 98, ack = 1; ack <= 40; ++ack)
    {
        state->m_bytesInFlight = pipe * MSS;
        if (ack == 1)
        {
            recovery->EnterRecovery(state, 3, 100 * MSS, MSS);
        }
        else
        {
            recovery->DoRecovery(state, MSS, true);
        }
        for (; (pipe + 1) * MSS <= state->m_cWnd; ++pipe, ++sent)
        {
            recovery->UpdateBytesSent(MSS);
        }
        --pipe; // the next one comes
    }
    std::cout << name << ": " << sent << " segments sent for the first 40 that have come"
              << std::endl;
}

} // namespace

int
main()
{
    Train("ns-3", CreateObject<TcpCubic>());
    Train("here", CreateObject<study::Cubic>());
    Recovery("ns-3", CreateObject<TcpPrrRecovery>());
    Recovery("here", CreateObject<study::ProportionalRateReduction>());
    return 0;
}
