/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Arbitrary segments for a connection, which is a value: whatever a peer sends, and however the
 * application reads, writes and closes, it ends no program, goes on, and a copy goes on alike.
 *
 *   robustness-segments COUNT SEED
 *
 * Prints how many segments it was given, and in how many connections. Status 1 where a claim does
 * not hold: then the line on standard error has the seed of that connection.
 */

#include "kept-octets.h"
#include "model/connection/connection.h"

#include <functional>
#include <iostream>
#include <random>
#include <string>

using namespace ns3::study;
using namespace ns3::study::tcp;

namespace
{

/// What happens to a connection.
using Event = std::function<void(Connection&, const Step&)>;

constexpr int EVENTS = 300;                // of a connection
constexpr std::size_t MOST_ACTIONS = 5000; // of one event: the largest window in small segments
constexpr int MOST_TIMERS = 1000;          // at one instant

/// A connection and who uses it, all drawn.
class Course
{
  public:
    explicit Course(uint64_t seed)
        : m_random(seed),
          m_settings(DrawSettings()),
          m_connection(m_settings)
    {
    }

    /// @return what is wrong with it, or nothing. @param given segments, counted
    std::string Run(uint64_t& given)
    {
        if (Draw(2) == 0)
        {
            Give([](Connection& end, const Step& step) { end.Open(step); });
        }
        for (int i = 0; i < EVENTS && m_wrong.empty() && !m_over; ++i)
        {
            m_now += Nanos(int64_t{1} << Draw(36)); // up to a minute
            Expired();
            if (Draw(3) > 0)
            {
                ++given;
                const Segment segment = DrawSegment();
                Keep(segment);
                Give([&](Connection& end, const Step& step) { end.Arrive(segment, step); });
            }
            else
            {
                UseIt();
            }
        }
        return m_wrong;
    }

  private:
    /// @return a number below another
    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>(m_random() % below);
    }

    ConnectionSettings DrawSettings()
    {
        ConnectionSettings settings;
        settings.mss = 1 + Draw(1460);
        settings.window = 1 + Draw(Draw(2) == 0 ? 4096 : 1 << 20);
        settings.sendBuffer = 1 + Draw(1 << 17);
        settings.sack = Draw(2) == 0;
        settings.timestamps = Draw(2) == 0;
        settings.nagle = Draw(2) == 0;
        settings.countsMemory = Draw(2) == 0;
        settings.resetOnFinAck = Draw(4) == 0;
        settings.replyTime = Draw(2) == 0 ? Nanos{0} : Nanos{1 + Draw(1000000)};
        settings.attention.bulk = Draw(2) == 0 ? Nanos{0} : Nanos{1 + Draw(100000000)};
        settings.attention.spread = Draw(2) == 0 ? Nanos{0} : Nanos{1 + Draw(1000000)};
        if (Draw(2) == 0)
        {
            settings.windowScale = static_cast<uint8_t>(Draw(15));
        }
        return settings;
    }

    /// @return a number near another one, or any
    uint32_t Near(uint32_t number)
    {
        switch (Draw(4))
        {
        case 0:
            return static_cast<uint32_t>(m_random());
        case 1:
            return number + Draw(70000) - 35000;
        default:
            return number + Draw(3) - 1;
        }
    }

    Segment DrawSegment()
    {
        Segment segment;
        segment.sequence.number = Near(m_last.acknowledgment.number);
        segment.acknowledgment.number = Near(m_last.End().number);
        constexpr uint8_t usual[] = {SYN, SYN | ACK, ACK, ACK | PSH, ACK | FIN, RST, RST | ACK};
        segment.flags = Draw(4) == 0 ? static_cast<uint8_t>(Draw(64)) : usual[Draw(7)];
        segment.window = static_cast<uint16_t>(Draw(3) == 0 ? Draw(3) : Draw(65536));
        segment.payload = Draw(3) == 0 ? 0 : 1 + Draw(Draw(8) == 0 ? 65495 : 1460);
        if (segment.Has(SYN) || Draw(8) == 0)
        {
            segment.mss = static_cast<uint16_t>(Draw(4) == 0 ? Draw(3) : Draw(65536));
            segment.windowScale = static_cast<uint8_t>(Draw(256));
            segment.sackPermitted = Draw(2) == 0;
        }
        if (Draw(4) > 0)
        {
            segment.timestamps = Timestamps{Near(ToTimestamp(m_now)), Near(ToTimestamp(m_now))};
        }
        for (uint32_t i = Draw(5); i > 0; --i)
        {
            const Sequence begin{Near(m_last.sequence.number)};
            segment.sack.Add({begin, Sequence{Near(begin.number + Draw(3000))}});
        }
        return segment;
    }

    /// Keep the octets of a segment, as ConnectionSocket does: what is delivered has been kept.
    void Keep(const Segment& segment)
    {
        const int64_t begin = m_connection.ToOffset(segment.sequence);
        if (m_connection.GetState() >= State::SYN_RECEIVED && !segment.Has(SYN | RST) &&
            begin - m_kept.GetNext() <= m_settings.window)
        {
            m_kept.Add(begin, begin + segment.payload);
        }
    }

    /// Let the application do something that it may.
    void UseIt()
    {
        switch (Draw(12))
        {
        case 0:
            Give([readsOn = Draw(2) == 0](Connection& end, const Step& step) {
                readsOn ? end.CloseSending(step) : end.Close(step);
            });
            m_closed = true;
            break;
        case 1:
            Give([givesUp = Draw(10) == 0](Connection& end, const Step& step) {
                givesUp ? end.Abort(step) : end.Ask();
            });
            break;
        case 2:
            Give([on = Draw(2) == 0](Connection& end, const Step&) { end.SetNagle(on); });
            break;
        case 3:
        case 4:
        case 5:
            ReadSome();
            break;
        default:
            WriteSome();
            break;
        }
    }

    void ReadSome()
    {
        if (m_unread > 0)
        {
            const uint32_t octets = 1 + Draw(m_unread);
            m_unread -= octets;
            Give([octets](Connection& end, const Step& step) { end.Read(octets, step); });
        }
    }

    void WriteSome()
    {
        const uint32_t room = m_connection.GetSendRoom();
        const uint32_t octets = room == 0 ? 0 : 1 + Draw(room);
        if (octets > 0 && !m_closed && m_connection.MayWrite(octets))
        {
            Give([octets](Connection& end, const Step& step) { end.Write(octets, step); });
        }
    }

    /// Whatever is due has come.
    void Expired()
    {
        int count = 0;
        for (; !m_over && m_connection.GetDeadline() <= m_now && count < MOST_TIMERS; ++count)
        {
            Give([](Connection& end, const Step& step) { end.Expire(step); });
        }
        Check(count < MOST_TIMERS, "a timer expires again and again");
    }

    /// Give it an event and what follows of that.
    void Give(const Event& event)
    {
        if (m_over)
        {
            return; // its socket has let go of it
        }
        Actions actions;
        Happen(event, actions);
        for (std::size_t at = 0; at < actions.size() && m_wrong.empty(); ++at)
        {
            Take(Action(actions[at]), actions);
            if (at + 1 == actions.size())
            {
                Happen([](Connection& end, const Step& step) { end.Resume(step); }, actions);
            }
            Check(actions.size() < MOST_ACTIONS, "one event has no end of actions");
        }
    }

    void Happen(const Event& event, Actions& actions)
    {
        Connection copy = m_connection;
        Actions same = actions;
        const uint64_t received = m_connection.GetReceived();
        const uint64_t acknowledged = m_connection.GetAcknowledged();
        event(m_connection, {m_now, actions});
        event(copy, {m_now, same});
        Check(copy == m_connection && same == actions, "a copy goes on otherwise");
        Check(m_connection.GetReceived() >= received, "what has come goes back");
        Check(m_connection.GetAcknowledged() >= acknowledged, "what is acknowledged goes back");
    }

    void Take(const Action& action, Actions& actions)
    {
        if (const auto* send = std::get_if<Send>(&action))
        {
            m_last = send->segment;
            Check(m_last.payload <= 65495, "a segment is larger than IP's");
        }
        else if (const auto* deliver = std::get_if<Deliver>(&action))
        {
            m_unread += deliver->octets;
            Check(m_kept.Take(deliver->octets), "octets are delivered that did not come");
        }
        else if (const auto* enter = std::get_if<Enter>(&action))
        {
            m_over |= enter->state == State::CLOSED;
        }
        else if (std::holds_alternative<WantDraw>(action))
        {
            const double drawn = Draw(1000) / 1000.0;
            Happen([drawn](Connection& end, const Step&) { end.TakeDraw(drawn); }, actions);
        }
    }

    void Check(bool holds, const char* otherwise)
    {
        m_wrong = holds || !m_wrong.empty() ? m_wrong : otherwise;
    }

    std::mt19937_64 m_random; //!< of all that is drawn
    const ConnectionSettings m_settings;
    Connection m_connection; //!< the connection
    Nanos m_now{0};          //!< the time
    Segment m_last;          //!< what it sent last
    KeptOctets m_kept;       //!< of the peer
    uint32_t m_unread{0};    //!< octets delivered and not read [B]
    bool m_closed{false};    //!< nothing more is written
    bool m_over{false};      //!< it has ended
    std::string m_wrong;     //!< the first claim that does not hold
};

} // namespace

int
main(int argc, char* argv[])
{
    const uint64_t count = std::stoull(argc > 1 ? argv[1] : "100000");
    uint64_t seed = std::stoull(argc > 2 ? argv[2] : "1");
    uint64_t given = 0;
    uint64_t courses = 0;
    for (; given < count; ++courses, ++seed)
    {
        if (const std::string wrong = Course(seed).Run(given); !wrong.empty())
        {
            std::cerr << wrong << ": robustness-segments 1 " << seed << '\n';
            return 1;
        }
    }
    std::cout << R"({"segments": )" << given << R"(, "connections": )" << courses << "}\n";
    return 0;
}
