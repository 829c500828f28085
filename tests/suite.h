/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SUITE_H
#define SUITE_H

#include "ns3/test.h"

#include <string>
#include <vector>

namespace ns3::study
{

/// A test case that is told what it shows where the suite lists it.
class Claim : public TestCase
{
  public:
    /// @param claim what it shows
    explicit Claim(const std::string& claim)
        : TestCase(claim)
    {
    }
};

/// A suite of quick unit tests.
class Suite : public TestSuite
{
  public:
    /**
     * @param name for --suite
     * @param cases what it runs, which it owns
     */
    Suite(const std::string& name, const std::vector<TestCase*>& cases)
        : TestSuite(name, Type::UNIT)
    {
        for (TestCase* each : cases)
        {
            AddTestCase(each, Duration::QUICK);
        }
    }
};

} // namespace ns3::study

#endif /* SUITE_H */
