/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-control.h"

#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/tcp-bbr.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-cubic.h"
#include "ns3/tcp-linux-reno.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-recovery-ops.h"

namespace ns3::study
{

Ptr<const AttributeChecker>
MakeCongestionControlChecker()
{
    return MakeEnumChecker(CongestionControl::NEWRENO,
                           "newreno",
                           CongestionControl::RENO,
                           "reno",
                           CongestionControl::CUBIC,
                           "cubic",
                           CongestionControl::BBR,
                           "bbr");
}

Ptr<TcpCongestionOps>
MakeCongestionControl(CongestionControl control)
{
    switch (control)
    {
    case CongestionControl::RENO:
        return CreateObject<TcpLinuxReno>();
    case CongestionControl::CUBIC: {
        Ptr<TcpCubic> cubic = CreateObject<TcpCubic>();
        // Linux's HYSTART_DELAY_MAX: ns-3's second would let no delay end slow start.
        cubic->SetAttribute("HyStartDelayMax", TimeValue(MilliSeconds(16)));
        return cubic;
    }
    case CongestionControl::BBR:
        return CreateObject<TcpBbr>();
    case CongestionControl::NEWRENO:
        break;
    }
    return CreateObject<TcpNewReno>();
}

Ptr<TcpRecoveryOps>
MakeRecovery(CongestionControl control)
{
    return control == CongestionControl::NEWRENO
               ? Ptr<TcpRecoveryOps>(CreateObject<TcpClassicRecovery>())
               : Ptr<TcpRecoveryOps>(CreateObject<TcpPrrRecovery>());
}

} // namespace ns3::study
