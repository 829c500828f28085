/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUEST_H
#define REQUEST_H

#include "scenario.h"

#include <array>
#include <string>
#include <vector>

namespace ns3::study
{

/// A kind of file that a run may leave.
struct FileKind
{
    const char* flag;               //!< that asks for it, with its name
    std::string RunFiles::* member; //!< where that name goes
    const char* help;               //!< one sentence
};

/// All kinds of files.
constexpr std::array FILE_KINDS{
    FileKind{"pcap", &RunFiles::pcap, "Write a capture of the host's interface to this file"},
    FileKind{"wan-pcap",
             &RunFiles::wanPcap,
             "Write a capture of the frame-relay line to this file"},
    FileKind{"segments", &RunFiles::segments, "Write the segment table to this file"},
    FileKind{"waits", &RunFiles::waits, "Write who waited for what, and when, to this file"},
};

/// What a scenario's program is asked for, besides parameters.
struct Request
{
    bool describe{false};            //!< print the declaration
    bool batch{false};               //!< points on standard input
    bool canonical{false};           //!< read values, run nothing
    std::vector<std::string> values; //!< the values to read, each --flag=value
    bool help{false};                //!< let ns-3's CommandLine answer
    bool tells{true};                //!< whether a record has its run's parameters
    RunFiles files;                  //!< files to write
};

/// Set parameters as arguments of the form --name or --name=value say.
/// @param fastForward whether to fast-forward when they do not say
/// @return what else they ask for
/// @throw ParameterError if they cannot be understood
Request Understand(const std::vector<std::string>& arguments,
                   ParameterSet& parameters,
                   bool fastForward = true);

} // namespace ns3::study

#endif /* REQUEST_H */
