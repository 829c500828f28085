/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-log.h"

#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/ipv4-header.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/tcp-option-winscale.h"

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

/// Take the header and the trailer off. @return whether a packet of IPv4 is left
bool
IsIpv4InEthernet(Ptr<Packet> frame)
{
    constexpr uint16_t etherTypeIpv4 = 0x0800;
    EthernetTrailer trailer;
    frame->RemoveTrailer(trailer);
    EthernetHeader ethernet(false);
    frame->RemoveHeader(ethernet);
    return ethernet.GetLengthType() == etherTypeIpv4;
}

/// Take the header off. @return whether a packet of IPv4 is left
bool
IsIpv4InPpp(Ptr<Packet> frame)
{
    constexpr uint16_t protocolIpv4 = 0x0021; // RFC 1332, 2
    PppHeader ppp;
    frame->RemoveHeader(ppp);
    return ppp.GetProtocol() == protocolIpv4;
}

/// @return how far a SYN says that its sender's windows are shifted, if it offers scaling
std::optional<uint8_t>
OfferedShift(const TcpHeader& syn)
{
    const auto option = DynamicCast<const TcpOptionWinScale>(syn.GetOption(TcpOption::WINSCALE));
    return option ? std::optional<uint8_t>(option->GetScale()) : std::nullopt;
}

} // namespace

std::optional<TcpFrame>
DecodeTcpFrame(Ptr<const Packet> frame, Framing framing)
{
    constexpr uint8_t protocolTcp = 6;
    Ptr<Packet> packet = frame->Copy();
    Ipv4Header ip;
    if (!(framing == Framing::PPP ? IsIpv4InPpp(packet) : IsIpv4InEthernet(packet)) ||
        packet->RemoveHeader(ip) == 0 || ip.GetProtocol() != protocolTcp)
    {
        return std::nullopt;
    }
    TcpFrame decoded;
    packet->RemoveHeader(decoded.header);
    // By IP's own count: a short frame is padded by the Ethernet.
    decoded.size = ip.GetPayloadSize() - decoded.header.GetSerializedSize();
    decoded.identification = ip.GetIdentification();
    return decoded;
}

SegmentLog::SegmentLog(const std::string& host, const std::string& device, Framing framing)
    : m_host{host, {}, {}},
      m_device{device, {}, {}},
      m_framing(framing)
{
}

void
SegmentLog::Add(FrameDirection direction, Ptr<const Packet> frame)
{
    const std::optional<TcpFrame> decoded = DecodeTcpFrame(frame, m_framing);
    if (!decoded)
    {
        return;
    }
    const TcpHeader& tcp = decoded->header;
    const bool fromHost = direction == FrameDirection::SENT;
    End& own = fromHost ? m_host : m_device;
    const End& peer = fromHost ? m_device : m_host;
    const uint32_t seq = tcp.GetSequenceNumber().GetValue();
    own.isn = own.isn.value_or(seq);
    SegmentRow row{Simulator::Now(),
                   own.name,
                   seq - *own.isn,
                   decoded->size,
                   std::nullopt,
                   tcp.GetWindowSize(),
                   FlagLetters(tcp.GetFlags()),
                   std::nullopt};
    if (tcp.GetFlags() & TcpHeader::SYN)
    {
        own.shift = OfferedShift(tcp);
    }
    else if (own.shift && peer.shift)
    {
        row.window <<= *own.shift;
    }
    if (tcp.GetFlags() & TcpHeader::ACK)
    {
        row.ack = tcp.GetAckNumber().GetValue() - peer.isn.value_or(0);
    }
    if (fromHost && row.length > 0)
    {
        m_pending = m_table.rows.size();
    }
    m_table.Add(row, fromHost, decoded->identification);
}

void
SegmentLog::WatchFarEnd(Ptr<Link> link)
{
    m_table.hasFarTimes = link->WatchFarEnd([this](Link::FarEvent event, uint16_t identification) {
        m_table.Note(event, identification);
    });
}

void
SegmentLog::HostStopped(Limit limit)
{
    if (m_pending && limit != Limit::CPU)
    {
        m_table.rows[*m_pending].stoppedBy = limit;
        m_pending.reset();
    }
}

void
SegmentLog::Write(std::ostream& out) const
{
    m_table.Write(out);
}

} // namespace ns3::study
