/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "live-end.h"

#include "live-printer.h"

namespace ns3::study
{

std::unique_ptr<LiveEnd>
MakeLiveEnd(const std::string& scenario)
{
    if (scenario == "print-job")
    {
        return std::make_unique<LivePrinter>();
    }
    return nullptr;
}

} // namespace ns3::study
