/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "socket-writer.h"

#include "ns3/packet.h"

#include <algorithm>

namespace ns3::study
{

SocketWriter::SocketWriter(Ptr<Socket> socket)
    : m_socket(socket)
{
}

void
SocketWriter::Write(uint64_t size)
{
    m_waiting += size;
    WriteWhatFits();
}

void
SocketWriter::WriteWhatFits()
{
    const auto size =
        static_cast<uint32_t>(std::min<uint64_t>(m_waiting, m_socket->GetTxAvailable()));
    if (size > 0)
    {
        m_waiting -= size;
        m_socket->Send(Create<Packet>(size));
    }
}

} // namespace ns3::study
