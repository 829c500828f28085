/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rate-checker.h"

#include <limits>

namespace ns3::study
{

namespace
{

/// A checker of a data rate with a range.
class RateChecker : public AttributeChecker
{
  public:
    RateChecker(DataRate min, DataRate max, const std::string& word)
        : m_min(min),
          m_max(max),
          m_word(word)
    {
    }

    bool Check(const AttributeValue& value) const override
    {
        const auto rate = dynamic_cast<const DataRateValue*>(&value);
        const bool unlimited = !m_word.empty() && rate && rate->Get() == NoLimit();
        return unlimited || (rate && rate->Get() >= m_min && rate->Get() <= m_max);
    }

    std::string GetValueTypeName() const override
    {
        return "ns3::DataRateValue";
    }

    bool HasUnderlyingTypeInformation() const override
    {
        return true;
    }

    std::string GetUnderlyingTypeInformation() const override
    {
        return "ns3::DataRate " + std::to_string(m_min.GetBitRate()) + ":" +
               std::to_string(m_max.GetBitRate()) + " " + m_word;
    }

    Ptr<AttributeValue> Create() const override
    {
        return ns3::Create<DataRateValue>();
    }

    bool Copy(const AttributeValue& source, AttributeValue& destination) const override
    {
        return MakeDataRateChecker()->Copy(source, destination);
    }

  private:
    DataRate m_min;     //!< lowest rate allowed
    DataRate m_max;     //!< highest rate allowed
    std::string m_word; //!< for no limit
};

} // namespace

DataRate
NoLimit()
{
    return DataRate(std::numeric_limits<int64_t>::max());
}

Ptr<const AttributeChecker>
MakeRateChecker(DataRate min, DataRate max, const std::string& word)
{
    return Create<RateChecker>(min, max, word);
}

} // namespace ns3::study
