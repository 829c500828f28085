/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NS3_STUDY_NS3_VERSION_H
#define NS3_STUDY_NS3_VERSION_H

/*
 * The ns-3 that this is compiled against: which one it is, and what changed in its interface since
 * 3.44, the oldest that the study takes. The build defines NS3_STUDY_NS3_VERSION, 344 for 3.44 and
 * 399 for a development tree, and NS3_STUDY_NS3_KIND for one that `./waf ns3` built.
 */

#include <cstdint>
#include <string>

#ifndef NS3_STUDY_NS3_KIND
#define NS3_STUDY_NS3_KIND ""
#endif

/// Since 3.45 TcpBbr keeps in the socket's TcpRateOps that the application limited it, and needs
/// one.
#define NS3_STUDY_BBR_NEEDS_RATE_OPS (NS3_STUDY_NS3_VERSION >= 345)

/// Until 3.44 a child of Object that has attributes tells its own TypeId; later Object does.
#define NS3_STUDY_OBJECT_TELLS_TYPE (NS3_STUDY_NS3_VERSION >= 345)

/// Since 3.49 the recovery is told what the ACK reports by SACK.
#define NS3_STUDY_RECOVERY_TAKES_SACK (NS3_STUDY_NS3_VERSION >= 349)

namespace ns3::study
{

/// IANA's number of TCP, which ns-3.49 has elsewhere than 3.44.
constexpr uint8_t TCP_PROTOCOL = 6;

/// @return the version, and of one of the user's own how it was built, for the record of what ran
inline std::string
DescribeNs3()
{
    const std::string kind = NS3_STUDY_NS3_KIND;
    return std::to_string(NS3_STUDY_NS3_VERSION / 100) + "." +
           std::to_string(NS3_STUDY_NS3_VERSION % 100) + (kind.empty() ? "" : ", " + kind);
}

} // namespace ns3::study

#endif // NS3_STUDY_NS3_VERSION_H
