/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What can be set and traced of the host's socket, and what follows from it alone.
 */

#include "host-tcp-socket.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/tcp-bbr.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

namespace
{

constexpr uint32_t LARGEST_SEND_BUFFER = 1 << 30; //!< half of what sequence numbers tell apart [B]

} // namespace

NS_OBJECT_ENSURE_REGISTERED(HostTcpSocket);

TypeId
HostTcpSocket::GetTypeId()
{
    static const Time longest = Hours(1);
    static TypeId tid =
        TypeId("ns3::study::HostTcpSocket")
            .SetParent<CorrectedTcpSocket>()
            .SetGroupName("Study")
            .AddConstructor<HostTcpSocket>()
            .AddAttribute("HostWindow",
                          "Receive window the host offers; more than 65535 B need window scaling "
                          "at both ends; RcvBufSize has no effect [B]",
                          AT_BIRTH,
                          UintegerValue(32120),
                          MakeUintegerAccessor(&HostTcpSocket::m_hostWindow),
                          MakeUintegerChecker<uint32_t>(1, LARGEST_WINDOW))
            .AddAttribute("HostFirstWindow",
                          "Receive window with which the host begins, where it grows with the data "
                          "that arrive to HostWindow, as Linux's does; while it grows, an adaptive "
                          "HostAckRule acknowledges at once; 0 for HostWindow from the start [B]",
                          AT_BIRTH,
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostTcpSocket::m_firstWindow),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_WINDOW))
            .AddAttribute("HostWindowScale",
                          "Window scaling the host offers (RFC 7323): none, its shift, or auto for "
                          "the least shift that its window needs; used if the peer offers it too; "
                          "WindowScaling has no effect",
                          AT_BIRTH,
                          EnumValue(NO_SCALE),
                          MakeEnumAccessor<WindowScale>(&HostTcpSocket::m_windowScale),
                          MakeWindowScaleChecker())
            .AddAttribute("HostSack",
                          "Whether the host offers selective acknowledgments (RFC 2018); used if "
                          "the peer offers them too; Sack has no effect",
                          AT_BIRTH,
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcpSocket::m_sack),
                          MakeBooleanChecker())
            .AddAttribute("HostTimestamps",
                          "Whether the host offers timestamps (RFC 7323), which take 12 B of "
                          "every segment; used if the peer offers them too; Timestamp has no "
                          "effect",
                          AT_BIRTH,
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcpSocket::m_timestamps),
                          MakeBooleanChecker())
            .AddAttribute(
                "SendBuffer",
                "Send buffer: data written and not yet acknowledged, or with SendBufferRule linux "
                "the memory they take, twice SO_SNDBUF; SndBufSize has no effect [B]",
                AT_BIRTH,
                UintegerValue(65536),
                MakeUintegerAccessor(&HostTcpSocket::m_sendBuffer),
                MakeUintegerChecker<uint32_t>(1, LARGEST_SEND_BUFFER))
            .AddAttribute(
                "SendBufferRule",
                "What the send buffer bounds, and when a writer that found it full goes "
                "on: data, and as soon as there is room; or as in Linux memory, counted "
                "in blocks of up to 64 kB of which the last may be filled whatever the "
                "bound, and when a third of it is free",
                AT_BIRTH,
                EnumValue(SendBufferRule::BYTES),
                MakeEnumAccessor<SendBufferRule>(&HostTcpSocket::m_sendBufferRule),
                MakeEnumChecker(SendBufferRule::BYTES, "bytes", SendBufferRule::LINUX, "linux"))
            .AddAttribute("SendBufferGrows",
                          "Whether the send buffer grows with the congestion window, from ten "
                          "segments to SendBuffer, with SendBufferRule linux, as without "
                          "SO_SNDBUF; no effect with bytes",
                          AT_BIRTH,
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcpSocket::m_sendBufferGrows),
                          MakeBooleanChecker())
            .AddAttribute("SendBufferOverhead",
                          "Memory that a block of the send buffer takes beyond its data, with "
                          "SendBufferRule linux; no effect with bytes [B]",
                          AT_BIRTH,
                          UintegerValue(832),
                          MakeUintegerAccessor(&HostTcpSocket::m_sendBufferOverhead),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute("Nagle",
                          "Nagle's algorithm: a small segment waits while data are outstanding; "
                          "TcpNoDelay has no effect",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HostTcpSocket::SetNagle, &HostTcpSocket::GetNagle),
                          MakeBooleanChecker())
            .AddAttribute("NagleRule",
                          "What a small segment waits for where Nagle's algorithm is on: until "
                          "nothing is outstanding, or no other small segment (Minshall's change)",
                          EnumValue(RFC896),
                          MakeEnumAccessor<NagleRule>(&HostTcpSocket::m_nagleRule),
                          MakeEnumChecker(RFC896, "rfc896", MINSHALL, "minshall"))
            .AddAttribute("PushFlag",
                          "Whether the last segment of what was written, and of a burst, carries "
                          "PSH, by which an adaptive receiver acknowledges at once",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcpSocket::m_push),
                          MakeBooleanChecker())
            .AddAttribute("CongestionControl",
                          "How the congestion window grows and shrinks: newreno (RFC 5681, one "
                          "segment an ACK in slow start), reno (Linux's, one for each segment "
                          "acknowledged), cubic (RFC 9438) or bbr, which paces; ns-3's classes",
                          AT_BIRTH,
                          EnumValue(CongestionControl::NEWRENO),
                          MakeEnumAccessor<CongestionControl>(&HostTcpSocket::m_congestion),
                          MakeCongestionControlChecker())
            .AddAttribute(
                "LossDetection",
                "How the host finds what is lost: rfc6675, by three duplicate ACKs or what "
                "lies above a hole, or rack-tlp, by the time at which what came last was "
                "sent, and by a probe where the tail brings no ACK (RFC 8985); the latter "
                "where SACK is used",
                AT_BIRTH,
                EnumValue(RFC6675),
                MakeEnumAccessor<LossDetection>(&HostTcpSocket::m_lossDetection),
                MakeEnumChecker(RFC6675, "rfc6675", RACK_TLP, "rack-tlp"))
            .AddAttribute("InitialWindow",
                          "Congestion window at the start of the connection, in segments; "
                          "InitialCwnd has no effect [1]",
                          AT_BIRTH,
                          UintegerValue(2),
                          MakeUintegerAccessor(&HostTcpSocket::m_initialWindow),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("MinimumRto",
                          "Lower bound of the retransmission timeout, as RtoRule has it; MinRto "
                          "has no effect [s]",
                          AT_BIRTH,
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&HostTcpSocket::m_minimumRto),
                          MakeTimeChecker(NanoSeconds(1), Minutes(1))) // ns-3's longest RTO
            .AddAttribute("RtoRule",
                          "What MinimumRto bounds: the whole retransmission timeout (RFC 6298, "
                          "2.4), or as in Linux what the timeout adds to the smoothed round-trip "
                          "time",
                          AT_BIRTH,
                          EnumValue(RFC6298),
                          MakeEnumAccessor<RtoRule>(&HostTcpSocket::m_rtoRule),
                          MakeEnumChecker(RFC6298, "rfc6298", LINUX_RTO, "linux"))
            .AddAttribute("InitialRto",
                          "First timeout of a SYN, which doubles with each one; ConnTimeout has no "
                          "effect [s]",
                          AT_BIRTH,
                          TimeValue(Seconds(3)),
                          MakeTimeAccessor(&HostTcpSocket::m_initialRto),
                          MakeTimeChecker(MilliSeconds(1), Minutes(1)))
            .AddAttribute("HostDelayedAck",
                          "Longest time the host keeps back its own ACK of the peer's data; "
                          "DelAckTimeout has no effect [s]",
                          AT_BIRTH,
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&HostTcpSocket::m_delayedAckTimeout),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("HostAckFrequency",
                          "The host acknowledges every n-th data segment at once; 1 delays no ACK "
                          "(TcpAckFrequency of Windows); DelAckCount has no effect [1]",
                          AT_BIRTH,
                          UintegerValue(2),
                          MakeUintegerAccessor(&HostTcpSocket::m_ackFrequency),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute(
                "HostAckRule",
                "How the host chooses the segments that it acknowledges at once: by "
                "count, or adaptively, as Linux does: more than a whole segment, or one "
                "that the application has read and that PSH or its size sets apart, "
                "until the connection is interactive",
                AT_BIRTH,
                EnumValue(HostAcks::COUNTED),
                MakeEnumAccessor<HostAcks::Rule>(&HostTcpSocket::m_ackRule),
                MakeEnumChecker(HostAcks::COUNTED, "counted", HostAcks::ADAPTIVE, "adaptive"))
            .AddAttribute("HostAckTimer",
                          "Whether the host's delayed-ACK time runs from the first segment not yet "
                          "acknowledged, or beats freely",
                          AT_BIRTH,
                          EnumValue(ONE_SHOT),
                          MakeEnumAccessor<AckTimer>(&HostTcpSocket::m_ackTimer),
                          MakeEnumChecker(ONE_SHOT, "one-shot", HEARTBEAT, "heartbeat"))
            .AddAttribute("QuickAcks",
                          "How many of the peer's first data segments the host acknowledges at "
                          "once, delaying ACKs only then [1]",
                          AT_BIRTH,
                          UintegerValue(1),
                          MakeUintegerAccessor(&HostTcpSocket::m_quickAcks),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("ReplyTime",
                          "Time from a segment's arrival at the host to its first reaction [s]",
                          TimeValue(MicroSeconds(15)),
                          MakeTimeAccessor(&HostTcpSocket::m_replyTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SegmentTime",
                          "Time between two segments the host sends back to back [s]",
                          TimeValue(MicroSeconds(7)),
                          MakeTimeAccessor(&HostTcpSocket::m_segmentTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute(
                "SillyWindowAvoidance",
                "What the sender does with a window below one MSS",
                EnumValue(SillyWindowAvoidance::RFC1122),
                MakeEnumAccessor<SillyWindowAvoidance>(&HostTcpSocket::m_sillyWindowAvoidance),
                MakeEnumChecker(SillyWindowAvoidance::RFC1122,
                                "rfc1122",
                                SillyWindowAvoidance::WHOLE_SEGMENT,
                                "whole-segment",
                                SillyWindowAvoidance::NONE,
                                "none",
                                SillyWindowAvoidance::BURST,
                                "burst"))
            .AddAttribute("SegmentBound",
                          "Largest segment the sender makes: the MSS, or at most half the largest "
                          "window it has seen",
                          EnumValue(MSS),
                          MakeEnumAccessor<SegmentBound>(&HostTcpSocket::m_segmentBound),
                          MakeEnumChecker(MSS, "mss", HALF_WINDOW, "half-window"))
            .AddAttribute("OverrideTimeout",
                          "Longest wait with data to send, a window too small to use, and nothing "
                          "outstanding whose ACK could open it [s]",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&HostTcpSocket::m_overrideTimeout),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("ResetOnFinAck",
                          "Answer the ACK of the host's FIN with a reset, instead of waiting for "
                          "the peer's FIN",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcpSocket::m_resetOnFinAck),
                          MakeBooleanChecker())
            .AddTraceSource("SendBuffer",
                            "What the send buffer holds from now on, sent or not [B]",
                            MakeTraceSourceAccessor(&HostTcpSocket::m_bufferTrace),
                            "ns3::study::HostTcpSocket::BufferTracedCallback")
            .AddTraceSource("Limit",
                            "What the sender waits for from now on",
                            MakeTraceSourceAccessor(&HostTcpSocket::m_limitTrace),
                            "ns3::study::HostTcpSocket::LimitTracedCallback")
            .AddTraceSource("DelayedAckExpired",
                            "The delayed-ACK timer has expired; the ACK leaves next",
                            MakeTraceSourceAccessor(&HostTcpSocket::m_delayedAckTrace),
                            "ns3::TracedValueCallback::Void");
    return tid;
}

TcpOffer
HostTcpSocket::GetOffer() const
{
    return {.windowScale = m_windowScale,
            .sack = m_sack,
            .timestamps = m_timestamps,
            .window = m_hostWindow};
}

CongestionControl
HostTcpSocket::GetCongestionControl() const
{
    return m_congestion;
}

bool
HostTcpSocket::DetectsByTime() const
{
    return m_lossDetection == RACK_TLP;
}

Time
HostTcpSocket::GetPeersAckDelay() const
{
    return m_rtoRule == LINUX_RTO ? m_minimumRto : CorrectedTcpSocket::GetPeersAckDelay();
}

int64_t
HostTcpSocket::AssignStreams(int64_t stream)
{
    if (const auto bbr = DynamicCast<TcpBbr>(m_congestionControl))
    {
        bbr->SetStream(static_cast<uint32_t>(stream));
    }
    return 1; // so that a control that draws moves nobody else's draws
}

} // namespace ns3::study
