/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROWTH_COUNT_H
#define GROWTH_COUNT_H

#include <cstdint>

namespace ns3::study
{

/**
 * @brief What is acknowledged towards a congestion window's next segment, as Linux counts it: in
 * whole segments, and afresh from each loss on.
 */
class GrowthCount
{
  public:
    /// Begin afresh.
    void Reset()
    {
        m_count = 0;
    }

    /// Some segments were acknowledged.
    /// @param pace so many let the window grow by one
    /// @return by how many it grows now
    uint32_t Add(uint32_t acknowledged, uint32_t pace)
    {
        uint32_t grown = 0;
        if (m_count >= pace) // it was slower when they were acknowledged
        {
            m_count = 0;
            grown = 1;
        }
        m_count += acknowledged;
        grown += m_count / pace;
        m_count %= pace;
        return grown;
    }

  private:
    uint32_t m_count{0}; //!< acknowledged since it grew [segments]
};

} // namespace ns3::study

#endif /* GROWTH_COUNT_H */
