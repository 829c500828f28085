/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-notation.h"

#include "list-notation.h"
#include "model/core/notation.h"

#include <charconv>

namespace ns3::study
{

namespace
{

constexpr uint64_t LARGEST_TURN = 2000000000;    // bytes, as the largest job
constexpr uint64_t LONGEST_WAIT_US = 3600000000; // an hour, as of every other time

} // namespace

Ptr<const AttributeChecker>
MakeTurnListChecker()
{
    return MakeListChecker("turn-list",
                           [](const std::string& text) { return !ReadTurns(text).empty(); });
}

std::vector<Turn>
ReadTurns(const std::string& text)
{
    std::vector<Turn> turns;
    for (const std::string& part : SplitList(text))
    {
        const char* end = part.data() + part.size();
        if (part[0] != 'c' && part[0] != 's')
        {
            return {};
        }
        uint64_t wait = 0;
        uint64_t size = 0;
        const auto [colon, noWait] = std::from_chars(part.data() + 1, end, wait);
        if (noWait != std::errc() || colon == end || *colon != ':' || wait > LONGEST_WAIT_US)
        {
            return {};
        }
        const auto [rest, noSize] = std::from_chars(colon + 1, end, size);
        if (noSize != std::errc() || rest != end || size == 0 || size > LARGEST_TURN)
        {
            return {};
        }
        turns.push_back({part[0] == 's', MicroSeconds(wait), size});
    }
    return turns;
}

std::string
FormatTurns(const std::vector<Turn>& turns)
{
    std::vector<std::string> texts;
    for (const Turn& turn : turns)
    {
        texts.push_back((turn.ofServer ? "s" : "c") + std::to_string(turn.wait.GetMicroSeconds()) +
                        ":" + std::to_string(turn.size));
    }
    return Join(texts, ",");
}

} // namespace ns3::study
