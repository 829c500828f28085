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

#include "model/connection/congestion-window.h"
#include "model/core/ns3-version.h"

#include "ns3/core-module.h"
#include "ns3/internet-module.h"

#include <iostream>

using namespace ns3;

namespace
{

const uint32_t MSS = 1000; //!< [B]

/// Say when slow start ended.
void
Tell(const std::string& name, Time train)
{
    std::cout << name << ": slow start ends after a train of " << train.As(Time::MS) << std::endl;
}

/// Feed ns-3's congestion control a train of ACKs.
void
TrainStock()
{
    const auto control = CreateObject<TcpCubic>();
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
    Tell("ns-3", ended - Seconds(1));
}

/// Feed this study's the same.
void
Train()
{
    using namespace std::chrono_literals;
    study::CongestionWindow window(study::GrowthRule::CUBIC);
    window.Begin(MSS, 20, 0, 0s);
    window.Set(20 * MSS, 1000 * MSS);
    for (uint32_t ack = 1; ack <= 200; ++ack)
    {
        const study::Nanos now = 1s + ack * 500us;
        window.Sent(MSS, window.Get().window, ack * MSS, 1000 * MSS);
        window.Sample(ack * MSS, 1000 * MSS, 40ms, now);
        window.Grow(1, now);
        if (!window.Get().IsSlowStart())
        {
            Tell("here", NanoSeconds((now - 1s).count()));
            return;
        }
    }
}

/// Say how many segments a recovery sent.
void
Tell(const std::string& name, uint32_t sent)
{
    std::cout << name << ": " << sent << " segments sent for the first 40 that have come"
              << std::endl;
}

/// Feed ns-3's recovery the ACKs of a flight.
void
RecoverStock()
{
    const auto recovery = CreateObject<TcpPrrRecovery>();
    Ptr<TcpSocketState> state = CreateObject<TcpSocketState>();
    state->m_segmentSize = MSS;
    state->m_ssThresh = 50 * MSS;
    uint32_t sent = 0;
    for (uint32_t pipe = 98, ack = 1; ack <= 40; ++ack)
    {
        state->m_bytesInFlight = pipe * MSS;
        if (ack == 1)
        {
#if NS3_STUDY_RECOVERY_TAKES_SACK
            recovery->EnterRecovery(state, 3, 100 * MSS, MSS, MSS);
#else
            recovery->EnterRecovery(state, 3, 100 * MSS, MSS);
#endif
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
    Tell("ns-3", sent);
}

/// Feed this study's the same.
void
Recover()
{
    study::RateReduction reduction;
    reduction.Begin(100 * MSS);
    uint32_t sent = 0;
    for (uint32_t pipe = 98, ack = 1; ack <= 40; ++ack)
    {
        const study::CongestionState state{.mss = MSS, .threshold = 50 * MSS};
        const uint32_t window = reduction.GetWindow(state, pipe * MSS, MSS, false);
        for (; (pipe + 1) * MSS <= window; ++pipe, ++sent)
        {
            reduction.Sent(MSS);
        }
        --pipe; // the next one comes
    }
    Tell("here", sent);
}

} // namespace

int
main()
{
    TrainStock();
    Train();
    RecoverStock();
    Recover();
    return 0;
}
