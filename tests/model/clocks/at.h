/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NS3_STUDY_TESTS_AT_H
#define NS3_STUDY_TESTS_AT_H

#include "ns3/simulator.h"

#include <cstdint>
#include <functional>

namespace ns3::study
{

/**
 * @brief Schedule a change.
 * @param ms when, after the beginning
 * @param action the change
 */
inline void
At(int64_t ms, const std::function<void()>& action)
{
    Simulator::Schedule(MilliSeconds(ms), action);
}

} // namespace ns3::study

#endif // NS3_STUDY_TESTS_AT_H
