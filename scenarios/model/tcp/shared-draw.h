/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_DRAW_H
#define SHARED_DRAW_H

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3::study
{

/**
 * @brief Draws uniformly from 0 to 1; a copy draws from the same numbers.
 *
 * The random variable is made when it first draws, as to find a stream costs as much as a small
 * run. Its stream can be fixed before, whether or not anything will ever be drawn.
 */
class SharedDraw
{
  public:
    /// Fix the stream of the random numbers, from the next one on.
    void SetStream(int64_t stream)
    {
        m_source->stream = stream;
        if (m_source->variable)
        {
            m_source->variable->SetStream(stream);
        }
    }

    /// @return the next number
    double Get()
    {
        if (!m_source->variable)
        {
            m_source->variable = CreateObject<UniformRandomVariable>();
            if (m_source->stream)
            {
                m_source->variable->SetStream(*m_source->stream);
            }
        }
        return m_source->variable->GetValue();
    }

  private:
    /// What copies share.
    struct Source
    {
        std::optional<int64_t> stream;       //!< the stream, if it is fixed
        Ptr<UniformRandomVariable> variable; //!< draws, once it has
    };

    std::shared_ptr<Source> m_source{std::make_shared<Source>()}; //!< the numbers
};

} // namespace ns3::study

#endif /* SHARED_DRAW_H */
