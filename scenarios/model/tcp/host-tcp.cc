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
    using enum AckCount;
    using enum DelayedAck;
    using enum GrowthRule;
    using enum RtoBound;
    using enum SmallWindowRule;
    static TypeId tid =
        TypeId("ns3::study::HostTcp")
            .SetParent<TcpEnd>()
            .SetGroupName("Study")
            .AddConstructor<HostTcp>()
            .AddAttribute("HostWindow",
                          "Largest receive window that the host advertises. It is constant, or "
                          "grows up to this value if HostFirstWindow is set. More than 65535 B "
                          "needs window scaling at both ends [B]",
                          NUMBER_SETTING(window, 32120, 1, LARGEST_WINDOW))
            .AddAttribute("HostFirstWindow",
                          "Receive window with which the host begins, where it grows with the data "
                          "that arrive to HostWindow, as Linux's does, or to 65535 B without "
                          "window scaling; while it grows, an adaptive HostAckRule acknowledges at "
                          "once; 0 for HostWindow from the start [B]",
                          NUMBER_SETTING(firstWindow, 0, 0, LARGEST_WINDOW))
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
                          SWITCH_SETTING(sack, false))
            .AddAttribute("HostTimestamps",
                          "Whether the host offers timestamps (RFC 7323), which take 12 B of "
                          "every segment; used if the peer offers them too",
                          SWITCH_SETTING(timestamps, false))
            .AddAttribute(
                "SendBuffer",
                "Send buffer: data written and not yet acknowledged, or with SendBufferRule linux "
                "the memory they take, twice SO_SNDBUF [B]",
                NUMBER_SETTING(sendBuffer, 65536, 1, LARGEST_SEND_BUFFER))
            .AddAttribute("SendBufferRule",
                          "How the send buffer is limited. bytes: by data; a blocked writer "
                          "resumes as soon as there is room. linux: by memory in blocks of up to "
                          "64 kB; the last block may exceed the limit, and a blocked writer "
                          "resumes when a third is free",
                          NAMED_SETTING(countsMemory, "bytes", "linux"))
            .AddAttribute("SendBufferGrows",
                          "Whether the send buffer grows with the congestion window, from ten "
                          "segments to SendBuffer, with SendBufferRule linux, as without "
                          "SO_SNDBUF; no effect with bytes",
                          SWITCH_SETTING(bufferGrows, false))
            .AddAttribute("SendBufferOverhead",
                          "Memory that a block of the send buffer takes beyond its data, with "
                          "SendBufferRule linux; no effect with bytes [B]",
                          NUMBER_SETTING(blockOverhead, 832, 0, 65536))
            .AddAttribute("Nagle",
                          "Nagle's algorithm: a small segment waits while data are outstanding",
                          SWITCH_SETTING(nagle, true))
            .AddAttribute("NagleRule",
                          "What a small segment waits for where Nagle's algorithm is on: until "
                          "nothing is outstanding, or no other small segment (Minshall's change)",
                          NAMED_SETTING(minshall, "rfc896", "minshall"))
            .AddAttribute("PushFlag",
                          "Whether the last segment of what was written, and of a burst, carries "
                          "PSH, by which an adaptive receiver acknowledges at once",
                          SWITCH_SETTING(push, false))
            .AddAttribute("CongestionControl",
                          "How the congestion window grows and shrinks: newreno (RFC 5681, one "
                          "segment an ACK in slow start), reno (Linux's, one for each segment "
                          "acknowledged), cubic (RFC 9438) or bbr (ns-3's TcpBbr), which paces",
                          CHOICE_SETTING(recovery.growth,
                                         NEWRENO,
                                         "newreno",
                                         RENO,
                                         "reno",
                                         CUBIC,
                                         "cubic",
                                         EXTERNAL,
                                         "bbr"))
            .AddAttribute(
                "LossDetection",
                "How the host finds what is lost: rfc6675, by three duplicate ACKs or what "
                "lies above a hole, or rack-tlp, by the time at which what came last was "
                "sent, and by a probe where the tail brings no ACK (RFC 8985); the latter "
                "where SACK is used",
                NAMED_SETTING(recovery.rack, "rfc6675", "rack-tlp"))
            .AddAttribute("InitialWindow",
                          "Congestion window at the start of the connection, in segments [1]",
                          NUMBER_SETTING(recovery.initialWindow, 2, 1, 1000))
            .AddAttribute("MinimumRto",
                          "Lower bound of the retransmission timeout, as RtoRule has it [s]",
                          TIME_SETTING(recovery.timeout.least,
                                       MilliSeconds(200),
                                       NanoSeconds(1),
                                       Minutes(1))) // ns-3's longest RTO
            .AddAttribute(
                "RtoRule",
                "What MinimumRto bounds: the whole retransmission timeout (RFC 6298, "
                "2.4), or as in Linux what the timeout adds to the smoothed round-trip "
                "time",
                CHOICE_SETTING(recovery.timeout.bound, WHOLE, "rfc6298", VARIATION, "linux"))
            .AddAttribute(
                "InitialRto",
                "First timeout of a SYN, which doubles with each one [s]",
                TIME_SETTING(recovery.timeout.initial, Seconds(3), MilliSeconds(1), Minutes(1)))
            .AddAttribute("HostDelayedAck",
                          "Longest time the host withholds its own ACK of the peer's data [s]",
                          TIME_SETTING(acks.timeout, MilliSeconds(200), NanoSeconds(1), longest))
            .AddAttribute("HostAckFrequency",
                          "The host acknowledges every n-th data segment at once; 1 delays no ACK "
                          "(TcpAckFrequency of Windows) [1]",
                          NUMBER_SETTING(acks.frequency, 2, 1, 255))
            .AddAttribute("HostAckRule",
                          "How the host chooses the segments that it acknowledges at once: by "
                          "count, or adaptively, as Linux does: more than a whole segment, or one "
                          "that the application has read and that PSH or its size sets apart, "
                          "until the connection is interactive",
                          CHOICE_SETTING(acks.count, SEGMENTS, "counted", ADAPTIVE, "adaptive"))
            .AddAttribute(
                "HostAckTimer",
                "Whether the host's delayed-ACK time runs from the first segment not yet "
                "acknowledged, or freely",
                CHOICE_SETTING(acks.timer, ONE_SHOT, "one-shot", FREE_RUNNING, "heartbeat"))
            .AddAttribute("QuickAcks",
                          "How many of the peer's first data segments the host acknowledges at "
                          "once, delaying ACKs only then [1]",
                          NUMBER_SETTING(acks.quickAcks, 1, 0, 1000))
            .AddAttribute("ReplyTime",
                          "Time from a segment's arrival at the host to its first reaction [s]",
                          TIME_SETTING(replyTime, MicroSeconds(15), NanoSeconds(1), longest))
            .AddAttribute("SegmentTime",
                          "Time between two segments the host sends back to back [s]",
                          TIME_SETTING(segmentTime, MicroSeconds(7), NanoSeconds(1), longest))
            .AddAttribute("SillyWindowAvoidance",
                          "What the sender does with a window below one MSS",
                          CHOICE_SETTING(smallWindow,
                                         RFC1122,
                                         "rfc1122",
                                         WHOLE_SEGMENT,
                                         "whole-segment",
                                         NONE,
                                         "none",
                                         BURST,
                                         "burst"))
            .AddAttribute("SegmentBound",
                          "Largest segment the sender makes: the MSS, or at most half the largest "
                          "window it has seen",
                          NAMED_SETTING(halvesSegments, "mss", "half-window"))
            .AddAttribute("OverrideTimeout",
                          "Longest wait with data to send, a window too small to use, and nothing "
                          "outstanding whose ACK could open it; no effect with "
                          "SillyWindowAvoidance burst, which waits for a retransmission timeout "
                          "from the last ACK on, as Linux does [s]",
                          TIME_SETTING(overrideTimeout, MilliSeconds(500), NanoSeconds(1), longest))
            .AddAttribute("ResetOnFinAck",
                          "Answer the ACK of the host's FIN with a reset, instead of waiting for "
                          "the peer's FIN",
                          SWITCH_SETTING(resetOnFinAck, false));
    return tid;
}

tcp::ConnectionSettings
HostTcp::GetSettings() const
{
    tcp::ConnectionSettings settings = GetCommon();
    settings.fixedBuffer = m_receiveBuffer > 0;
    if (settings.fixedBuffer)
    {
        settings.window = GetLargestOf(m_receiveBuffer);
        settings.firstWindow = GetFirstOf(m_receiveBuffer);
    }
    settings.windowScale =
        GetShift(m_windowScale, settings.fixedBuffer ? settings.firstWindow : settings.window);
    if (settings.recovery.timeout.bound == RtoBound::VARIATION)
    {
        settings.recovery.peersAckDelay = settings.recovery.timeout.least;
    }
    settings.acks.updates = WindowUpdate::FROM_ZERO;
    if (settings.acks.count == AckCount::ADAPTIVE)
    {
        settings.acks.timer = DelayedAck::ONE_SHOT;
        settings.acks.clock = settings.clock;
    }
    return settings;
}

} // namespace ns3::study
