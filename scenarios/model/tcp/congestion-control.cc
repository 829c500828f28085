/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "congestion-control.h"

#include "cubic.h"
#include "proportional-rate-reduction.h"
#include "reno.h"

#include "ns3/enum.h"
#include "ns3/tcp-bbr.h"
#include "ns3/tcp-congestion-ops.h"
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
        return CreateObject<Reno>();
    case CongestionControl::CUBIC:
        return CreateObject<Cubic>();
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
               : Ptr<TcpRecoveryOps>(CreateObject<ProportionalRateReduction>());
}

} // namespace ns3::study
