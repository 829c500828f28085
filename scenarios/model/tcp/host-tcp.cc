/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-tcp.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

namespace
{

constexpr uint32_t LARGEST_SEND_BUFFER = 1 << 30; //!< half of what sequence numbers tell apart [B]

} // namespace

NS_OBJECT_ENSURE_REGISTERED(HostTcp);

TypeId
HostTcp::GetTypeId()
{
    static const Time longest = Hours(1);
    static TypeId tid =
        TypeId("ns3::study::HostTcp")
            .SetParent<TcpEnd>()
            .SetGroupName("Study")
            .AddConstructor<HostTcp>()
            .AddAttribute("HostWindow",
                          "Receive window the host offers, or to which it grows from "
                          "HostFirstWindow; more than 65535 B need window scaling at both ends [B]",
                          UintegerValue(32120),
                          MakeUintegerAccessor(&HostTcp::m_hostWindow),
                          MakeUintegerChecker<uint32_t>(1, LARGEST_WINDOW))
            .AddAttribute("HostFirstWindow",
                          "Receive window with which the host begins, where it grows with the data "
                          "that arrive to HostWindow, as Linux's does, or to 65535 B without "
                          "window scaling; while it grows, an adaptive HostAckRule acknowledges at "
                          "once; 0 for HostWindow from the start [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostTcp::m_firstWindow),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_WINDOW))
            .AddAttribute("HostReceiveBuffer",
                          "SO_RCVBUF of the host, as Linux takes it: the window begins with so "
                          "much and grows to five quarters of it less a segment; without window "
                          "scaling in whole segments; 0 if it was not set, which leaves HostWindow "
                          "and HostFirstWindow [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HostTcp::m_receiveBuffer),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_WINDOW / 5 * 4))
            .AddAttribute("HostWindowScale",
                          "Window scaling the host offers (RFC 7323): none, its shift, or auto for "
                          "the least shift that its window needs; used if the peer offers it too",
                          EnumValue(NO_SCALE),
                          MakeEnumAccessor<WindowScale>(&HostTcp::m_windowScale),
                          MakeWindowScaleChecker())
            .AddAttribute("HostSack",
                          "Whether the host offers selective acknowledgments (RFC 2018); used if "
                          "the peer offers them too",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcp::m_sack),
                          MakeBooleanChecker())
            .AddAttribute("HostTimestamps",
                          "Whether the host offers timestamps (RFC 7323), which take 12 B of "
                          "every segment; used if the peer offers them too",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcp::m_timestamps),
                          MakeBooleanChecker())
            .AddAttribute(
                "SendBuffer",
                "Send buffer: data written and not yet acknowledged, or with SendBufferRule linux "
                "the memory they take, twice SO_SNDBUF [B]",
                UintegerValue(65536),
                MakeUintegerAccessor(&HostTcp::m_sendBuffer),
                MakeUintegerChecker<uint32_t>(1, LARGEST_SEND_BUFFER))
            .AddAttribute("SendBufferRule",
                          "What the send buffer bounds, and when a writer that found it full goes "
                          "on: data, and as soon as there is room; or as in Linux memory, counted "
                          "in blocks of up to 64 kB of which the last may be filled whatever the "
                          "bound, and when a third of it is free",
                          EnumValue(false),
                          MakeEnumAccessor<bool>(&HostTcp::m_countsMemory),
                          MakeEnumChecker(false, "bytes", true, "linux"))
            .AddAttribute("SendBufferGrows",
                          "Whether the send buffer grows with the congestion window, from ten "
                          "segments to SendBuffer, with SendBufferRule linux, as without "
                          "SO_SNDBUF; no effect with bytes",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcp::m_sendBufferGrows),
                          MakeBooleanChecker())
            .AddAttribute("SendBufferOverhead",
                          "Memory that a block of the send buffer takes beyond its data, with "
                          "SendBufferRule linux; no effect with bytes [B]",
                          UintegerValue(832),
                          MakeUintegerAccessor(&HostTcp::m_sendBufferOverhead),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute("Nagle",
                          "Nagle's algorithm: a small segment waits while data are outstanding",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HostTcp::m_nagle),
                          MakeBooleanChecker())
            .AddAttribute("NagleRule",
                          "What a small segment waits for where Nagle's algorithm is on: until "
                          "nothing is outstanding, or no other small segment (Minshall's change)",
                          EnumValue(false),
                          MakeEnumAccessor<bool>(&HostTcp::m_minshall),
                          MakeEnumChecker(false, "rfc896", true, "minshall"))
            .AddAttribute("PushFlag",
                          "Whether the last segment of what was written, and of a burst, carries "
                          "PSH, by which an adaptive receiver acknowledges at once",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcp::m_push),
                          MakeBooleanChecker())
            .AddAttribute("CongestionControl",
                          "How the congestion window grows and shrinks: newreno (RFC 5681, one "
                          "segment an ACK in slow start), reno (Linux's, one for each segment "
                          "acknowledged), cubic (RFC 9438) or bbr (ns-3's TcpBbr), which paces",
                          EnumValue(GrowthRule::NEWRENO),
                          MakeEnumAccessor<GrowthRule>(&HostTcp::m_growth),
                          MakeEnumChecker(GrowthRule::NEWRENO,
                                          "newreno",
                                          GrowthRule::RENO,
                                          "reno",
                                          GrowthRule::CUBIC,
                                          "cubic",
                                          GrowthRule::EXTERNAL,
                                          "bbr"))
            .AddAttribute(
                "LossDetection",
                "How the host finds what is lost: rfc6675, by three duplicate ACKs or what "
                "lies above a hole, or rack-tlp, by the time at which what came last was "
                "sent, and by a probe where the tail brings no ACK (RFC 8985); the latter "
                "where SACK is used",
                EnumValue(false),
                MakeEnumAccessor<bool>(&HostTcp::m_rack),
                MakeEnumChecker(false, "rfc6675", true, "rack-tlp"))
            .AddAttribute("InitialWindow",
                          "Congestion window at the start of the connection, in segments [1]",
                          UintegerValue(2),
                          MakeUintegerAccessor(&HostTcp::m_initialWindow),
                          MakeUintegerChecker<uint32_t>(1, 1000))
            .AddAttribute("MinimumRto",
                          "Lower bound of the retransmission timeout, as RtoRule has it [s]",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&HostTcp::m_minimumRto),
                          MakeTimeChecker(NanoSeconds(1), Minutes(1))) // ns-3's longest RTO
            .AddAttribute("RtoRule",
                          "What MinimumRto bounds: the whole retransmission timeout (RFC 6298, "
                          "2.4), or as in Linux what the timeout adds to the smoothed round-trip "
                          "time",
                          EnumValue(RtoBound::WHOLE),
                          MakeEnumAccessor<RtoBound>(&HostTcp::m_rtoBound),
                          MakeEnumChecker(RtoBound::WHOLE, "rfc6298", RtoBound::VARIATION, "linux"))
            .AddAttribute("InitialRto",
                          "First timeout of a SYN, which doubles with each one [s]",
                          TimeValue(Seconds(3)),
                          MakeTimeAccessor(&HostTcp::m_initialRto),
                          MakeTimeChecker(MilliSeconds(1), Minutes(1)))
            .AddAttribute("HostDelayedAck",
                          "Longest time the host withholds its own ACK of the peer's data [s]",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&HostTcp::m_delayedAckTimeout),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("HostAckFrequency",
                          "The host acknowledges every n-th data segment at once; 1 delays no ACK "
                          "(TcpAckFrequency of Windows) [1]",
                          UintegerValue(2),
                          MakeUintegerAccessor(&HostTcp::m_ackFrequency),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute(
                "HostAckRule",
                "How the host chooses the segments that it acknowledges at once: by "
                "count, or adaptively, as Linux does: more than a whole segment, or one "
                "that the application has read and that PSH or its size sets apart, "
                "until the connection is interactive",
                EnumValue(AckCount::SEGMENTS),
                MakeEnumAccessor<AckCount>(&HostTcp::m_ackCount),
                MakeEnumChecker(AckCount::SEGMENTS, "counted", AckCount::ADAPTIVE, "adaptive"))
            .AddAttribute("HostAckTimer",
                          "Whether the host's delayed-ACK time runs from the first segment not yet "
                          "acknowledged, or freely",
                          EnumValue(DelayedAck::ONE_SHOT),
                          MakeEnumAccessor<DelayedAck>(&HostTcp::m_ackTimer),
                          MakeEnumChecker(DelayedAck::ONE_SHOT,
                                          "one-shot",
                                          DelayedAck::FREE_RUNNING,
                                          "heartbeat"))
            .AddAttribute("QuickAcks",
                          "How many of the peer's first data segments the host acknowledges at "
                          "once, delaying ACKs only then [1]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&HostTcp::m_quickAcks),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("ReplyTime",
                          "Time from a segment's arrival at the host to its first reaction [s]",
                          TimeValue(MicroSeconds(15)),
                          MakeTimeAccessor(&HostTcp::m_replyTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SegmentTime",
                          "Time between two segments the host sends back to back [s]",
                          TimeValue(MicroSeconds(7)),
                          MakeTimeAccessor(&HostTcp::m_segmentTime),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("SillyWindowAvoidance",
                          "What the sender does with a window below one MSS",
                          EnumValue(SmallWindowRule::RFC1122),
                          MakeEnumAccessor<SmallWindowRule>(&HostTcp::m_smallWindow),
                          MakeEnumChecker(SmallWindowRule::RFC1122,
                                          "rfc1122",
                                          SmallWindowRule::WHOLE_SEGMENT,
                                          "whole-segment",
                                          SmallWindowRule::NONE,
                                          "none",
                                          SmallWindowRule::BURST,
                                          "burst"))
            .AddAttribute("SegmentBound",
                          "Largest segment the sender makes: the MSS, or at most half the largest "
                          "window it has seen",
                          EnumValue(false),
                          MakeEnumAccessor<bool>(&HostTcp::m_halvesSegments),
                          MakeEnumChecker(false, "mss", true, "half-window"))
            .AddAttribute("OverrideTimeout",
                          "Longest wait with data to send, a window too small to use, and nothing "
                          "outstanding whose ACK could open it; no effect with "
                          "SillyWindowAvoidance burst, which waits for a retransmission timeout "
                          "from the last ACK on, as Linux does [s]",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&HostTcp::m_overrideTimeout),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("ResetOnFinAck",
                          "Answer the ACK of the host's FIN with a reset, instead of waiting for "
                          "the peer's FIN",
                          BooleanValue(false),
                          MakeBooleanAccessor(&HostTcp::m_resetOnFinAck),
                          MakeBooleanChecker());
    return tid;
}

tcp::ConnectionSettings
HostTcp::GetSettings() const
{
    tcp::ConnectionSettings settings = GetCommon();
    settings.fixedBuffer = m_receiveBuffer > 0;
    settings.window = settings.fixedBuffer ? GetLargestOf(m_receiveBuffer) : m_hostWindow;
    settings.firstWindow = settings.fixedBuffer ? GetFirstOf(m_receiveBuffer) : m_firstWindow;
    settings.windowScale =
        GetShift(m_windowScale, settings.fixedBuffer ? settings.firstWindow : m_hostWindow);
    settings.sack = m_sack;
    settings.timestamps = m_timestamps;
    settings.replyTime = ToNanos(m_replyTime);
    settings.segmentTime = ToNanos(m_segmentTime);
    settings.resetOnFinAck = m_resetOnFinAck;
    settings.overrideTimeout = ToNanos(m_overrideTimeout);
    settings.sendBuffer = m_sendBuffer;
    settings.countsMemory = m_countsMemory;
    settings.bufferGrows = m_sendBufferGrows;
    settings.blockOverhead = m_sendBufferOverhead;
    settings.halvesSegments = m_halvesSegments;
    settings.nagle = m_nagle;
    settings.minshall = m_minshall;
    settings.push = m_push;
    settings.smallWindow = m_smallWindow;

    LossRecovery::Settings& recovery = settings.recovery;
    recovery.growth = m_growth;
    recovery.initialWindow = m_initialWindow;
    recovery.rack = m_rack;
    recovery.timeout.initial = ToNanos(m_initialRto);
    recovery.timeout.least = ToNanos(m_minimumRto);
    recovery.timeout.bound = m_rtoBound;
    if (m_rtoBound == RtoBound::VARIATION)
    {
        recovery.peersAckDelay = recovery.timeout.least;
    }

    AckPolicy::Settings& acks = settings.acks;
    const bool adapts = m_ackCount == AckCount::ADAPTIVE;
    acks.count = m_ackCount;
    acks.frequency = m_ackFrequency;
    acks.quickAcks = m_quickAcks;
    acks.timeout = ToNanos(m_delayedAckTimeout);
    acks.timer = adapts ? DelayedAck::ONE_SHOT : m_ackTimer;
    acks.clock = adapts ? settings.clock : TimerClock();
    acks.updates = WindowUpdate::FROM_ZERO;
    return settings;
}

} // namespace ns3::study
