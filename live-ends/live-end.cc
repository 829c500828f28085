/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "live-end.h"

#include "live-printer.h"
#include "live-server.h"

namespace ns3::study
{

std::unique_ptr<LiveEnd>
MakeLiveEnd(const std::string& scenario)
{
    if (scenario == "print-job")
    {
        return std::make_unique<LivePrinter>();
    }
    if (scenario == "request-reply")
    {
        return std::make_unique<LiveServer>();
    }
    return nullptr;
}

} // namespace ns3::study
