/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAIR_H
#define PAIR_H

#include "model/connection/connection.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace ns3::study::tcp
{

/// Two connections with a way of a fixed delay between them, and applications that read at once.
class Pair
{
  public:
    /// An end: its connection, and what its application has seen.
    struct End
    {
        Connection connection;    //!< the value
        uint64_t delivered{0};    //!< octets [B]
        uint64_t acknowledged{0}; //!< octets of its own [B]
        std::vector<News> news;   //!< what it was told
        uint64_t toWrite{0};      //!< octets left to write [B]
    };

    /// A segment that was sent.
    struct Sent
    {
        Nanos at;        //!< when
        int from;        //!< which end, 0 or 1
        Segment segment; //!< what
    };

    Pair(const ConnectionSettings& one, const ConnectionSettings& other, Nanos delay)
        : m_ends{End{Connection(one), 0, 0, {}, 0}, End{Connection(other), 0, 0, {}, 0}},
          m_delay(delay)
    {
    }

    /// Give an end an event now, and see to all that follows of it.
    void Give(int end, const Event& event)
    {
        m_ends[end].connection.On(event, m_now, m_actions);
        do
        {
            const Actions actions = std::exchange(m_actions, {});
            for (const Action& action : actions)
            {
                std::visit([&](const auto& each) { Carry(end, each); }, action);
            }
            m_ends[end].connection.On(Resume{}, m_now, m_actions);
        } while (!m_actions.empty());
    }

    /// Count time, and the octets of each end's stream, from later ones on: in all there is.
    void Shift(Nanos time, uint64_t first, uint64_t second)
    {
        m_ends[0].connection.Shift(time, first, second);
        m_ends[1].connection.Shift(time, second, first);
        std::multimap<Nanos, std::pair<int, Segment>> way;
        for (auto [arrives, to] : m_way)
        {
            to.second.Shift(time, to.first == 1 ? first : second, to.first == 1 ? second : first);
            way.emplace(arrives - time, to);
        }
        m_way = std::move(way);
        m_now -= time;
    }

    /// Go on until nothing is due before an instant.
    void RunUntil(Nanos end)
    {
        while (true)
        {
            const auto arrival = m_way.begin();
            const Nanos first = m_ends[0].connection.GetDeadline();
            const Nanos second = m_ends[1].connection.GetDeadline();
            const Nanos arrives = arrival == m_way.end() ? Nanos::max() : arrival->first;
            const Nanos next = std::min({first, second, arrives});
            if (next > end)
            {
                break;
            }
            m_now = next;
            if (arrives == next)
            {
                const auto [to, segment] = arrival->second;
                m_way.erase(arrival);
                Give(to, Arrive{segment});
            }
            else
            {
                Give(first == next ? 0 : 1, Expire{});
            }
        }
        m_now = end;
    }

    std::array<End, 2> m_ends;                //!< the two
    std::vector<Sent> m_sent;                 //!< all segments
    std::function<bool(const Sent&)> m_loses; //!< which are lost on the way
    Nanos m_now{0};                           //!< the time

  private:
    void Carry(int end, const Send& send)
    {
        m_sent.push_back({m_now, end, send.segment});
        if (!m_loses || !m_loses(m_sent.back()))
        {
            m_way.emplace(m_now + m_delay, std::pair{1 - end, send.segment});
        }
    }

    void Carry(int end, const Deliver& deliver)
    {
        m_ends[end].delivered += deliver.octets;
        m_ends[end].connection.On(Read{deliver.octets}, m_now, m_actions);
    }

    void Carry(int end, const Acknowledged& acknowledged)
    {
        m_ends[end].acknowledged += acknowledged.octets;
    }

    void Carry(int end, const TellRoom& room)
    {
        Fill(end, room.octets);
    }

    void Carry(int end, const Tell& tell)
    {
        m_ends[end].news.push_back(tell.news);
        if (tell.news == News::CONNECTED)
        {
            Fill(end, m_ends[end].connection.GetSendRoom());
        }
        if (tell.news == News::PEER_CLOSED)
        {
            m_ends[end].connection.On(Close{}, m_now, m_actions);
        }
    }

    template <typename Other>
    void Carry(int, const Other&)
    {
    }

    /// Write as much as there is room for.
    void Fill(int end, uint32_t room)
    {
        const auto octets = static_cast<uint32_t>(std::min<uint64_t>(m_ends[end].toWrite, room));
        if (octets > 0)
        {
            m_ends[end].toWrite -= octets;
            m_ends[end].connection.On(Write{octets}, m_now, m_actions);
        }
    }

    Nanos m_delay;                                       //!< one way
    std::multimap<Nanos, std::pair<int, Segment>> m_way; //!< what is in flight, by its arrival
    Actions m_actions;                                   //!< to be carried out
};

} // namespace ns3::study::tcp

#endif /* PAIR_H */
