/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-notation.h"

#include "model/core/notation.h"

#include "ns3/string.h"

#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace ns3::study
{

namespace
{

/// A checker of a text that is a list of packet numbers.
class PacketListChecker : public AttributeChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        const auto text = dynamic_cast<const StringValue*>(&value);
        return text && (text->Get().empty() || !ReadPacketList(text->Get()).empty());
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::StringValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "packet-list 1:4294967295";
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<StringValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return MakeStringChecker()->Copy(source, destination);
    }
};

} // namespace

Ptr<const AttributeChecker>
MakePacketListChecker()
{
    return Create<PacketListChecker>();
}

std::vector<uint32_t>
ReadPacketList(const std::string& text)
{
    std::set<uint32_t> numbers;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');)
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
    return text.empty() || text.back() == ','
               ? std::vector<uint32_t>()
               : std::vector<uint32_t>{numbers.begin(), numbers.end()};
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
