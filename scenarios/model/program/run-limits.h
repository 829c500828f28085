/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_LIMITS_H
#define RUN_LIMITS_H

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::study
{

/**
 * @brief What bounds any run: its random numbers, and how long it may last or stand still.
 */
class RunLimits : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    uint32_t m_seed;  //!< of the random numbers
    Time m_timeLimit; //!< a run that takes longer is cut off
    Time m_stallTime; //!< how long nothing may move, beyond all configured times
};

} // namespace ns3::study

#endif /* RUN_LIMITS_H */
