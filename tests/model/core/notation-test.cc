/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Notation: times as records, tables and logs have them.
 */

#include "model/core/notation.h"
#include "tests/suite.h"

#include "ns3/nstime.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// Seconds are exact, also before the instant that is counted from.
class ExactSeconds : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(FormatSeconds(Time()), "0.000000000", "none");
        NS_TEST_EXPECT_MSG_EQ(FormatSeconds(NanoSeconds(1)), "0.000000001", "least");
        NS_TEST_EXPECT_MSG_EQ(FormatSeconds(MicroSeconds(-25600)), "-0.025600000", "before");
        NS_TEST_EXPECT_MSG_EQ(FormatSeconds(Hours(24) + NanoSeconds(7)), "86400.000000007", "long");
        NS_TEST_EXPECT_MSG_EQ(FormatSeconds(MilliSeconds(-1500)), "-1.500000000", "long before");
    }
};

const Suite g_notationSuite(
    "notation",
    {new ExactSeconds("a time in seconds is exact to the nanosecond, with its sign")});

} // namespace
