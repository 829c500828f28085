/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-script.h"

#include "end.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace ns3::study::tcp
{

namespace
{

/// Of enumerations, in their order; states as RFC 9293 writes them.
const std::string STATES = "CLOSED LISTEN SYN-SENT SYN-RECEIVED ESTABLISHED CLOSE-WAIT LAST-ACK "
                           "FIN-WAIT-1 FIN-WAIT-2 CLOSING TIME-WAIT";
const std::string NEWS = "CONNECTED FAILED PEER-CLOSED BROKEN";
const std::string WAITS = "HANDSHAKE APPLICATION CPU RECEIVE_WINDOW DRAIN CONGESTION_WINDOW "
                          "SEND_BUFFER NAGLE";

/// @return the name of an enumeration's value
std::string
NameOf(auto value, const std::string& names)
{
    std::istringstream list(names);
    std::string name;
    for (int place = 0; place <= static_cast<int>(value); ++place)
    {
        list >> name;
    }
    return name;
}

/// Calls of an application without a number.
const std::map<std::string, void (Connection::*)(const Step&)> CALLS{{"connect", &Connection::Open},
                                                                     {"close", &Connection::Close},
                                                                     {"abort", &Connection::Abort}};

/// @return a line's segment as it is for the n-th time: behind those before, and acknowledging so
/// many octets more each time. What is no segment stays
std::string
MoveOn(const std::string& line, uint64_t n, uint64_t by)
{
    static const std::regex data("(\\S+ )(\\d+):(\\d+)(.*)");
    static const std::regex ack("(.* ack )(\\d+)(.*)");
    std::smatch parts;
    const auto moved = [&](int part, uint64_t octets) {
        return std::to_string(std::stoul(parts[part]) + octets);
    };
    if (std::regex_match(line, parts, data))
    {
        const uint64_t octets = n * (std::stoul(parts[3]) - std::stoul(parts[2]));
        return parts.str(1) + moved(2, octets) + ":" + moved(3, octets) + parts.str(4);
    }
    return std::regex_match(line, parts, ack) ? parts.str(1) + moved(2, n * by) + parts.str(3)
                                              : line;
}

/// A run of a script.
class Course
{
  public:
    explicit Course(bool shifts)
        : m_shifts(shifts)
    {
    }

    /// Do all that a file says. @return what is wrong, or nothing
    std::string Follow(const std::filesystem::path& file)
    {
        std::ifstream input(file);
        const std::string name = file.filename();
        int number = 0;
        std::string wrong;
        for (std::string line; wrong.empty() && !m_stopped && std::getline(input, line);)
        {
            ++number;
            const std::string place = name + ":" + std::to_string(number) + ": '" + line + "': ";
            try
            {
                wrong = number > 1 || line[0] == '#' ? Do(line.substr(0, line.find('#')), file)
                                                     : "it begins with no sentence behind a #";
            }
            catch (const std::logic_error& error) // what std::stod and its like throw, too
            {
                wrong = error.what();
            }
            wrong = wrong.empty() ? "" : place + wrong;
        }
        return number == 0 ? name + ": no such file" : wrong;
    }

    /// @return what is sent behind the last line, or nothing
    std::string Finish()
    {
        if (m_stopped || !m_end)
        {
            return "";
        }
        RunUntil(m_due + m_tolerance, false);
        return m_end->sent.empty() ? "" : "after the last line: " + Compare("");
    }

  private:
    /// Do what a line says. @return what is wrong, or nothing
    std::string Do(const std::string& line, const std::filesystem::path& file)
    {
        std::istringstream words(line);
        std::string first;
        std::string word;
        std::string rest;
        words >> first >> word >> std::ws;
        std::getline(words, rest);
        rest.erase(rest.find_last_not_of(' ') + 1);
        if (first == "use")
        {
            return Follow(file.parent_path() / (word + ".settings"));
        }
        if (first == "set")
        {
            return Set(word, rest);
        }
        const bool timed = first[0] == '+';
        return timed           ? Repeat(ToNanos(first.substr(1)), word, rest)
               : first.empty() ? ""
                               : "a line of an exchange begins with +TIME";
    }

    std::string Set(const std::string& name, const std::string& value)
    {
        const std::array ours{"Reads", "Push", "Tolerance"};
        m_reads = name == ours[0] ? value == "all" : m_reads;
        m_push = name == ours[1] ? value != "any" : m_push;
        m_tolerance = name == ours[2] ? ToNanos(value) : m_tolerance;
        if (std::find(ours.begin(), ours.end(), name) == ours.end())
        {
            SetByName(m_settings, name, value);
        }
        return "";
    }

    /// Do a line of an exchange as often as it says. @return what is wrong, or nothing
    std::string Repeat(Nanos after, const std::string& word, const std::string& rest)
    {
        static const std::regex often("(.*) (\\d+) times(?: by (\\d+))?");
        std::smatch parts;
        if (!std::regex_match(rest, parts, often))
        {
            return At(after, word, rest);
        }
        const uint64_t by = parts[3].matched ? std::stoul(parts[3]) : 0;
        std::string wrong;
        for (uint64_t n = 0; wrong.empty() && n < std::stoul(parts[2]); ++n)
        {
            wrong = At(after, word, MoveOn(parts[1], n, by));
        }
        return wrong;
    }

    /// @param after the line before. @return what is wrong, or nothing
    std::string At(Nanos after, const std::string& word, const std::string& rest)
    {
        if (!m_end)
        {
            m_end.emplace(m_settings, m_reads);
        }
        if (m_shifts)
        {
            Shift();
        }
        m_due += after;
        m_stopped = word == "stop";
        if (m_stopped)
        {
            return "";
        }
        RunUntil(word == ">" ? m_due + m_tolerance : m_due, word == ">");
        if (word == ">")
        {
            return m_end->sent.empty() ? "nothing was sent" : Compare(rest);
        }
        if (!m_end->sent.empty() && m_end->sent.front().first + m_tolerance < m_due)
        {
            return Compare("");
        }
        const auto octets = [&rest]() { return static_cast<uint32_t>(std::stoul(rest)); };
        if (word == "<")
        {
            Inject(ToSegment(rest));
        }
        else if (word == "write")
        {
            m_end->WriteInAll(octets(), m_now);
        }
        else if (word == "read")
        {
            m_end->Give(m_now, &Connection::Read, octets());
        }
        else if (CALLS.contains(word))
        {
            m_end->Give(m_now, CALLS.at(word));
        }
        else
        {
            return Check(word, rest);
        }
        return "";
    }

    /// @return what is wrong with what a line expects, or nothing
    std::string Check(const std::string& word, const std::string& expected)
    {
        const auto yesOrNo = [](bool yes) { return yes ? "yes" : "no"; };
        const Connection& connection = m_end->connection;
        const LossRecovery& recovery = connection.GetRecovery();
        const CongestionState& congestion = recovery.m_window.Get();
        const std::map<std::string, std::string> seen{
            {"wait", expected},
            {"cwnd", std::to_string(congestion.window)},
            {"ssthresh", std::to_string(congestion.threshold)},
            {"rto", std::to_string((recovery.m_timeout.Get() + 500ns) / 1us) + "us"},
            {"repairing", yesOrNo(recovery.IsRepairing())},
            {"settled", yesOrNo(recovery.IsSettled())},
            {"buffered", std::to_string(connection.GetBuffered())},
            {"limit", NameOf(connection.GetWait(), WAITS)},
            {"state", NameOf(connection.GetState(), STATES)},
            {"delivered", std::to_string(m_end->delivered)},
            {"acknowledged", std::to_string(m_end->acknowledged)},
            {"heard", std::to_string(m_end->heard)},
            {"told", m_end->told ? NameOf(*m_end->told, NEWS) : ""}};
        const auto found = seen.find(word);
        if (found == seen.end())
        {
            return "'" + word + "' is no word of a script";
        }
        return found->second == expected ? "" : "it is " + found->second;
    }

    /// A segment of the peer arrives.
    void Inject(Segment segment)
    {
        m_stamps = segment.Has(SYN) ? segment.timestamps.has_value() : m_stamps;
        if (m_stamps && segment.timestamps.value_or(Timestamps{}) == Timestamps{})
        {
            segment.timestamps = Timestamps{ToTimestamp(m_now + m_skipped), m_echo};
        }
        segment.Shift(m_skipped, m_theirs, segment.Has(ACK) ? m_ours : 0);
        m_end->Give(m_now, &Connection::Arrive, segment);
    }

    /// Take the next segment that was sent. @return how it differs from what a line expects, which
    /// may be none; nothing if it does not
    std::string Compare(std::string line)
    {
        auto [at, segment] = m_end->sent.front();
        m_end->sent.pop_front();
        segment.Shift(-m_skipped, -m_ours, segment.Has(ACK) ? -m_theirs : 0);
        m_echo = segment.timestamps ? segment.timestamps->value : m_echo;
        std::string seen = ToText(segment, line);
        if (!m_push)
        {
            std::erase(line, 'P');
            std::erase(seen, 'P');
        }
        const Nanos late = at - m_due;
        return seen == line && late <= m_tolerance && -late <= m_tolerance
                   ? ""
                   : "'> " + ToText(segment) + "' was sent " + std::to_string(late / 1us) +
                         " us after the time of the line";
    }

    /// Let timers expire up to an instant, or if told so until a segment is sent.
    void RunUntil(Nanos end, bool orSent)
    {
        while (!(orSent && !m_end->sent.empty()) && m_end->connection.GetDeadline() <= end)
        {
            m_now = std::max(m_now, m_end->connection.GetDeadline());
            m_end->Give(m_now, &Connection::Expire);
        }
        m_now = orSent && !m_end->sent.empty() ? m_now : std::max(m_now, end);
    }

    /// Count time and octets from later ones on: timestamps count in whole milliseconds.
    void Shift()
    {
        const Nanos time = m_now / 1ms * 1ms;
        const auto [ours, theirs] = m_end->Shift(time);
        m_now -= time;
        m_due -= time;
        m_ours += ours;
        m_theirs += theirs;
        m_skipped += time;
    }

    bool m_shifts;                 //!< before each line
    ConnectionSettings m_settings; //!< of the connection
    bool m_push{true};             //!< PSH has to be as expected
    bool m_reads{true};            //!< the application reads at once
    Nanos m_tolerance{1us};        //!< of expected instants
    std::optional<End> m_end;      //!< the connection, from the first line of the exchange on
    Nanos m_now{0};                //!< the instant
    Nanos m_due{0};                //!< of the line
    Nanos m_skipped{0};            //!< time before the instant 0, in whole milliseconds
    uint64_t m_ours{0};            //!< octets of the connection before its number 0
    uint64_t m_theirs{0x2000};     //!< and of the peer, so that numbers wrap around
    uint32_t m_echo{0};            //!< last timestamp of the connection
    bool m_stamps{false};          //!< the peer uses timestamps
    bool m_stopped{false};         //!< at a `stop`
};

} // namespace

std::string
RunScript(const std::filesystem::path& file, bool shifts)
{
    Course course(shifts);
    const std::string wrong = course.Follow(file);
    const std::string behind = wrong.empty() ? course.Finish() : "";
    return behind.empty() ? wrong : file.filename().string() + ": " + behind;
}

} // namespace ns3::study::tcp
