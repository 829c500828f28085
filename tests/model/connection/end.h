/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef END_H
#define END_H

#include "model/connection/connection.h"

#include <cstdint>
#include <deque>
#include <utility>

namespace ns3::study::tcp
{

/// A connection and its application, which writes as much as there is room for.
struct End
{
    /// @param readsAtOnce whatever comes
    explicit End(const ConnectionSettings& settings, bool readsAtOnce = true)
        : connection(settings),
          reads(readsAtOnce)
    {
    }

    Connection connection;                        //!< the value
    bool reads;                                   //!< the application reads at once
    std::deque<std::pair<Nanos, Segment>> sent{}; //!< when and what; whoever carries it takes it
    uint64_t toWrite{0};                          //!< octets that had no room yet [B]
    uint64_t delivered{0};                        //!< octets of the peer [B]
    uint64_t acknowledged{0};                     //!< octets of its own [B]
    uint64_t heard{0};                            //!< delivered, as BBR is told [B]
    std::optional<News> told{};                   //!< the last news of the connection
    double draw{0.25};                            //!< last random number

    /// Tell the connection of an event, and see to all that follows of it.
    /// @param event one of its functions, @param values what it takes before the step
    template <typename Event, typename... Values>
    void Give(Nanos now, Event event, const Values&... values)
    {
        const Step step{now, m_actions};
        (connection.*event)(values..., step);
        do
        {
            for (const Action& action : std::exchange(m_actions, {}))
            {
                Carry(action, step);
            }
            connection.Resume(step);
        } while (!m_actions.empty());
    }

    /// Write so many octets, now or when there is room.
    void WriteInAll(uint64_t octets, Nanos now)
    {
        toWrite += octets;
        Fill({now, m_actions});
        Give(now, &Connection::Resume);
    }

    /// Count time and octets from later ones on. @return both numbers of octets, from its own on
    std::pair<uint64_t, uint64_t> Shift(Nanos time)
    {
        const uint64_t ours = std::max<uint64_t>(connection.GetAcknowledged(), 1) - 1;
        const uint64_t theirs = std::max<uint64_t>(connection.GetReceived(), 1) - 1;
        connection.Shift(time, ours, theirs);
        for (auto& [at, segment] : sent)
        {
            at -= time;
            segment.Shift(time, ours, theirs);
        }
        return {ours, theirs};
    }

  private:
    /// Do what the connection asks for.
    void Carry(const Action& action, const Step& step)
    {
        if (const auto* send = std::get_if<Send>(&action))
        {
            sent.emplace_back(step.now, send->segment);
        }
        else if (const auto* deliver = std::get_if<Deliver>(&action))
        {
            delivered += deliver->octets;
            if (reads)
            {
                connection.Read(deliver->octets, step);
            }
        }
        else if (std::holds_alternative<TellRoom>(action))
        {
            Fill(step);
        }
        else if (std::holds_alternative<WantDraw>(action))
        {
            draw = 1 - draw;
            connection.TakeDraw(draw);
        }
        else if (const auto* news = std::get_if<Tell>(&action))
        {
            told = news->news;
        }
        else if (const auto* news = std::get_if<Acknowledged>(&action))
        {
            acknowledged += news->octets;
        }
        else if (const auto* news = std::get_if<Heard>(&action))
        {
            heard += news->delivered;
        }
    }

    /// Write what there is room for, until none is left.
    void Fill(const Step& step)
    {
        uint64_t octets = 0;
        do
        {
            toWrite -= octets;
            connection.Ask();
            octets = std::min<uint64_t>(toWrite, connection.GetSendRoom());
            if (octets > 0)
            {
                connection.Write(static_cast<uint32_t>(octets), step);
            }
        } while (octets > 0);
    }

    Actions m_actions; //!< to be carried out
};

} // namespace ns3::study::tcp

#endif /* END_H */
