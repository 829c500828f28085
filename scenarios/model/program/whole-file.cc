/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "whole-file.h"

#include <filesystem>
#include <stdexcept>

namespace ns3::study
{

WholeFile::WholeFile(const std::string& name)
    : m_name(name),
      m_partName(name + ".part")
{
    if (std::filesystem::exists(name) && !std::filesystem::is_regular_file(name))
    {
        m_partName = name; // a device or a pipe is written to, never replaced
    }
}

WholeFile::~WholeFile()
{
    std::error_code ignored;
    if (m_partName != m_name)
    {
        std::filesystem::remove(m_partName, ignored);
    }
}

const std::string&
WholeFile::GetPartName() const
{
    return m_partName;
}

std::ostream&
WholeFile::GetStream()
{
    if (!m_stream.is_open())
    {
        m_stream.open(m_partName);
    }
    return m_stream;
}

void
WholeFile::Publish(bool complete)
{
    if (m_stream.is_open())
    {
        m_stream.close();
    }
    std::error_code error;
    if (complete && !m_stream.fail() && m_partName != m_name)
    {
        std::filesystem::rename(m_partName, m_name, error);
    }
    if (!complete || m_stream.fail() || error)
    {
        throw std::runtime_error("'" + m_name +
                                 "' could not be written to the end; is the disk full?");
    }
}

} // namespace ns3::study
