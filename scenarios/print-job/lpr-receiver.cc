/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lpr-receiver.h"

#include <algorithm>
#include <charconv>

namespace ns3::study
{

void
LprReceiver::SetFileListener(FileListener listener)
{
    m_listener = std::move(listener);
}

std::vector<LprReceiver::Answered>
LprReceiver::Receive(Ptr<const Packet> packet)
{
    std::vector<Answered> answers;
    std::vector<uint8_t> octets; // copied only where a line is expected: files are just counted
    uint64_t at = 0;
    while (at < packet->GetSize())
    {
        if (m_fileOctets > 0)
        {
            const uint64_t taken = std::min<uint64_t>(m_fileOctets, packet->GetSize() - at);
            TakeFile(packet, at, taken);
            at += taken;
            if (m_fileOctets == 0)
            {
                answers.push_back(Answered::FILE);
            }
            continue;
        }
        if (octets.empty())
        {
            octets.resize(packet->GetSize());
            packet->CopyData(octets.data(), packet->GetSize());
        }
        const char octet = static_cast<char>(octets[at++]);
        if (octet != '\n')
        {
            m_line += octet;
            constexpr std::size_t longestLine = 1024;
            if (m_line.size() > longestLine)
            {
                m_line.clear();
                answers.push_back(Answered::ERROR);
            }
            continue;
        }
        answers.push_back(HandleLine());
        m_line.clear();
    }
    return answers;
}

void
LprReceiver::TakeFile(Ptr<const Packet> packet, uint64_t at, uint64_t size)
{
    m_fileOctets -= size;
    if (!m_listener || !m_isData)
    {
        return;
    }
    const uint64_t ofFile = m_fileOctets > 0 ? size : size - 1; // without the octet behind it
    m_listener(packet->CreateFragment(at, ofFile));
    if (m_fileOctets == 0)
    {
        m_listener(nullptr);
    }
}

LprReceiver::Answered
LprReceiver::HandleLine()
{
    constexpr char receiveJob = 2;
    constexpr char abortJob = 1;
    constexpr char controlFile = 2;
    constexpr char dataFile = 3;
    const char command = m_line.empty() ? '\0' : m_line[0];
    if (!m_jobOpen)
    {
        m_jobOpen = command == receiveJob && m_line.size() > 1;
        return m_jobOpen ? Answered::JOB_COMMAND : Answered::ERROR;
    }
    if (command == abortJob)
    {
        m_jobOpen = false;
        return Answered::SUBCOMMAND;
    }
    uint64_t size = 0;
    const char* end = m_line.data() + m_line.size();
    const auto [rest, error] = std::from_chars(m_line.data() + 1, end, size);
    const bool announced = (command == controlFile || command == dataFile) &&
                           error == std::errc() && rest != end && *rest == ' ' && size > 0;
    if (!announced)
    {
        return Answered::ERROR;
    }
    m_fileOctets = size + 1; // a zero octet follows each file
    m_isData = command == dataFile;
    return Answered::SUBCOMMAND;
}

uint8_t
LprReceiver::GetReply(Answered answered)
{
    return answered == Answered::ERROR ? 1 : 0;
}

void
LprReceiver::Skip(uint64_t octets)
{
    m_fileOctets -= octets;
}

} // namespace ns3::study
