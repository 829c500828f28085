/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-log.h"

#include "tcp-frame.h"

#include "ns3/simulator.h"

namespace ns3::study
{

namespace
{

/// @return tcpdump's letters for them, "." when there is none to show
std::string
FlagLetters(uint8_t flags)
{
    std::string letters;
    letters += (flags & TcpHeader::SYN) ? "S" : "";
    letters += (flags & TcpHeader::FIN) ? "F" : "";
    letters += (flags & TcpHeader::RST) ? "R" : "";
    letters += (flags & TcpHeader::PSH) ? "P" : "";
    return letters.empty() ? "." : letters;
}

} // namespace

SegmentLog::SegmentLog(const std::string& host, const std::string& device)
    : m_hostName(host),
      m_deviceName(device)
{
}

void
SegmentLog::Add(InterfaceTap::Direction direction, Ptr<const Packet> frame)
{
    const std::optional<TcpFrame> decoded = DecodeTcpFrame(frame);
    if (!decoded)
    {
        return;
    }
    const TcpHeader& tcp = decoded->header;
    const bool fromHost = direction == InterfaceTap::Direction::SENT;
    std::optional<uint32_t>& ownIsn = fromHost ? m_hostIsn : m_deviceIsn;
    const std::optional<uint32_t>& peerIsn = fromHost ? m_deviceIsn : m_hostIsn;
    const uint32_t seq = tcp.GetSequenceNumber().GetValue();
    if (!ownIsn)
    {
        ownIsn = seq;
    }
    SegmentRow row{Simulator::Now(),
                   fromHost ? m_hostName : m_deviceName,
                   seq - *ownIsn,
                   decoded->size,
                   std::nullopt,
                   tcp.GetWindowSize(),
                   FlagLetters(tcp.GetFlags()),
                   std::nullopt};
    if (tcp.GetFlags() & TcpHeader::ACK)
    {
        row.ack = tcp.GetAckNumber().GetValue() - peerIsn.value_or(0);
    }
    if (fromHost && row.length > 0)
    {
        m_pending = m_table.size();
    }
    m_table.push_back(row);
}

void
SegmentLog::HostStopped(Limit limit)
{
    if (m_pending && limit != Limit::CPU)
    {
        m_table[*m_pending].stoppedBy = limit;
        m_pending.reset();
    }
}

void
SegmentLog::Write(std::ostream& out) const
{
    WriteSegments(m_table, out);
}

} // namespace ns3::study
