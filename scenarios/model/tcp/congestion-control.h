/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGESTION_CONTROL_H
#define CONGESTION_CONTROL_H

#include "ns3/attribute.h"
#include "ns3/ptr.h"

namespace ns3
{
class TcpCongestionOps;
class TcpRecoveryOps;
} // namespace ns3

namespace ns3::study
{

/// How a sender's congestion window grows and shrinks, by the usual names.
enum class CongestionControl
{
    NEWRENO, //!< RFC 5681: in slow start one segment more for every ACK
    RENO,    //!< as in Linux: one segment more for every segment acknowledged
    CUBIC,   //!< RFC 9438, with HyStart
    BBR      //!< by the rate at which data are delivered, paced; it takes no loss for a signal
};

/// @return a checker of attributes that hold one
Ptr<const AttributeChecker> MakeCongestionControlChecker();
/// @return a new one: Cubic is ours, the others are ns-3's
Ptr<TcpCongestionOps> MakeCongestionControl(CongestionControl control);
/// @return how the window shrinks in a recovery: at once (RFC 6582), or as data are delivered
///         (RFC 9937), as Linux does it
Ptr<TcpRecoveryOps> MakeRecovery(CongestionControl control);

} // namespace ns3::study

#endif /* CONGESTION_CONTROL_H */
