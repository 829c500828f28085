/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "limit-table.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3::study
{

namespace
{

using Texts = std::vector<std::string>;

// A window beyond 65,535 B needs a scale in both SYNs (RFC 7323, 2.2), a sender that holds as much,
// and selective ACKs for what its queue loses (RFC 2018); what of them does nothing, a trial finds.
const std::string LARGER_WINDOW = "R.window*4 R.window_scale=auto S.window_scale=auto R.sack=true "
                                  "S.sack=true S.send_buffer>=R.window";
const std::string LARGER_BUFFER = "S.send_buffer*4";
const std::string SACK = "R.sack=true S.sack=true";
const std::string LARGER_START = "S.initial_window*4";
const std::string ONE_WRITE = "reply_writes=1 reply_write*reply_writes";
const std::string LARGER_WRITES = "write_size*4 first_write*4";

// What several limits are relieved by.
const Texts NEARER{"rtt/2", "path_delay/2", "cloud_delay/2"};
const Texts FASTER_LINE{"link_rate*10",
                        "path_rate*10",
                        "branch_access_rate*10",
                        "headquarters_access_rate*10",
                        "path_rate_back*10",
                        "committed_rate*2",
                        "stuffed_bits=0"};
const Texts NO_LOSSES{"path_loss=0",
                      "path_lost_packets=",
                      "loss_to_device=0",
                      "loss_to_host=0",
                      "path_loss_back=0",
                      "path_lost_packets_back=",
                      "loss_to_branch=0",
                      "loss_to_headquarters=0"};
const Texts ACKS_AT_ONCE{"ack_threshold=0",
                         "ack_frequency=0",
                         "R.ack_frequency=1",
                         "delayed_ack_timeout/4",
                         "R.delayed_ack/4"};
const Texts FASTER_DEVICE{"ack_latency/2", "ack_latency_per_byte/2", "interactive_ack_latency/2"};
const Texts FASTER_READER{"port_rate*4",
                          "drain_latency/4",
                          "drain_pause/4",
                          "device_clock*4",
                          "device_drain_cycles/4",
                          "device_byte_cycles/4",
                          "device_packet_cycles/4"};
const Texts LARGER_QUEUE{"path_queue*4"};

Texts
All(std::initializer_list<Texts> parts)
{
    Texts all;
    for (const Texts& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/// @return the entry of every limit, in the order in which figures draw them
const std::vector<LimitEntry>&
GetTable()
{
    static const std::vector<LimitEntry> table{
        {Limit::RECEIVE_WINDOW,
         "receive_window",
         "the sender has filled the receiver's window and waits for its ACK",
         "the receiver's window is full",
         "das Fenster des Empfängers ist voll",
         "the receiver's TCP",
         "",
         "#009E73",
         "",
         {LARGER_WINDOW},
         All({NEARER, FASTER_DEVICE, ACKS_AT_ONCE, FASTER_READER})},
        {Limit::DRAIN,
         "drain",
         "the receiver's buffer is full until its program reads",
         "the receiver's buffer is full",
         "der Puffer des Empfängers ist voll",
         "the receiver's program",
         "",
         "#E69F00",
         "////",
         FASTER_READER,
         All({{LARGER_WINDOW}, FASTER_DEVICE})},
        {Limit::DELAYED_ACK,
         "delayed_ack",
         "the receiver keeps back its ACK on purpose",
         "an ACK that is kept back",
         "ein ACK, das zurückgehalten wird",
         "both TCPs together",
         "",
         "#CC79A7",
         "||",
         ACKS_AT_ONCE,
         {"S.nagle=false", ONE_WRITE, LARGER_BUFFER, LARGER_WINDOW}},
        {Limit::CPU,
         "cpu",
         "the sender's own work, segment after segment",
         "a processor at work",
         "ein Prozessor arbeitet",
         "the sender's program",
         "any end: on the wire it is silence, as a program's time is",
         "#56B4E9",
         "",
         {"reply_time/4",
          "segment_time/4",
          "client_reply_time/4",
          "server_reply_time/4",
          "client_segment_time/4",
          "server_segment_time/4",
          "cpu_clock*4",
          "word_cycles/4",
          "socket_copy_cycles/4",
          "send_cycles/4",
          "receive_cycles/4",
          "tasklet_cycles=0",
          "sendfile=true",
          "interface_transfer=dma",
          "wait_states/4",
          "server_time/4",
          "turnaround_time/4"},
         {}},
        {Limit::BUS,
         "bus",
         "the bus carries words to the Ethernet controller",
         "the bus carries words to the Ethernet controller",
         "der Bus überträgt Wörter zum Ethernet-Controller",
         "the sender's machine",
         "any end: on the wire it is silence, as a program's time is",
         "#0072B2",
         "++",
         {"bus_clock*4", "bus_width*2", "wait_states/4"},
         {"interface_transfer=dma"}},
        {Limit::LINK,
         "link",
         "the line is carrying frames, and can carry no more",
         "the line, busy with a packet",
         "die Leitung ist mit einem Paket belegt",
         "the path",
         "",
         "#BBBBBB",
         "xxxx",
         FASTER_LINE,
         {LARGER_WINDOW}},
        {Limit::SEND_BUFFER,
         "send_buffer",
         "the send buffer is full of data not yet acknowledged",
         "the send buffer is full",
         "der Sendepuffer ist voll",
         "the sender's TCP",
         "the receiver's end: there it is silence",
         "#F0E442",
         "\\\\\\\\",
         {LARGER_BUFFER, "S.send_buffer*4 " + LARGER_WINDOW},
         All({{LARGER_WRITES}, NEARER, FASTER_DEVICE, ACKS_AT_ONCE})},
        {Limit::CONGESTION_WINDOW,
         "congestion_window",
         "the congestion window has no room",
         "the sender's congestion window",
         "das Überlastfenster des Senders",
         "the path",
         "the receiver's end: there it is silence",
         "#9DC3E6",
         "----",
         {LARGER_START, "S.congestion_control=cubic", "S.congestion_control=bbr"},
         All({NO_LOSSES, NEARER, ACKS_AT_ONCE, LARGER_QUEUE, {SACK}})},
        {Limit::NAGLE,
         "nagle",
         "Nagle's algorithm holds a small segment until an ACK comes",
         "Nagle holds a small packet back",
         "Nagle hält ein kleines Paket zurück",
         "both TCPs together",
         "the receiver's end: there it is silence",
         "#D55E00",
         "//||",
         {"S.nagle=false"},
         All({{LARGER_BUFFER, LARGER_WRITES, ONE_WRITE}, ACKS_AT_ONCE, FASTER_DEVICE})},
        {Limit::LOSS_RECOVERY,
         "loss_recovery",
         "what was lost is sent again",
         "something was lost and is sent again",
         "etwas ging verloren und wird noch einmal gesendet",
         "the path",
         "",
         "#000000",
         "",
         All({NO_LOSSES, {SACK, "S.minimum_rto/4", "S.loss_detection=rack-tlp", "reply_timeout/4"}}),
         All({LARGER_QUEUE, NEARER})},
        {Limit::LAST_ACK,
         "last_ack",
         "all is sent, and the receiver has not acknowledged it yet",
         "all is sent, and not acknowledged yet",
         "alles ist gesendet und noch nicht bestätigt",
         "the receiver's TCP",
         "",
         "#C8E6C9",
         "\\\\--",
         All({FASTER_DEVICE, NEARER}),
         All({ACKS_AT_ONCE, FASTER_READER})},
        {Limit::PATH_QUEUE,
         "path_queue",
         "all is sent, and waits in a queue of the path",
         "all is sent, and waits in a queue",
         "alles ist gesendet und wartet in einer Warteschlange",
         "the path",
         "",
         "#B39DDB",
         "xx",
         All({FASTER_LINE, {"path_queue/4"}}),
         {}},
        {Limit::ROUND_TRIP,
         "round_trip",
         "all is sent, and is on its way, or the answer is",
         "all is sent, and on its way",
         "alles ist gesendet und unterwegs",
         "the path",
         "",
         "#FFF3C4",
         "--",
         NEARER,
         {}},
        {Limit::WINDOW_UPDATE,
         "window_update",
         "the receiver's buffer is empty, and the sender has not been told",
         "the receiver has room and has not said so",
         "der Empfänger hat Platz und hat es nicht gesagt",
         "the receiver's TCP",
         "",
         "#F5C38A",
         "//--",
         {"window_updates=every-opening"},
         All({{LARGER_WINDOW}, FASTER_READER, FASTER_DEVICE})},
        {Limit::REQUEST,
         "request",
         "all that was asked for is on its way, and no more until it is asked for",
         "the way of a packet and of the next request",
         "der Weg eines Pakets und der nächsten Anforderung",
         "both programs together",
         "",
         "#CBB8E8",
         "xx||",
         {"protocol=packet-burst", "burst_size*4"},
         All({NEARER, {"turnaround_time/4", "server_time/4"}, FASTER_LINE})},
        {Limit::BURST_GAP,
         "burst_gap",
         "the gap that the workstation asked for between two packets",
         "the gap between two packets that was asked for",
         "der Abstand zweier Pakete, um den gebeten wurde",
         "the receiver's program",
         "",
         "#DDDDDD",
         "++++",
         {"burst_gap=0ns"},
         {}},
        {Limit::DISK,
         "disk",
         "the disk is being read",
         "the disk is being read",
         "von der Festplatte wird gelesen",
         "the sender's machine",
         "any end: on the wire it is silence, as a program's time is",
         "#D9C6A5",
         "xx--",
         {"disk_reading=read-ahead", "disk_rate*4"},
         {"file_buffer*4"}},
        {Limit::APPLICATION,
         "application",
         "the programs at both ends answer each other",
         "an application at work",
         "eine Anwendung arbeitet",
         "the sender's program",
         "",
         "#FFFFFF",
         "||||",
         {LARGER_WRITES,
          "write_time/4",
          "write_returns=some-fits",
          "think_time/4",
          "job_command_time/4",
          "close_time/4"},
         All({NEARER, FASTER_DEVICE})},
        {Limit::CLIENT_APPLICATION,
         "client_application",
         "the client's program is at work",
         "the program at work",
         "das Programm arbeitet",
         "the client's program",
         "",
         "#FFFFFF",
         "//",
         {"client_time/4", "command_write_time/4"},
         {}},
        {Limit::SERVER_APPLICATION,
         "server_application",
         "the server's program is at work",
         "the device at work",
         "das Gerät arbeitet",
         "the server's program",
         "",
         "#DDDDDD",
         "\\\\",
         {"server_time/4", "reply_write_time/4"},
         {}},
        {Limit::HANDSHAKE,
         "handshake",
         "the connection is being set up",
         "opening the connection",
         "der Aufbau der Verbindung",
         "the path",
         "",
         "#FFFFFF",
         "",
         All({NEARER, {"syn_ack_latency/4", "S.initial_rto/4"}}),
         {}},
    };
    return table;
}

/// Puts the names of a scenario's parameters for the two roles.
class Roles
{
  public:
    explicit Roles(const ParameterSet& parameters)
    {
        for (const Parameter& parameter : parameters.GetParameters())
        {
            m_keys.insert(parameter.key);
        }
    }

    /// @return each relief for each way that data can go; without what the scenario has not, and
    ///         none whose first parameter it has not
    Texts Expand(const Texts& reliefs) const
    {
        Texts found;
        for (const std::string& relief : reliefs)
        {
            for (const auto& [receiver, sender] : {std::pair{"device", "host"},
                                                   std::pair{"client", "server"},
                                                   std::pair{"server", "client"}})
            {
                const std::string text = Spell(relief, receiver, sender);
                if (!text.empty() && std::find(found.begin(), found.end(), text) == found.end())
                {
                    found.push_back(text);
                }
            }
        }
        return found;
    }

  private:
    /// @return the relief in the parameters of that way
    std::string Spell(const std::string& relief,
                      const std::string& receiver,
                      const std::string& sender) const
    {
        std::istringstream changes(relief);
        std::string text;
        for (std::string change; changes >> change;)
        {
            const auto end = std::min(change.find_first_of("*/=>"), change.size());
            const std::string key = Resolve(change.substr(0, end), receiver, sender);
            const bool compares = change.compare(end, 2, ">=") == 0;
            const std::string value =
                compares ? ">=" + Resolve(change.substr(end + 2), receiver, sender)
                         : change.substr(end);
            if (key.empty() || value == ">=")
            {
                if (text.empty())
                {
                    return ""; // the first is what it is about
                }
                continue;
            }
            text += (text.empty() ? "" : " ") + key + value;
        }
        return text;
    }

    /// @return the parameter's key in this scenario; empty where it has none
    std::string Resolve(const std::string& key,
                        const std::string& receiver,
                        const std::string& sender) const
    {
        const bool hasRole = key.rfind("R.", 0) == 0 || key.rfind("S.", 0) == 0;
        if (!hasRole)
        {
            return m_keys.contains(key) ? key : "";
        }
        const bool receives = key.front() == 'R';
        const std::string name = key.substr(2);
        if (const auto own = (receives ? receiver : sender) + "_" + name; m_keys.contains(own))
        {
            return own;
        }
        if (receives)
        {
            const bool isWindow = receiver == "device" && name == "window";
            return isWindow && m_keys.contains("receive_window") ? "receive_window" : "";
        }
        return sender == "host" && m_keys.contains(name) ? name : "";
    }

    std::set<std::string> m_keys; //!< of all parameters
};

} // namespace

std::string
LimitName(Limit limit)
{
    static const auto names = [] {
        std::map<Limit, std::string> keys;
        for (const LimitEntry& entry : GetTable())
        {
            keys[entry.limit] = entry.key;
        }
        return keys;
    }();
    return names.at(limit);
}

std::vector<JsonObject>
TellLimits(std::span<const Limit> limits,
           const ParameterSet& parameters,
           const std::map<Limit, std::string>& words)
{
    const Roles roles(parameters);
    std::vector<JsonObject> told;
    for (uint64_t place = 0; const LimitEntry& entry : GetTable())
    {
        ++place;
        if (std::find(limits.begin(), limits.end(), entry.limit) == limits.end())
        {
            continue;
        }
        const auto own = words.find(entry.limit);
        JsonObject json;
        json.Add("key", entry.key);
        json.Add("place", place);
        json.Add("words", own == words.end() ? entry.words : own->second);
        json.Add("plain", entry.plain);
        json.Add("german", entry.german);
        json.Add("who", entry.who);
        json.Add("unseen", entry.unseen);
        json.Add("colour", entry.colour);
        json.Add("hatch", entry.hatch);
        json.Add("reliefs", roles.Expand(entry.reliefs));
        json.Add("behind", roles.Expand(entry.behind));
        told.push_back(json);
    }
    return told;
}

} // namespace ns3::study
