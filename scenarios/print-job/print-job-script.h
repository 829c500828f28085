/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINT_JOB_SCRIPT_H
#define PRINT_JOB_SCRIPT_H

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::study
{

/// One thing a client writes: a text, then zero octets, then perhaps a wait for a reply.
struct PrintJobStep
{
    std::string text;       //!< octets written first
    uint64_t zeroOctets{0}; //!< zero octets written after the text
    bool awaitReply{false}; //!< wait for a one-octet reply before the next step

    /// @return everything the step writes, in bytes
    uint64_t GetSize() const;
};

/// What a client writes for one job, in order.
using PrintJobScript = std::vector<PrintJobStep>;

/**
 * @brief A job to an LPR/LPD server, port 515 (RFC 1179, 5.2 and 6).
 *
 * Receive-job command, data file, control file; each file is announced, and followed by a zero
 * octet; each of the five parts is answered by one octet. The names are chosen so that the parts
 * have the sizes of the Hawking's trace: 5, 34, the file and one octet, 28, and 60 and one octet.
 */
PrintJobScript MakeLprScript(uint64_t fileSize);

/// A job to a raw port such as 9100: the file and nothing else.
PrintJobScript MakeRawScript(uint64_t fileSize);

/// @return everything a script writes, in bytes
uint64_t GetSize(const PrintJobScript& script);

/// A job as attributes.
class PrintJob : public Object
{
  public:
    /// How the job is sent.
    enum Protocol
    {
        LPR, //!< RFC 1179, port 515
        RAW  //!< the bytes alone, port 9100
    };

    static TypeId GetTypeId();

    Protocol m_protocol; //!< how the job is sent
    uint64_t m_jobSize;  //!< the file to print [B]
};

} // namespace ns3::study

#endif /* PRINT_JOB_SCRIPT_H */
