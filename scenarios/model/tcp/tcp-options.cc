/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tcp-options.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <bit>

namespace ns3::study
{

namespace
{

/// What the two parameters of an end say.
struct WindowOfEnd
{
    const Parameter* size{nullptr};  //!< the window's parameter
    const Parameter* scale{nullptr}; //!< the option's
    uint64_t window{0};              //!< [B]
    uint64_t first{0};               //!< where the window grows, what it begins with [B]
    uint64_t buffer{0};              //!< SO_RCVBUF, which takes the place of both [B]
    WindowScale windowScale{NO_SCALE};
};

/// @return what a group of parameters says
WindowOfEnd
FindWindow(const ParameterSet& parameters, const std::string& group)
{
    WindowOfEnd found;
    const Parameter* buffer = nullptr;
    for (const Parameter& parameter : parameters.GetParameters())
    {
        if (parameter.group != group)
        {
            continue;
        }
        const Ptr<const AttributeValue> value = parameters.GetValue(parameter);
        if (parameter.attribute == "HostWindow" || parameter.attribute == "ReceiveWindow")
        {
            found.size = &parameter;
            found.window = dynamic_cast<const UintegerValue&>(*value).Get();
        }
        if (parameter.attribute == "HostFirstWindow" || parameter.attribute == "DeviceFirstWindow")
        {
            found.first = dynamic_cast<const UintegerValue&>(*value).Get();
        }
        if (parameter.attribute == "HostReceiveBuffer")
        {
            found.buffer = dynamic_cast<const UintegerValue&>(*value).Get();
            buffer = &parameter;
        }
        if (parameter.attribute == "HostWindowScale" || parameter.attribute == "DeviceWindowScale")
        {
            found.scale = &parameter;
            found.windowScale = dynamic_cast<const EnumValue<WindowScale>&>(*value).Get();
        }
    }
    if (found.buffer > 0)
    {
        found.size = buffer;
        found.window = GetLargestOf(static_cast<uint32_t>(found.buffer));
        found.first = GetFirstOf(static_cast<uint32_t>(found.buffer));
    }
    return found;
}

/// Refuse a window that its end's option, and its peer's, cannot announce.
void
CheckWindow(const WindowOfEnd& own, const WindowOfEnd& peer)
{
    // One that grows does so as far as what both ends offer lets it.
    const bool grows = own.first > 0 && own.first < own.window;
    const std::string size = std::to_string(own.window) + " B";
    for (const WindowOfEnd* end : {&own, &peer})
    {
        if (!grows && own.window > tcp::LARGEST_UNSCALED && end->windowScale == NO_SCALE)
        {
            throw ParameterError(own.size->flag,
                                 size + " need window scaling, offered by both ends: give " +
                                     end->scale->flag + "=auto too, or at most " +
                                     std::to_string(tcp::LARGEST_UNSCALED) + " B");
        }
    }
    if (own.windowScale > LARGEST_SHIFT)
    {
        return;
    }
    const uint64_t least = uint64_t{1} << own.windowScale;
    const uint64_t most = uint64_t{tcp::LARGEST_UNSCALED} << own.windowScale;
    if (own.window < least || own.window > most)
    {
        throw ParameterError(own.scale->flag,
                             "a shift of " + std::to_string(own.windowScale) +
                                 " announces windows of " + std::to_string(least) + " to " +
                                 std::to_string(most) + " B, and " + own.size->flag +
                                 (own.buffer > 0 ? " lets it grow to " : " is ") + size +
                                 "; give auto or another shift");
    }
}

} // namespace

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

void
CheckWindows(const ParameterSet& parameters, const std::string& one, const std::string& other)
{
    const WindowOfEnd first = FindWindow(parameters, one);
    const WindowOfEnd second = FindWindow(parameters, other);
    CheckWindow(first, second);
    CheckWindow(second, first);
}

} // namespace ns3::study
