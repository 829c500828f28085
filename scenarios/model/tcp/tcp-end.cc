/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-end.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(TcpEnd);

TypeId
TcpEnd::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::TcpEnd")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddAttribute("Mss",
                          "Largest segment announced in the SYN, and sent unless the peer's is "
                          "smaller; timestamps take 12 B of it [B]",
                          NUMBER_SETTING(mss, ETHERNET_MSS, 1, LARGEST_MSS))
            .AddAttribute("FirstPersistTimeout",
                          "Time from a closed window to the first window probe; doubles with "
                          "every probe that finds it closed [s]",
                          TIME_SETTING(firstPersist, MilliSeconds(200), NanoSeconds(1), Hours(1)))
            .AddAttribute("LongestPersistTimeout",
                          "Longest time between two window probes [s]",
                          TIME_SETTING(longestPersist, Seconds(60), NanoSeconds(1), Hours(1)))
            .AddAttribute("TimerTick",
                          "Tick of the clock that timers go by: persist and override timer expire "
                          "at its last multiple that is not later than asked for, RACK-TLP's and "
                          "an adaptive delayed ACK at the first that is not earlier; with "
                          "TimerWheel all of these and the retransmission timer never early [s]",
                          TimeValue(NanoSeconds(1)),
                          MakeTimeAccessor(&TcpEnd::m_timerTick),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1)))
            .AddAttribute(
                "TimerWheel",
                "Whether timers are in Linux's timer wheel: retransmission (also of SYN "
                "and FIN), persist, override, RACK-TLP's and an adaptive delayed ACK "
                "count whole ticks of TimerTick, of 1 ms at least, and end at the next one (from "
                "63 ticks on at the next 8th, from 504 at the next 64th); else a "
                "retransmission timeout is exact, as a counted delayed ACK always is",
                BooleanValue(false),
                MakeBooleanAccessor(&TcpEnd::m_timerWheel),
                MakeBooleanChecker());
    return tid;
}

tcp::ConnectionSettings
TcpEnd::GetCommon() const
{
    tcp::ConnectionSettings settings = m_settings;
    settings.clock = TimerClock(Nanos(m_timerTick.GetNanoSeconds()), m_timerWheel);
    settings.recovery.timeout.clock = settings.clock;
    return settings;
}

} // namespace ns3::study
