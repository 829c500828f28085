/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOCK_CLAIM_H
#define CLOCK_CLAIM_H

#include "model/clocks/limit-table.h"
#include "tests/suite.h"

#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace ns3::study
{

/// What a clock charges to each limit, where changes come at known instants.
template <typename Clock>
class ClockClaim : public Claim
{
  protected:
    using Claim::Claim;

    /// Let a change come. @param ms when, after the beginning
    static void At(int64_t ms, const std::function<void()>& change)
    {
        Simulator::Schedule(MilliSeconds(ms), change);
    }

    /// Let all changes come, and see what the clock has charged. @param charged [ms]
    void Expect(const std::vector<std::pair<Limit, int64_t>>& charged)
    {
        Simulator::Run();
        Simulator::Destroy();
        for (const auto& [limit, ms] : charged)
        {
            NS_TEST_EXPECT_MSG_EQ(clock.Get(limit), MilliSeconds(ms), LimitName(limit));
        }
    }

    Clock clock; //!< the clock
};

} // namespace ns3::study

#endif /* CLOCK_CLAIM_H */
