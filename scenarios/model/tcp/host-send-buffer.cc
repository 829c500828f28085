/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The host's send buffer: what its application may write, and when it is told of room.
 */

#include "host-tcp-socket.h"

#include "ns3/log.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("HostSendBuffer");

void
HostTcpSocket::BeginSendBuffer()
{
    const bool bytes = m_sendBufferRule == SendBufferRule::BYTES;
    SetSndBufSize(bytes ? m_sendBuffer : std::numeric_limits<uint32_t>::max());
    m_memory.Begin(m_sendBufferGrows ? GetGrownBuffer() : m_sendBuffer, m_sendBufferOverhead);
}

uint32_t
HostTcpSocket::GetGrownBuffer() const
{
    // tcp_sndbuf_expand: twice the congestion window (BBR: three times), and ten segments at
    // least, each with the memory that a packet of its own would take.
    constexpr uint64_t leastSegments = 10;
    constexpr uint32_t descriptor = 256; // of a block's overhead; the rest is with its data
    const uint64_t data = m_mss + m_sendBufferOverhead - std::min(m_sendBufferOverhead, descriptor);
    const uint64_t segments = m_tcb->m_cWnd / std::max(m_tcb->m_segmentSize, 1U);
    const uint64_t times = m_congestion == CongestionControl::BBR ? 3 : 2;
    const uint64_t grown =
        times * std::max(segments, leastSegments) * (std::bit_ceil(data) + descriptor);
    return static_cast<uint32_t>(std::min<uint64_t>(grown, m_sendBuffer));
}

uint32_t
HostTcpSocket::GetTxAvailable() const
{
    if (m_sendBufferRule == SendBufferRule::BYTES)
    {
        return CorrectedTcpSocket::GetTxAvailable();
    }
    // The parent would tell the writer of room in the middle of a segment's handling.
    return m_handling ? 0 : m_memory.Ask(GetWholeBlock());
}

bool
HostTcpSocket::IsSendBufferFull() const
{
    return m_sendBufferRule == SendBufferRule::BYTES ? GetTxAvailable() == 0 : m_memory.IsFull();
}

int
HostTcpSocket::Send(Ptr<Packet> packet, uint32_t flags)
{
    NS_LOG_FUNCTION(this << packet << flags);
    const bool bytes = m_sendBufferRule == SendBufferRule::BYTES;
    if (!bytes && m_memory.IsFull())
    {
        m_errno = ERROR_MSGSIZE;
        return -1;
    }
    m_burst = 0;
    if (m_sillyWindowAvoidance == SillyWindowAvoidance::BURST && MaySend())
    {
        m_written = true; // else it only follows what an ACK has let go, which is being built
        m_ofBlock = 0;
    }
    const bool full = !bytes && m_memory.GetRoom(GetWholeBlock()) == 0;
    const int sent = CorrectedTcpSocket::Send(packet, flags);
    if (!bytes && sent > 0)
    {
        m_memory.Write(static_cast<uint32_t>(sent), GetWholeBlock());
        NoteLeaving();
    }
    if (full)
    {
        m_memory.Ask(
            GetWholeBlock()); // a writer that does not ask first waits from its next one on
    }
    Judge();
    return sent;
}

void
HostTcpSocket::NoteBurst(uint32_t size)
{
    const uint32_t mss = m_tcb->m_segmentSize;
    // What is left of a window leaves only as the tail of a block: behind a whole one it would have
    // to begin another. What is written leaves block by block, as each is filled.
    const bool joinsBlocks = m_sillyWindowAvoidance == SillyWindowAvoidance::BURST;
    const bool endsBlock = joinsBlocks && ++m_ofBlock % (GetBlock() / mss) == 0;
    m_inBurst = (m_inBurst || size >= mss) && !endsBlock;
}

uint32_t
HostTcpSocket::GetBlock() const
{
    const uint32_t block = GetBlock(GetPace(), GetRoundTrip(), m_tcb->m_minRtt);
    return m_written ? std::min(block, GetWholeBlock()) : block;
}

uint32_t
HostTcpSocket::GetBlock(uint64_t hundredths, Time roundTrip, Time shortest) const
{
    // Beyond what the largest window holds it makes no difference. (tcp_grow_skb, tcp_cwnd_test.)
    const uint32_t mss = m_tcb->m_segmentSize;
    const uint64_t most = std::max(m_largestWindow / mss + 1, 2U) * uint64_t{mss};
    const uint64_t rate = GetRate(hundredths, roundTrip, shortest) / mss * mss;
    const uint64_t half = std::max(m_tcb->m_cWnd.Get() / mss / 2, 1U) * uint64_t{mss};
    return static_cast<uint32_t>(std::min(std::clamp<uint64_t>(rate, 2 * mss, most), half));
}

uint32_t
HostTcpSocket::GetWholeBlock() const
{
    // tcp_xmit_size_goal: 64 kB less room for headers; at most half the largest window, unless
    // that is tiny; whole segments.
    constexpr uint32_t largest = 65536 - 257;
    constexpr uint32_t defaultMss = 536;
    const uint32_t mss = m_tcb->m_segmentSize;
    const uint32_t bound = m_largestWindow > defaultMss ? m_largestWindow / 2 : largest;
    return std::max(std::min(largest, bound) / mss, 1U) * mss;
}

Time
HostTcpSocket::GetRoundTrip() const
{
    return m_rtt->GetNSamples() > 0 ? m_rtt->GetEstimate() : Time();
}

uint64_t
HostTcpSocket::GetPace() const
{
    const uint64_t window = m_tcb->m_cWnd;
    return window * (window < m_tcb->m_ssThresh.Get() / 2 ? 200 : 120);
}

uint32_t
HostTcpSocket::GetBurst() const
{
    return GetBurst(GetPace(), GetRoundTrip(), m_tcb->m_minRtt);
}

uint32_t
HostTcpSocket::GetBurst(uint64_t hundredths, Time roundTrip, Time shortest) const
{
    const uint64_t mss = m_tcb->m_segmentSize;
    return static_cast<uint32_t>(
        std::clamp<uint64_t>(GetRate(hundredths, roundTrip, shortest) / mss * mss,
                             2 * mss,
                             std::max<uint64_t>(GetWholeBlock(), 2 * mss)));
}

uint64_t
HostTcpSocket::GetRate(uint64_t hundredths, Time roundTrip, Time shortest) const
{
    // tcp_tso_autosize: what leaves in 1/1024 s at the rate that window and round trip give, and
    // more over a short path; two segments at least.
    constexpr uint64_t perSecond = 1024;
    constexpr int64_t halving = 512; // [us] of the round trip, each of which halves what is added
    if (!roundTrip.IsStrictlyPositive())
    {
        return 0;
    }
    const auto micros = static_cast<uint64_t>(std::max<int64_t>(roundTrip.GetMicroSeconds(), 1));
    const int64_t halvings = shortest.GetMicroSeconds() / halving;
    return hundredths * 10000 / micros / perSecond +
           (halvings < 32 ? uint64_t{65279} >> halvings : 0);
}

uint32_t
HostTcpSocket::NoteLeaving()
{
    const uint32_t mss = m_tcb->m_segmentSize;
    const uint32_t outstanding = m_scoreboard.GetTotal();
    const uint32_t unsent = m_txBuffer->Size() - std::min(m_txBuffer->Size(), outstanding);
    const bool held = !m_connected || (IsPacingEnabled() && m_pacingTimer.IsRunning());
    const uint32_t room = held ? 0 : CorrectedTcpSocket::GetRoom();
    uint32_t leaves = std::min(room, unsent) / mss * mss;
    const bool rest = unsent - leaves < mss && unsent <= room;
    if (rest && !(m_nagle && HoldsSmallSegment()))
    {
        leaves = unsent;
    }
    m_memory.Leave(unsent - leaves, GetBurst());
    return leaves;
}

void
HostTcpSocket::TellRoom()
{
    if (m_sendBufferRule == SendBufferRule::BYTES)
    {
        return;
    }
    const uint32_t leaving = NoteLeaving();
    const bool windowFull = BytesInFlight() + leaving + m_tcb->m_segmentSize > m_tcb->m_cWnd;
    if (m_sendBufferGrows && m_memory.IsFull() && !windowFull)
    {
        m_memory.Raise(GetGrownBuffer());
    }
    m_memory.Keep(m_txBuffer->Size());
    const uint32_t room = m_memory.GetRoom(GetWholeBlock());
    if (room > 0 && !IsClosed())
    {
        NotifySend(room);
    }
}

} // namespace ns3::study
