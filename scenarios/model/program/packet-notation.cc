/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-notation.h"

#include "list-notation.h"
#include "model/core/notation.h"

#include <charconv>
#include <limits>
#include <map>
#include <set>

namespace ns3::study
{

Ptr<const AttributeChecker>
MakePacketListChecker()
{
    return MakeListChecker("packet-list",
                           [](const std::string& text) { return !ReadPacketList(text).empty(); });
}

std::vector<uint32_t>
ReadPacketList(const std::string& text)
{
    std::set<uint32_t> numbers;
    for (const std::string& part : SplitList(text))
    {
        uint32_t number = 0;
        const char* end = part.data() + part.size();
        const auto [rest, error] = std::from_chars(part.data(), end, number);
        if (error != std::errc() || rest != end || number == 0)
        {
            return {};
        }
        numbers.insert(number);
    }
    return {numbers.begin(), numbers.end()};
}

std::string
FormatPacketList(const std::vector<uint32_t>& numbers)
{
    std::vector<std::string> texts;
    for (const uint32_t number : numbers)
    {
        texts.push_back(std::to_string(number));
    }
    return Join(texts, ",");
}

std::optional<QueueSize>
ReadQueueSize(const std::string& text)
{
    static const std::map<std::string, uint64_t> bytes{{"B", 1}, {"kB", 1000}, {"MB", 1000000}};
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const std::string unit = Trim({rest, end});
    const uint64_t size = unit == "p" ? 1 : bytes.count(unit) ? bytes.at(unit) : 0;
    constexpr uint64_t most = std::numeric_limits<uint32_t>::max(); // QueueSize counts so far
    if (error != std::errc() || size == 0 || number > most / size)
    {
        return std::nullopt;
    }
    return QueueSize(unit == "p" ? QueueSizeUnit::PACKETS : QueueSizeUnit::BYTES, number * size);
}

} // namespace ns3::study
