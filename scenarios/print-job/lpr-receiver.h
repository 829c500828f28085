/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LPR_RECEIVER_H
#define LPR_RECEIVER_H

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::study
{

/// The device's side of a printing dialogue (RFC 1179, 5.2 and 6): octets in, replies out.
///
/// Understands "receive a printer job" and its subcommands "abort job", "receive control file" and
/// "receive data file" with a stated size. Anything else is answered by a negative reply.
class LprReceiver
{
  public:
    /// What a reply answers.
    enum class Answered
    {
        JOB_COMMAND, //!< the command that names the queue
        SUBCOMMAND,  //!< the announcement of a file
        FILE,        //!< a whole file and the octet behind it
        ERROR        //!< something not understood: the reply is negative
    };

    /// Called with octets of a data file, and with null when it has come whole.
    using FileListener = std::function<void(Ptr<const Packet>)>;

    /// Show somebody what is printed: the data files, not the control files.
    void SetFileListener(FileListener listener);

    /// Take in octets in sequence.
    /// @return the replies they call for, in order
    std::vector<Answered> Receive(Ptr<const Packet> packet);

    /// @return the reply's one octet: 0 for yes (RFC 1179, 6)
    static uint8_t GetReply(Answered answered);

    /// Take in octets of the current file without seeing them: fewer than are to come.
    void Skip(uint64_t octets);

  private:
    /// Octets of the current file have come, at a place of a packet.
    void TakeFile(Ptr<const Packet> packet, uint64_t at, uint64_t size);
    /// Understand a complete line.
    /// @return what its reply answers
    Answered HandleLine();

    std::string m_line;       //!< the line that is arriving
    uint64_t m_fileOctets{0}; //!< octets of the current file still to come, its last one included
    bool m_isData{false};     //!< the current file is a data file
    bool m_jobOpen{false};    //!< the receive-job command has been accepted
    FileListener m_listener;  //!< is shown what is printed
};

} // namespace ns3::study

#endif /* LPR_RECEIVER_H */
