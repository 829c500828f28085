/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "list-notation.h"

#include "ns3/string.h"

#include <sstream>

namespace ns3::study
{

namespace
{

/// A checker of a text that is a list.
class ListChecker : public AttributeChecker
{
  public:
    ListChecker(const std::string& kind, bool (*isList)(const std::string&))
        : m_kind(kind),
          m_isList(isList)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto text = dynamic_cast<const StringValue*>(&value);
        return text && (text->Get().empty() || m_isList(text->Get()));
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
        return m_kind;
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<StringValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return MakeStringChecker()->Copy(source, destination);
    }

  private:
    std::string m_kind;                   //!< of the list
    bool (*m_isList)(const std::string&); //!< whether a text is one
};

} // namespace

Ptr<const AttributeChecker>
MakeListChecker(const std::string& kind, bool (*isList)(const std::string&))
{
    return Create<ListChecker>(kind, isList);
}

std::vector<std::string>
SplitList(const std::string& text)
{
    std::vector<std::string> entries;
    std::istringstream parts(text + ",");
    for (std::string part; std::getline(parts, part, ',');)
    {
        if (part.empty())
        {
            return {};
        }
        entries.push_back(part);
    }
    return entries;
}

} // namespace ns3::study
