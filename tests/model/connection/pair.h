/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_H
#define PAIR_H

#include "end.h"

#include <array>
#include <functional>
#include <map>
#include <utility>

namespace ns3::study::tcp
{

/// Two connections with a way of a fixed delay between them, and applications that read at once.
class Pair
{
  public:
    Pair(const ConnectionSettings& one, const ConnectionSettings& other, Nanos delay)
        : m_ends{End(one), End(other)},
          m_delay(delay)
    {
    }

    /// Tell an end of an event now. @param call as of End::Give()
    void Give(int end, const auto&... call)
    {
        m_ends[end].Give(m_now, call...);
        Carry(end);
    }

    /// An end's application writes so many octets, now or when there is room.
    void Write(int end, uint64_t octets)
    {
        m_ends[end].WriteInAll(octets, m_now);
        Carry(end);
    }

    /// Go on until nothing is due before an instant.
    void RunUntil(Nanos until)
    {
        while (true)
        {
            const std::array due{m_ends[0].connection.GetDeadline(),
                                 m_ends[1].connection.GetDeadline(),
                                 m_way.empty() ? Nanos::max() : m_way.begin()->first};
            const auto next = std::min_element(due.begin(), due.end());
            m_now = std::min(*next, until);
            if (*next > until)
            {
                break;
            }
            if (*next == due[2])
            {
                const auto [to, segment] = m_way.begin()->second;
                m_way.erase(m_way.begin());
                Give(to, &Connection::Arrive, segment);
            }
            else
            {
                Give(static_cast<int>(next - due.begin()), &Connection::Expire);
            }
        }
    }

    std::array<End, 2> m_ends;                        //!< the two
    std::function<bool(int, const Segment&)> m_loses; //!< whether one from an end is lost
    Nanos m_now{0};                                   //!< the time

  private:
    /// What an end has sent is in flight.
    void Carry(int end)
    {
        for (; !m_ends[end].sent.empty(); m_ends[end].sent.pop_front())
        {
            const Segment& segment = m_ends[end].sent.front().second;
            if (!m_loses || !m_loses(end, segment))
            {
                m_way.emplace(m_now + m_delay, std::pair{1 - end, segment});
            }
        }
    }

    Nanos m_delay;                                       //!< one way
    std::multimap<Nanos, std::pair<int, Segment>> m_way; //!< what is in flight, by its arrival
};

} // namespace ns3::study::tcp

#endif /* PAIR_H */
