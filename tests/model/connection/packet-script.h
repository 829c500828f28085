/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_SCRIPT_H
#define PACKET_SCRIPT_H

#include "model/connection/connection.h"

#include <filesystem>
#include <string>

namespace ns3::study::tcp
{

/**
 * @brief Run a connection's exchange with its peer, as packetdrill writes one: what the peer sends,
 * what the connection sends, and what its application does, each some time after the line before.
 *
 *     # One sentence: what would be different if the rule were broken.
 *     use linux-6                               the lines of scripts/linux-6.settings; so
 * `accepted`, with which the peer has connected set Window 8760                           one
 * setting +0     connect                            also: write N, read N, close, abort, wait, stop
 * (what follows is not looked at) +0     > S 0 win 8760 <mss 1460, sackOK>  the connection sends,
 * with nothing else before +100ms < S. 0 ack 1 win 8192 <mss 1460>   the peer does; its timestamps
 * are made up +0     > . 1 ack 1 +1ms   < . 1 ack 1001 win 8192 9 times by 1000   as often, each
 * with 1000 octets more +0     > . 1:1001 ack 1 9 times           as often, each behind the one
 * before; also: write +0     state ESTABLISHED                  also: delivered N, acknowledged N,
 * told BROKEN, buffered N, cwnd N, ssthresh N, rto 200000us, limit NAGLE (see Wait), heard N (of
 * which BBR is told as delivered), repairing no, settled yes
 *
 * Numbers of each stream count from its SYN; 1:1461 is a payload of 1460 B. An expected segment is
 * written as above, its options in the order mss, sackOK, TS VALUE ECHO, wscale, sack 1:1461
 * 2921:4381; what it leaves out (win, options, the numbers of TS) may be anything. The application
 * reads at once, unless `set Reads none`. With `set Push any` PSH may be anywhere. An expected
 * segment may come `set Tolerance` earlier or later, 1us where it is not set. Random numbers are
 * 0.75 and 0.25 in turn.
 *
 * @param shifts before each line, time and octets are counted from later ones on, as the proof of
 * cycles does; nothing may come of it
 * @return file and line where the exchange parts, and how; nothing if it does not
 */
std::string RunScript(const std::filesystem::path& file, bool shifts = false);

/// Set a number of an end by the name of its attribute. @throw std::invalid_argument if there is
/// none, or the value is no such number
void SetByName(ConnectionSettings& settings, const std::string& name, const std::string& value);

/// @return an interval written as 200ms. @throw std::invalid_argument
Nanos ToNanos(const std::string& text);

/// @return a segment as a script has it, without what a line that it is compared with leaves out
std::string ToText(const Segment& segment, const std::string& line = " win <TS ");

/// @return a segment that is read off a script. @throw std::invalid_argument if it cannot be
Segment ToSegment(const std::string& text);

} // namespace ns3::study::tcp

#endif /* PACKET_SCRIPT_H */
