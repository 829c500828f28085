/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef KEPT_OCTETS_H
#define KEPT_OCTETS_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace ns3::study
{

/// Which octets of a stream have come, by their offsets, of which the first is 1; those in sequence
/// are taken off.
class KeptOctets
{
  public:
    /// @return the first offset that is not taken off
    int64_t GetNext() const
    {
        return m_next;
    }

    /// Keep those from an offset on, to before another.
    void Add(int64_t from, int64_t to)
    {
        from = std::max(from, m_next);
        if (from >= to)
        {
            return;
        }
        for (auto it = m_ranges.begin(); it != m_ranges.end();)
        {
            const bool meets = it->first <= to && from <= it->second;
            from = meets ? std::min(from, it->first) : from;
            to = meets ? std::max(to, it->second) : to;
            it = meets ? m_ranges.erase(it) : std::next(it);
        }
        m_ranges[from] = to;
    }

    /// Take off the next ones. @return true if they had come
    bool Take(uint32_t octets)
    {
        const auto behind = m_ranges.upper_bound(m_next);
        m_next += octets;
        return behind != m_ranges.begin() && std::prev(behind)->second >= m_next;
    }

  private:
    std::map<int64_t, int64_t> m_ranges; //!< from the first to before the second
    int64_t m_next{1};                   //!< the next one to take off
};

} // namespace ns3::study

#endif /* KEPT_OCTETS_H */
