/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "socket-writer.h"

#include "ns3/enum.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::study
{

Ptr<const AttributeChecker>
MakeWriteReturnsChecker(const std::vector<WriteReturns>& allowed)
{
    static const std::map<WriteReturns, std::string> names{
        {WriteReturns::SOME_FITS, "some-fits"},
        {WriteReturns::ALL_FITS, "all-fits"},
        {WriteReturns::ACKNOWLEDGED, "acknowledged"},
    };
    const auto checker = Create<EnumChecker<WriteReturns>>();
    for (const WriteReturns each : allowed)
    {
        checker->Add(each, names.at(each));
    }
    return checker;
}

SocketWriter::SocketWriter(Ptr<Socket> socket, WriteReturns returns, Source source)
    : m_socket(socket),
      m_own(DynamicCast<ConnectionSocket>(socket)),
      m_returns(returns),
      m_source(std::move(source))
{
}

void
SocketWriter::Write(uint64_t size, std::function<void()> returned)
{
    m_waiting += size;
    if (returned)
    {
        m_returned = std::move(returned);
    }
    WriteWhatFits();
}

uint64_t
SocketWriter::WriteSome(uint64_t size)
{
    // Until none is taken: a socket may have more room once this has left.
    while (const auto fits =
               static_cast<uint32_t>(std::min<uint64_t>(size, m_socket->GetTxAvailable())))
    {
        size -= fits;
        m_written += fits;
        const Ptr<Packet> octets = m_source ? m_source(fits) : nullptr;
        if (m_own)
        {
            m_own->Write(fits, octets);
        }
        else
        {
            m_socket->Send(octets ? octets : Create<Packet>(fits));
        }
    }
    return size;
}

void
SocketWriter::WriteWhatFits()
{
    m_waiting = WriteSome(m_waiting);
    ReturnIfDone();
}

void
SocketWriter::Acknowledged(uint64_t octets)
{
    m_acknowledged = octets;
    ReturnIfDone();
}

bool
SocketWriter::WaitsForAck() const
{
    return m_returned && m_waiting == 0;
}

void
SocketWriter::ReturnIfDone()
{
    const bool fits = m_returns == WriteReturns::SOME_FITS || m_waiting == 0;
    const bool acknowledged =
        m_returns != WriteReturns::ACKNOWLEDGED || m_acknowledged >= m_written;
    if (m_returned && fits && acknowledged)
    {
        std::exchange(m_returned, nullptr)();
    }
}

void
SocketWriter::Describe(StateRecord& state) const
{
    state.Add(static_cast<int64_t>(m_waiting));
    state.Add(m_returned != nullptr);
    if (m_returned)
    {
        state.Add(static_cast<int64_t>(m_written - m_acknowledged));
    }
}

} // namespace ns3::study
