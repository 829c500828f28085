/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERIALIZATION_TIME_H
#define SERIALIZATION_TIME_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::study
{

/// Serialization time of the frames on a line. One as large as the last is not computed again:
/// ns-3 divides 128-bit numbers, which takes longer than all else that is done with a frame here.
class SerializationTime
{
  public:
    explicit SerializationTime(DataRate rate)
        : m_rate(rate)
    {
    }

    /// @return the serialization time of so many octets
    Time Get(uint32_t size)
    {
        if (size != m_size)
        {
            m_size = size;
            m_time = m_rate.CalculateBytesTxTime(size);
        }
        return m_time;
    }

  private:
    DataRate m_rate;    //!< of the line
    uint32_t m_size{0}; //!< of the last frame [B]
    Time m_time;        //!< its time
};

} // namespace ns3::study

#endif /* SERIALIZATION_TIME_H */
