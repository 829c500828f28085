/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A run of a packet script: the connection, its application and the clock.
 */

#include "packet-script.h"

#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::study::tcp
{

namespace
{

constexpr uint32_t PEERS_SYN =
    0xFFFFE000; //!< number of the peer's SYN, so that numbers wrap around

/// @return an instant [s]
std::string
ToSeconds(Nanos instant)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(6) << std::chrono::duration<double>(instant).count()
         << " s";
    return text.str();
}

/// @return a segment with relative numbers, as a script has it
std::string
ToText(const Segment& segment)
{
    std::ostringstream text;
    const std::string letters = "FSRP.U";
    for (std::size_t bit = 0; bit < letters.size(); ++bit)
    {
        text << (segment.flags >> bit & 1 ? letters.substr(bit, 1) : "");
    }
    text << " " << segment.sequence.number;
    if (segment.payload > 0)
    {
        text << ":" << segment.sequence.number + segment.payload;
    }
    if (segment.Has(ACK))
    {
        text << " ack " << segment.acknowledgment.number;
    }
    text << " win " << segment.window;
    std::string options;
    options += segment.mss ? ", mss " + std::to_string(*segment.mss) : "";
    options += segment.sackPermitted ? ", sackOK" : "";
    options += segment.timestamps ? ", TS" : "";
    options += segment.windowScale ? ", wscale " + std::to_string(*segment.windowScale) : "";
    options += segment.sack.count > 0 ? ", sack" : "";
    for (const auto& [begin, end] : segment.sack)
    {
        options += " " + std::to_string(begin.number) + ":" + std::to_string(end.number);
    }
    return text.str() + (options.empty() ? "" : " <" + options.substr(2) + ">");
}

/// @return the name at a place of a list, as that of an enumeration's value
template <typename Value>
std::string
NameOf(Value value, const std::string& names)
{
    std::istringstream list(names);
    std::string name;
    for (int place = 0; place <= static_cast<int>(value); ++place)
    {
        list >> name;
    }
    return name;
}

/// Of enumerations, in their order; states as RFC 9293 writes them.
const std::string STATES = "CLOSED LISTEN SYN-SENT SYN-RECEIVED ESTABLISHED CLOSE-WAIT LAST-ACK "
                           "FIN-WAIT-1 FIN-WAIT-2 CLOSING TIME-WAIT";
const std::string NEWS = "CONNECTED FAILED PEER-CLOSED BROKEN";
const std::string WAITS = "HANDSHAKE APPLICATION CPU RECEIVE_WINDOW DRAIN CONGESTION_WINDOW "
                          "SEND_BUFFER NAGLE";

} // namespace

struct PacketScript::Course
{
    const PacketScript& script;                   //!< what it runs
    Connection connection;                        //!< the value
    Actions actions{};                            //!< to be carried out
    Nanos now{0};                                 //!< the instant
    std::deque<std::pair<Nanos, Segment>> sent{}; //!< and not yet looked at
    Sequence ours{};                              //!< number of the connection's SYN
    uint64_t delivered{0};                        //!< [B]
    uint64_t acknowledged{0};                     //!< [B]
    uint64_t heard{0};                            //!< delivered, as BBR is told [B]
    uint64_t toWrite{0};                          //!< octets that had no room [B]
    std::string told{};                           //!< what the application was told last
    uint32_t peersEcho{0};                        //!< last timestamp of the connection
    bool stamps{false};                           //!< the peer uses timestamps
    double draw{0.25};                            //!< last random number

    /// Give the connection an event, and see to all that follows of it.
    void Give(const Event& event)
    {
        connection.On(event, now, actions);
        do
        {
            for (const Action& action : std::exchange(actions, {}))
            {
                std::visit([this](const auto& each) { Carry(each); }, action);
            }
            connection.On(Resume{}, now, actions);
        } while (!actions.empty());
    }

    void Carry(const Send& send)
    {
        Segment segment = send.segment;
        ours = segment.Has(SYN) ? segment.sequence : ours;
        segment.sequence.number -= ours.number;
        segment.acknowledgment.number -= segment.Has(ACK) ? PEERS_SYN : 0;
        for (auto& [begin, end] : segment.sack.blocks)
        {
            begin.number -= PEERS_SYN;
            end.number -= PEERS_SYN;
        }
        peersEcho = segment.timestamps ? segment.timestamps->value : peersEcho;
        sent.emplace_back(now, segment);
    }

    void Carry(const Deliver& deliver)
    {
        delivered += deliver.octets;
        if (script.m_reads)
        {
            connection.On(tcp::Read{deliver.octets}, now, actions);
        }
    }

    void Carry(const Acknowledged& news)
    {
        acknowledged += news.octets;
    }

    void Carry(const Heard& news)
    {
        heard += news.delivered;
    }

    void Carry(const TellRoom&)
    {
        Write();
    }

    void Carry(const Tell& tell)
    {
        told = NameOf(tell.news, NEWS);
    }

    void Carry(const WantDraw&)
    {
        draw = 1 - draw;
        connection.On(Drawn{draw}, now, actions);
    }

    template <typename Other>
    void Carry(const Other&)
    {
    }

    /// Write what there is room for.
    void Write()
    {
        uint32_t octets = 0;
        do // until none is taken
        {
            toWrite -= octets;
            connection.On(Ask{}, now, actions);
            octets = static_cast<uint32_t>(std::min<uint64_t>(toWrite, connection.GetSendRoom()));
            if (octets > 0)
            {
                connection.On(tcp::Write{octets}, now, actions);
            }
        } while (octets > 0);
    }

    /// Let timers expire up to an instant, or if told so until a segment is sent.
    void RunUntil(Nanos end, bool orSent)
    {
        while (!(orSent && !sent.empty()) && connection.GetDeadline() <= end)
        {
            now = std::max(now, connection.GetDeadline());
            Give(Expire{});
        }
        now = orSent && !sent.empty() ? now : std::max(now, end);
    }

    /// A segment of the peer arrives.
    void Inject(Segment segment)
    {
        stamps = segment.Has(SYN) ? segment.timestamps.has_value() : stamps;
        segment.sequence.number += PEERS_SYN;
        segment.acknowledgment.number += segment.Has(ACK) ? ours.number : 0;
        for (auto& [begin, end] : segment.sack.blocks)
        {
            begin.number += ours.number;
            end.number += ours.number;
        }
        if (stamps)
        {
            segment.timestamps = Timestamps{static_cast<uint32_t>(now / 1ms), peersEcho};
        }
        Give(Arrive{segment});
    }

    /// @return how a segment differs from what a line expects; nothing if it does not
    std::string Compare(const Line& line, Nanos due)
    {
        auto [at, seen] = sent.front();
        sent.pop_front();
        const std::string text = "sent '> " + ToText(seen) + "' at " + ToSeconds(at);
        Segment wanted = line.segment;
        wanted.window = line.window ? wanted.window : seen.window;
        if (!script.m_push)
        {
            wanted.flags = (wanted.flags & ~PSH) | (seen.flags & PSH);
        }
        if (!line.options)
        {
            wanted.mss = seen.mss;
            wanted.windowScale = seen.windowScale;
            wanted.sackPermitted = seen.sackPermitted;
            wanted.sack = seen.sack;
            wanted.timestamps = seen.timestamps;
        }
        else if (seen.timestamps && wanted.timestamps)
        {
            wanted.timestamps = seen.timestamps; // of any value
        }
        wanted.sack.blocks = ToText(wanted) == ToText(seen) ? seen.sack.blocks : wanted.sack.blocks;
        const bool same = ToText(wanted) == ToText(seen);
        const Nanos late = at > due ? at - due : due - at;
        return same && late <= script.m_tolerance ? "" : text;
    }

    /// Do what a line says. @return what is wrong, or nothing
    std::string Do(const Line& line, Nanos due)
    {
        if (line.word == ">")
        {
            RunUntil(due + script.m_tolerance, true);
            return sent.empty() ? "nothing was sent up to " + ToSeconds(now) : Compare(line, due);
        }
        RunUntil(due, false);
        if (!sent.empty() && sent.front().first + script.m_tolerance < due)
        {
            return "sent '> " + ToText(sent.front().second) + "' at " +
                   ToSeconds(sent.front().first) + " before it";
        }
        if (line.word == "<")
        {
            Inject(line.segment);
        }
        else if (line.word == "connect")
        {
            Give(Open{});
        }
        else if (line.word == "write")
        {
            toWrite += std::stoul(line.object);
            Write();
            Give(Resume{});
        }
        else if (line.word == "read")
        {
            Give(tcp::Read{static_cast<uint32_t>(std::stoul(line.object))});
        }
        else if (line.word == "close")
        {
            Give(Close{});
        }
        else if (line.word == "abort")
        {
            Give(Abort{});
        }
        else
        {
            return Check(line);
        }
        return "";
    }

    /// @return what is wrong with what a line expects, or nothing
    std::string Check(const Line& line)
    {
        const CongestionState& congestion = connection.GetRecovery().Window().Get();
        const std::map<std::string, std::string> seen{
            {"cwnd", std::to_string(congestion.window)},
            {"ssthresh", std::to_string(congestion.threshold)},
            {"rto",
             std::to_string((connection.GetRecovery().Timeout().Get() + 500ns) / 1us) + "us"},
            {"buffered", std::to_string(connection.GetBuffered())},
            {"limit", NameOf(connection.GetWait(), WAITS)},
            {"wait", line.object},
            {"state", NameOf(connection.GetState(), STATES)},
            {"delivered", std::to_string(delivered)},
            {"acknowledged", std::to_string(acknowledged)},
            {"heard", std::to_string(heard)},
            {"told", told}};
        const auto found = seen.find(line.word);
        if (found == seen.end())
        {
            return "'" + line.word + "' is no word of a script";
        }
        return found->second == line.object ? "" : "it is " + found->second;
    }
};

std::string
PacketScript::Run() const
{
    Course course{.script = *this, .connection = Connection(m_settings)};
    Nanos due = 0ns;
    for (const Line& line : m_lines)
    {
        if (line.word == "stop")
        {
            return "";
        }
        due += line.after;
        const std::string wrong = course.Do(line, due);
        if (!wrong.empty())
        {
            return m_name + ":" + std::to_string(line.number) + ": '" + line.text + "' at " +
                   ToSeconds(due) + ": " + wrong;
        }
    }
    course.RunUntil(due + m_tolerance, false);
    if (!course.sent.empty())
    {
        return m_name + ": after the last line, sent '> " + ToText(course.sent.front().second) +
               "'";
    }
    return "";
}

} // namespace ns3::study::tcp
