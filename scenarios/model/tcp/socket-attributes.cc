/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What can be set and traced of each socket; the host's is in host-tcp-attributes.
 */

#include "device-tcp-socket.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

namespace
{

constexpr uint32_t LARGEST_MSS = 65495; //!< what IPv4's 65535 octets leave beside 40 of headers [B]

} // namespace

NS_OBJECT_ENSURE_REGISTERED(CorrectedTcpSocket);

TypeId
CorrectedTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::CorrectedTcpSocket")
            .SetParent<TcpSocketBase>()
            .SetGroupName("Study")
            .AddConstructor<CorrectedTcpSocket>()
            .AddAttribute("Mss",
                          "Largest segment announced in the SYN, and sent unless the peer's is "
                          "smaller; timestamps take 12 B of it; SegmentSize has no effect [B]",
                          AT_BIRTH,
                          UintegerValue(ETHERNET_MSS),
                          MakeUintegerAccessor(&CorrectedTcpSocket::m_mss),
                          MakeUintegerChecker<uint32_t>(1, LARGEST_MSS))
            .AddAttribute("FirstPersistTimeout",
                          "Time from a closed window to the first window probe; doubles with "
                          "every probe that finds it closed; PersistTimeout has no effect [s]",
                          TimeValue(MilliSeconds(200)),
                          MakeTimeAccessor(&CorrectedTcpSocket::m_firstPersistTimeout),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute("LongestPersistTimeout",
                          "Longest time between two window probes [s]",
                          TimeValue(Seconds(60)),
                          MakeTimeAccessor(&CorrectedTcpSocket::m_longestPersistTimeout),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute("TimerTick",
                          "Beat of the clock that timers go by: persist and override timer expire "
                          "at its last multiple that is not later than asked for, RACK-TLP's and "
                          "an adaptive delayed ACK at the first that is not earlier; with "
                          "TimerWheel all of these and the retransmission timer never early [s]",
                          TimeValue(NanoSeconds(1)),
                          MakeTimeAccessor(&CorrectedTcpSocket::m_timerTick),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1)))
            .AddAttribute("TimerWheel",
                          "Whether timers are in Linux's timer wheel: retransmission (also of SYN "
                          "and FIN), persist, override, RACK-TLP's and an adaptive delayed ACK "
                          "count whole TimerTicks, of 1 ms at least, and end at the next one (from "
                          "63 ticks on at the next 8th, from 504 at the next 64th); else a "
                          "retransmission timeout is exact, as a counted delayed ACK always is",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CorrectedTcpSocket::m_timerWheel),
                          MakeBooleanChecker())
            .AddTraceSource("RttSample",
                            "A round-trip time is measured",
                            MakeTraceSourceAccessor(&CorrectedTcpSocket::m_rttSampleTrace),
                            "ns3::Time::TracedCallback")
            .AddTraceSource("AckWithheld",
                            "This end keeps back an ACK, or does not any more",
                            MakeTraceSourceAccessor(&CorrectedTcpSocket::m_ackWithheldTrace),
                            "ns3::study::CorrectedTcpSocket::AckWithheldTracedCallback");
    return tid;
}

NS_OBJECT_ENSURE_REGISTERED(DeviceTcpSocket);

TypeId
DeviceTcpSocket::GetTypeId()
{
    static const Time longest = Hours(1);
    static TypeId tid =
        TypeId("ns3::study::DeviceTcpSocket")
            .SetParent<CorrectedTcpSocket>()
            .SetGroupName("Study")
            .AddConstructor<DeviceTcpSocket>()
            .AddAttribute("ReceiveWindow",
                          "Receive window the device offers; more than 65535 B need window "
                          "scaling at both ends; RcvBufSize has no effect [B]",
                          AT_BIRTH,
                          UintegerValue(32120),
                          MakeUintegerAccessor(&DeviceTcpSocket::m_receiveWindow),
                          MakeUintegerChecker<uint32_t>(1, LARGEST_WINDOW))
            .AddAttribute("DeviceWindowScale",
                          "Window scaling the device offers (RFC 7323): none, its shift, or auto "
                          "for the least shift that its window needs; used if the host offers it "
                          "too; WindowScaling has no effect",
                          AT_BIRTH,
                          EnumValue(NO_SCALE),
                          MakeEnumAccessor<WindowScale>(&DeviceTcpSocket::m_windowScale),
                          MakeWindowScaleChecker())
            .AddAttribute("DeviceSack",
                          "Whether the device offers selective acknowledgments (RFC 2018); used if "
                          "the host offers them too; Sack has no effect",
                          AT_BIRTH,
                          BooleanValue(false),
                          MakeBooleanAccessor(&DeviceTcpSocket::m_sack),
                          MakeBooleanChecker())
            .AddAttribute("DeviceTimestamps",
                          "Whether the device offers timestamps (RFC 7323), which take 12 B of "
                          "every segment; used if the host offers them too; Timestamp has no "
                          "effect",
                          AT_BIRTH,
                          BooleanValue(false),
                          MakeBooleanAccessor(&DeviceTcpSocket::m_timestamps),
                          MakeBooleanChecker())
            .AddAttribute("DeviceMss",
                          "Largest segment the device announces in its SYN; 0 announces 1460, or "
                          "the host's if that is larger [B]",
                          AT_BIRTH,
                          UintegerValue(0),
                          MakeUintegerAccessor(&DeviceTcpSocket::m_deviceMss),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_MSS))
            .AddAttribute("SynAckLatency",
                          "Time from a SYN's arrival to the SYN-ACK [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_synAckLatency),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("AckLatency",
                          "Bulk traffic: time from the first segment an ACK covers to that ACK [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_ackLatency),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("AckLatencyPerByte",
                          "Bulk traffic: what each byte covered adds to the ACK latency [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_ackLatencyPerByte),
                          MakeTimeChecker(Time(0), Seconds(1)))
            .AddAttribute("InteractiveAckLatency",
                          "Interactive traffic: time each segment takes until its ACK or the "
                          "application's answer; 0 if the device treats all traffic as bulk [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_interactiveAckLatency),
                          MakeTimeChecker(Time(0), longest))
            .AddAttribute("InteractiveBytes",
                          "Traffic is interactive up to so many bytes since the device's "
                          "application last spoke, and bulk behind them; no effect without "
                          "InteractiveAckLatency [B]",
                          UintegerValue(2560),
                          MakeUintegerAccessor(&DeviceTcpSocket::m_interactiveBytes),
                          MakeUintegerChecker<uint32_t>(0, 2000000000))
            .AddAttribute(
                "AckLatencySpread",
                "Bulk traffic: each ACK takes up to this much longer, drawn uniformly [s]",
                TimeValue(Time(0)),
                MakeTimeAccessor(&DeviceTcpSocket::m_ackLatencySpread),
                MakeTimeChecker(Time(0), longest))
            .AddAttribute("WindowProbeLatency",
                          "Time from a window probe's arrival to its answer [s]",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_windowProbeLatency),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("AckThreshold",
                          "Share of the offered window that data must exceed to be acknowledged "
                          "without waiting for the delayed-ACK timer: a fault of the IMAGEN "
                          "printers, where a larger window needs more data for an ACK; other "
                          "receivers have AckFrequency; 0 for no such rule [1]",
                          DoubleValue(0),
                          MakeDoubleAccessor(&DeviceTcpSocket::m_ackThreshold),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AckFrequency",
                          "Every n-th full-sized segment is acknowledged at once, what is less by "
                          "the delayed-ACK timer (RFC 5681, 4.2: 2); 1 acknowledges each segment; "
                          "0 for a device that acknowledges all that has arrived by one ACK [1]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DeviceTcpSocket::m_ackFrequency),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddAttribute("DeviceQuickAcks",
                          "How many of the host's first data segments the device acknowledges at "
                          "once, delaying ACKs only then [1]",
                          AT_BIRTH,
                          UintegerValue(0),
                          MakeUintegerAccessor(&DeviceTcpSocket::m_quickAcks),
                          MakeUintegerChecker<uint32_t>(0, 1000))
            .AddAttribute("AckPushed",
                          "Whether a segment that ends a write or a burst (PSH), or is not whole, "
                          "is acknowledged at once when the application has read all there is, and "
                          "one that fills a gap at any rate (RFC 5681, 4.2), as Linux does; no "
                          "effect with an AckFrequency of 0 or 1",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DeviceTcpSocket::m_ackPushed),
                          MakeBooleanChecker())
            .AddAttribute("DelayedAckTimeout",
                          "Time after which an ACK kept back is sent anyway [s]",
                          TimeValue(MilliSeconds(500)),
                          MakeTimeAccessor(&DeviceTcpSocket::m_delayedAckTimeout),
                          MakeTimeChecker(NanoSeconds(1), longest))
            .AddAttribute("DelayedAckTimer",
                          "Whether that time runs from the first segment kept back for, or freely",
                          EnumValue(ONE_SHOT),
                          MakeEnumAccessor<DelayedAckTimer>(&DeviceTcpSocket::m_delayedAckTimer),
                          MakeEnumChecker(ONE_SHOT, "one-shot", FREE_RUNNING, "free-running"))
            .AddAttribute("WindowUpdates",
                          "Which openings of its window the device announces when its application "
                          "reads: every one; by one MSS or half the buffer at least (RFC 1122, "
                          "4.2.3.3); by two segments or 35 % of the buffer at least, also before a "
                          "delayed ACK (BSD); or only that a closed window is open again",
                          EnumValue(WindowUpdates::EVERY_OPENING),
                          MakeEnumAccessor<WindowUpdates>(&DeviceTcpSocket::m_windowUpdates),
                          MakeEnumChecker(WindowUpdates::EVERY_OPENING,
                                          "every-opening",
                                          WindowUpdates::RFC1122,
                                          "rfc1122",
                                          WindowUpdates::BSD,
                                          "bsd",
                                          WindowUpdates::FROM_ZERO,
                                          "from-zero"))
            .AddAttribute("DeviceSillyWindowAvoidance",
                          "Whether no segment of the device announces a larger window before it "
                          "has grown by one MSS or half the buffer (RFC 1122, 4.2.3.3)",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DeviceTcpSocket::m_deviceSillyWindowAvoidance),
                          MakeBooleanChecker())
            .AddTraceSource("Holding",
                            "The buffer holds data that the application has not read, or none",
                            MakeTraceSourceAccessor(&DeviceTcpSocket::m_holdsTrace),
                            "ns3::study::DeviceTcpSocket::HoldingTracedCallback")
            .AddTraceSource("DelayedAckExpired",
                            "The delayed-ACK timer has expired; the ACK leaves next",
                            MakeTraceSourceAccessor(&DeviceTcpSocket::m_expiredTrace),
                            "ns3::TracedValueCallback::Void");
    return tid;
}

} // namespace ns3::study
