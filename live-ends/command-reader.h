/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMMAND_READER_H
#define COMMAND_READER_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::study
{

/**
 * @brief Finds where each command of a real client ends.
 *
 * Where text is echoed a command is a line; else it is a request of HTTP, with the body that its
 * header announces (RFC 9112, 6). What begins with a NUL is neither, and has the size that the
 * scenario's commands have.
 */
class CommandReader
{
  public:
    /// What a piece of a client's octets comes to.
    struct Heard
    {
        std::string echo;                  //!< to send back at once
        std::vector<std::string> commands; //!< that end in it: the beginning of each
    };

    /**
     * @param echoed octets of each command that are echoed [B]; none of a request
     * @param size of a command that is no text [B]
     */
    CommandReader(uint32_t echoed = 0, uint64_t size = 1);

    /// Take in what comes next.
    Heard Read(const std::string& octets);

  private:
    /// @return true if the command ends with this octet, which is taken in
    bool EndsWith(char octet);
    /// The header of a request is whole. @return true if no body follows
    bool EndsAtHeader();

    uint32_t m_echoed;     //!< octets of each command that are echoed [B]
    uint64_t m_ownSize;    //!< of a command that is no text [B]
    std::string m_begin;   //!< of the current command
    uint64_t m_size{0};    //!< of the current command, as far as it has come [B]
    uint32_t m_last{0};    //!< its last four octets, the very last one lowest
    uint64_t m_body{0};    //!< octets of a body that are to come [B]
    bool m_chunked{false}; //!< the body's end is in it
};

} // namespace ns3::study

#endif /* COMMAND_READER_H */
