/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "burst-assembly.h"

#include <algorithm>
#include <limits>

namespace ns3::study
{

BurstAssembly::BurstAssembly(uint32_t size, uint32_t fragmentSize)
    : m_size(size),
      m_fragmentSize(fragmentSize),
      m_there((size + fragmentSize - 1) / fragmentSize)
{
}

bool
BurstAssembly::Add(uint32_t offset)
{
    if (GetFragmentSize(offset) == 0)
    {
        return false;
    }
    const uint32_t index = offset / m_fragmentSize;
    const bool added = !m_there[index];
    m_there[index] = true;
    m_count += added;
    return added;
}

uint32_t
BurstAssembly::GetFragmentSize(uint32_t offset) const
{
    const bool begins = offset % m_fragmentSize == 0 && offset < m_size;
    return begins ? std::min(m_fragmentSize, m_size - offset) : 0;
}

std::vector<uint32_t>
BurstAssembly::GetFragments(const std::vector<BurstRange>& ranges) const
{
    std::vector<uint32_t> fragments;
    for (const auto& range : ranges)
    {
        const uint32_t end = std::min(m_size, range.offset + range.size);
        for (uint32_t offset = range.offset - range.offset % m_fragmentSize; offset < end;
             offset += m_fragmentSize)
        {
            fragments.push_back(offset);
        }
    }
    return fragments;
}

std::vector<BurstRange>
BurstAssembly::GetMissing() const
{
    std::vector<BurstRange> missing;
    for (uint32_t i = 0; i < m_there.size(); ++i)
    {
        if (m_there[i])
        {
            continue;
        }
        const uint32_t offset = i * m_fragmentSize;
        const uint32_t size = GetFragmentSize(offset);
        constexpr uint32_t largest = std::numeric_limits<uint16_t>::max();
        if (!missing.empty() && missing.back().offset + missing.back().size == offset &&
            missing.back().size + size <= largest)
        {
            missing.back().size += size;
        }
        else
        {
            missing.push_back({offset, static_cast<uint16_t>(size)});
        }
    }
    return missing;
}

bool
BurstAssembly::IsComplete() const
{
    return m_count == m_there.size();
}

bool
BurstAssembly::IsEmpty() const
{
    return m_count == 0;
}

} // namespace ns3::study
