/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-options.h"

#include "ns3/enum.h"

#include <algorithm>
#include <bit>

namespace ns3::study
{

Ptr<const AttributeChecker>
MakeWindowScaleChecker()
{
    const auto checker = Create<EnumChecker<WindowScale>>();
    checker->AddDefault(NO_SCALE, "none");
    checker->Add(AUTO_SCALE, "auto");
    for (uint32_t shift = 0; shift <= LARGEST_SHIFT; ++shift)
    {
        checker->Add(static_cast<WindowScale>(shift), std::to_string(shift));
    }
    return checker;
}

std::optional<uint8_t>
GetShift(WindowScale scale, uint32_t window)
{
    if (scale != AUTO_SCALE)
    {
        return scale == NO_SCALE ? std::nullopt : std::optional<uint8_t>(scale);
    }
    constexpr uint32_t unscaledBits = 16;
    const uint32_t bits = std::bit_width(window);
    return std::min(bits - std::min(bits, unscaledBits), LARGEST_SHIFT);
}

} // namespace ns3::study
