/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "device-tcp.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(DeviceTcp);

TypeId
DeviceTcp::GetTypeId()
{
    static const Time longest = Hours(1);
    using enum AckCount;
    using enum DelayedAck;
    using enum WindowUpdate;
    static TypeId tid =
        TypeId("ns3::study::DeviceTcp")
            .SetParent<TcpEnd>()
            .SetGroupName("Study")
            .AddConstructor<DeviceTcp>()
            .AddAttribute("ReceiveWindow",
                          "Largest receive window that this receiver advertises (device of a "
                          "print job, client of a download). More than 65535 B needs window "
                          "scaling at both ends [B]",
                          NUMBER_SETTING(window, 32120, 1, LARGEST_WINDOW))
            .AddAttribute("DeviceFirstWindow",
                          "Receive window with which the device begins, where it grows with what "
                          "arrives and is read to ReceiveWindow, as Linux's does, or to 65535 B "
                          "without window scaling; 0 for ReceiveWindow from the start [B]",
                          NUMBER_SETTING(firstWindow, 0, 0, LARGEST_WINDOW))
            .AddAttribute("DeviceWindowScale",
                          "Window scaling the device offers (RFC 7323): none, its shift, or auto "
                          "for the least shift that its window needs; used if the host offers it "
                          "too",
                          EnumValue(NO_SCALE),
                          MakeEnumAccessor<WindowScale>(&DeviceTcp::m_windowScale),
                          MakeWindowScaleChecker())
            .AddAttribute("DeviceSack",
                          "Whether the device offers selective acknowledgments (RFC 2018); used if "
                          "the host offers them too",
                          SWITCH_SETTING(sack, false))
            .AddAttribute("DeviceTimestamps",
                          "Whether the device offers timestamps (RFC 7323), which take 12 B of "
                          "every segment; used if the host offers them too",
                          SWITCH_SETTING(timestamps, false))
            .AddAttribute("DeviceMss",
                          "Largest segment the device announces in its SYN; 0 announces 1460, or "
                          "the host's if that is larger [B]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DeviceTcp::m_deviceMss),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_MSS))
            .AddAttribute("SynAckLatency",
                          "Time from a SYN's arrival to the SYN-ACK [s]",
                          TIME_SETTING(attention.syn, MicroSeconds(100), NanoSeconds(1), longest))
            .AddAttribute("AckLatency",
                          "Bulk traffic: time from the first segment an ACK covers to that ACK [s]",
                          TIME_SETTING(attention.bulk, MicroSeconds(100), NanoSeconds(1), longest))
            .AddAttribute("AckLatencyPerByte",
                          "Bulk traffic: what each byte covered adds to the ACK latency [s]",
                          TIME_SETTING(attention.perByte, Time(0), Time(0), Seconds(1)))
            .AddAttribute("InteractiveAckLatency",
                          "Interactive traffic: time each segment takes until its ACK or the "
                          "application's answer; 0 if the device treats all traffic as bulk [s]",
                          TIME_SETTING(attention.interactive, Time(0), Time(0), longest))
            .AddAttribute("InteractiveBytes",
                          "Traffic is interactive up to so many bytes since the device's "
                          "application last spoke, and bulk behind them; no effect without "
                          "InteractiveAckLatency [B]",
                          NUMBER_SETTING(attention.interactiveBytes, 2560, 0, 2000000000))
            .AddAttribute(
                "AckLatencySpread",
                "Bulk traffic: each ACK takes up to this much longer, drawn uniformly [s]",
                TIME_SETTING(attention.spread, Time(0), Time(0), longest))
            .AddAttribute("WindowProbeLatency",
                          "Time from a window probe's arrival to its answer [s]",
                          TIME_SETTING(attention.probe, MicroSeconds(100), NanoSeconds(1), longest))
            .AddAttribute(
                "AckThreshold",
                "Fraction of the advertised window that data must exceed to be acknowledged "
                "without waiting for the delayed-ACK timer: a fault of the IMAGEN "
                "printers, where a larger window needs more data for an ACK; other "
                "receivers have AckFrequency; 0 for no such rule [1]",
                DoubleValue(0),
                SETTING(acks.threshold),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AckFrequency",
                          "Every n-th full-sized segment is acknowledged at once, what is less by "
                          "the delayed-ACK timer (RFC 5681, 4.2: 2); 1 acknowledges each segment; "
                          "0 for a device that acknowledges all that has arrived by one ACK [1]",
                          NUMBER_SETTING(acks.frequency, 0, 0, 255))
            .AddAttribute("DeviceQuickAcks",
                          "How many of the host's first data segments the device acknowledges at "
                          "once, delaying ACKs only then [1]",
                          NUMBER_SETTING(acks.quickAcks, 0, 0, 1000))
            .AddAttribute("AckPushed",
                          "Whether a segment that ends a write or a burst (PSH), or is not whole, "
                          "is acknowledged at once when the application has read all there is, and "
                          "one that fills a gap at any rate (RFC 5681, 4.2), as Linux does; no "
                          "effect with an AckFrequency of 0 or 1",
                          SWITCH_SETTING(acks.pushed, false))
            .AddAttribute("DeviceAckRule",
                          "What earns an ACK at once: what AckFrequency, AckThreshold and "
                          "AckPushed count; or adaptive, as Linux: more than a segment, what ends "
                          "a burst, and each segment with which the window grows",
                          CHOICE_SETTING(acks.count, OCTETS, "counted", ADAPTIVE, "adaptive"))
            .AddAttribute("DelayedAckTimeout",
                          "Time after which a withheld ACK is sent anyway [s]",
                          TIME_SETTING(acks.timeout, MilliSeconds(500), NanoSeconds(1), longest))
            .AddAttribute(
                "DelayedAckTimer",
                "Whether that time runs from the first segment not yet acknowledged, or freely",
                CHOICE_SETTING(acks.timer, ONE_SHOT, "one-shot", FREE_RUNNING, "free-running"))
            .AddAttribute("WindowUpdates",
                          "Which openings of its window the device announces when its application "
                          "reads: every one; by one MSS or half the buffer at least (RFC 1122, "
                          "4.2.3.3); by two segments or 35 % of the buffer at least, also before a "
                          "delayed ACK (BSD); or only that a closed window is open again",
                          CHOICE_SETTING(acks.updates,
                                         EVERY_OPENING,
                                         "every-opening",
                                         RFC1122,
                                         "rfc1122",
                                         BSD,
                                         "bsd",
                                         FROM_ZERO,
                                         "from-zero"))
            .AddAttribute("DeviceSillyWindowAvoidance",
                          "Whether no segment of the device announces a larger window before it "
                          "has grown by one MSS or half the buffer (RFC 1122, 4.2.3.3)",
                          SWITCH_SETTING(acks.sillyWindowAvoidance, false));
    return tid;
}

tcp::ConnectionSettings
DeviceTcp::GetSettings() const
{
    tcp::ConnectionSettings settings = GetCommon();
    settings.mss = m_deviceMss > 0 ? m_deviceMss : settings.mss;
    settings.mssFollowsPeer = m_deviceMss == 0 && settings.mss >= ETHERNET_MSS;
    settings.windowScale = GetShift(m_windowScale, settings.window);
    settings.nagle = false;
    settings.smallWindow = SmallWindowRule::WHOLE_SEGMENT;
    constexpr uint32_t sendBuffer = 131072; // ns-3's default, more than any answer takes
    settings.sendBuffer = sendBuffer;
    settings.recovery.initialWindow = 10; // RFC 6928
    settings.recovery.timeout.least = 1s; // RFC 6298, 2.4
    return settings;
}

} // namespace ns3::study
