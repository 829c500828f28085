/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-notation.h"

#include "ns3/string.h"

#include <charconv>
#include <sstream>

namespace ns3::study
{

namespace
{

constexpr uint64_t LARGEST_TURN = 2000000000;    // bytes, as the largest job
constexpr uint64_t LONGEST_WAIT_US = 3600000000; // an hour, as of every other time

/// A checker of a text that is a list of turns.
class TurnListChecker : public AttributeChecker
{
  public:
    bool Check(const AttributeValue& value) const override
    {
        const auto text = dynamic_cast<const StringValue*>(&value);
        return text && (text->Get().empty() || !ReadTurns(text->Get()).empty());
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
        return "turn-list";
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
MakeTurnListChecker()
{
    return Create<TurnListChecker>();
}

std::vector<Turn>
ReadTurns(const std::string& text)
{
    std::vector<Turn> turns;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');)
    {
        const char* end = part.data() + part.size();
        if (part.empty() || (part[0] != 'c' && part[0] != 's'))
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
    return text.empty() || text.back() == ',' ? std::vector<Turn>() : turns;
}

} // namespace ns3::study
