/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACKET_SCRIPT_H
#define PACKET_SCRIPT_H

#include "model/connection/connection.h"

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ns3::study::tcp
{

/// Set a number of an end by the name of its attribute. @throw std::invalid_argument if there is
/// none, or the value is no such number
void SetByName(ConnectionSettings& settings, const std::string& name, const std::string& value);

/// @return an interval written as 200ms. @throw std::invalid_argument
Nanos ToNanos(const std::string& text);

/**
 * @brief A connection's exchange with its peer, as packetdrill writes one: what the peer sends,
 * what the connection sends, and what its application does, each some time after the line before.
 *
 *     # One sentence: what would be different if the rule were broken.
 *     use linux-6                               settings of scripts/linux-6.settings
 *     set Window 8760                           one setting
 *     +0     connect                            also: write N, read N, close, abort, wait,
 *                                               stop (what follows is not looked at)
 *     +0     > S 0 win 8760 <mss 1460, sackOK>  the connection sends, with nothing else before
 *     +100ms < S. 0 ack 1 win 8192 <mss 1460>   the peer does; its timestamps are made up
 *     +0     > . 1 ack 1
 *     +0     state ESTABLISHED                  also: delivered N, acknowledged N, told BROKEN,
 *                                               buffered N, cwnd N, ssthresh N, rto 200000us,
 *                                               limit NAGLE (see Wait), heard N (of which BBR is
 *                                               told as delivered)
 *
 * Numbers of each stream count from its SYN; 1:1461 is a payload of 1460 B. What a line leaves out
 * (win, options) may be anything; what leaves carries no other flags than the line's.
 * The application reads at once, unless `set Reads none`. With `set Push any` PSH may be anywhere.
 * An expected segment may come `set Tolerance` earlier or later, 1us where it is not set.
 * Random numbers are 0.75 and 0.25 in turn.
 */
class PacketScript
{
  public:
    /// @throw std::invalid_argument with file and line, if a line cannot be read
    explicit PacketScript(const std::filesystem::path& file);

    /// @return the sentence that it begins with
    const std::string& GetClaim() const;
    /// @return file and line where the exchange parts, and how; nothing if it does not
    std::string Run() const;

  private:
    /// A line with a time.
    struct Line
    {
        int number{0};        //!< in the file
        Nanos after{0};       //!< the line before
        std::string text{};   //!< without the time
        std::string word{};   //!< what it does: <, >, or a word
        std::string object{}; //!< of a word
        Segment segment{};    //!< of an arrow, with relative numbers
        bool window{false};   //!< it has a window
        bool options{false};  //!< it has options
    };

    /// A run of the script.
    struct Course;

    void Read(const std::filesystem::path& file, bool isScript);
    void ReadLine(const std::string& text, int number);
    /// Read a segment off a line.
    static void ReadSegment(std::istream& text, Line& line);
    /// Read what stands in < > of it.
    static void ReadOptions(const std::string& text, Segment& segment);

    std::string m_name;            //!< of the file
    std::string m_claim;           //!< its sentence
    ConnectionSettings m_settings; //!< of the connection
    bool m_push{true};             //!< PSH has to be as expected
    bool m_reads{true};            //!< the application reads at once
    Nanos m_tolerance{1us};        //!< of expected instants
    std::deque<Line> m_lines;      //!< the exchange
};

} // namespace ns3::study::tcp

#endif /* PACKET_SCRIPT_H */
