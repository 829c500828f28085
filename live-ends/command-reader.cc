/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "command-reader.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

namespace ns3::study
{

namespace
{

constexpr std::size_t KEPT = 8192;           // of a command: its header says what it is
constexpr uint32_t EMPTY_LINE = 0x0D0A0D0AU; // CR LF CR LF

/// @return the value of a header's field, in small letters; empty if there is no such field
std::string
GetField(const std::string& header, const std::string& name)
{
    std::string small = header;
    std::transform(small.begin(), small.end(), small.begin(), [](unsigned char each) {
        return static_cast<char>(std::tolower(each));
    });
    const std::string begin = "\r\n" + name + ":";
    const std::size_t found = small.find(begin);
    if (found == std::string::npos)
    {
        return "";
    }
    const std::size_t value = found + begin.size();
    return small.substr(value, small.find("\r\n", value) - value);
}

} // namespace

CommandReader::CommandReader(uint32_t echoed, uint64_t size)
    : m_echoed(echoed),
      m_ownSize(size)
{
}

CommandReader::Heard
CommandReader::Read(const std::string& octets)
{
    Heard heard;
    for (const char octet : octets)
    {
        if (m_size < m_echoed)
        {
            heard.echo += octet;
        }
        if (EndsWith(octet))
        {
            heard.commands.push_back(std::exchange(m_begin, ""));
            m_size = 0;
            m_last = 0;
            m_chunked = false;
        }
    }
    return heard;
}

bool
CommandReader::EndsWith(char octet)
{
    ++m_size;
    if (m_begin.size() < KEPT)
    {
        m_begin += octet;
    }
    m_last = m_last << 8 | static_cast<unsigned char>(octet);
    if (m_begin.front() == '\0')
    {
        return m_size == m_ownSize;
    }
    if (m_echoed > 0)
    {
        return octet == '\n';
    }
    if (m_body > 0)
    {
        return --m_body == 0;
    }
    return m_last == EMPTY_LINE && (m_chunked || EndsAtHeader());
}

bool
CommandReader::EndsAtHeader()
{
    if (GetField(m_begin, "transfer-encoding").find("chunked") != std::string::npos)
    {
        m_chunked = true; // the last chunk is empty, and an empty line follows it
        return false;
    }
    m_body = std::strtoull(GetField(m_begin, "content-length").c_str(), nullptr, 10);
    return m_body == 0;
}

} // namespace ns3::study
