/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ncp-segment-log.h"

#include "ns3/ethernet-header.h"
#include "ns3/ethernet-trailer.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

namespace
{

/// @return octets of the file before a place in a burst
uint32_t
InFile(uint32_t inBurst)
{
    return std::max(inBurst, ncp::BURST_RESULT_SIZE) - ncp::BURST_RESULT_SIZE;
}

} // namespace

void
NcpSegmentLog::Add(Ptr<const Packet> frame)
{
    Ptr<Packet> packet = frame->Copy();
    EthernetTrailer trailer;
    packet->RemoveTrailer(trailer);
    EthernetHeader ethernet(false);
    packet->RemoveHeader(ethernet);
    if (ethernet.GetLengthType() != IpxHeader::ETHER_TYPE)
    {
        return;
    }
    IpxHeader ipx;
    packet->RemoveHeader(ipx);
    switch (ncp::GetPacketType(packet))
    {
    case ncp::REQUEST: {
        NcpReadRequestHeader request;
        if (packet->RemoveHeader(request) > 0)
        {
            m_requests[request.sequence] = {request.offset, false};
            AddRequest(packet->GetUid(), request.offset + 1, request.size);
        }
        break;
    }
    case ncp::REPLY: {
        NcpReadReplyHeader reply;
        if (packet->RemoveHeader(reply) > 0)
        {
            AddData(packet->GetUid(),
                    m_requests[reply.sequence].offset,
                    reply.size,
                    Limit::REQUEST);
        }
        break;
    }
    case ncp::BURST:
        AddBurst(packet);
        break;
    }
}

void
NcpSegmentLog::AddBurst(Ptr<Packet> packet)
{
    BurstHeader header;
    if (packet->RemoveHeader(header) == 0)
    {
        return;
    }
    Request& request = m_requests[header.burstSequence];
    if (header.flags & BurstHeader::SYSTEM)
    {
        uint32_t missing = 0;
        for (const auto& range : header.missing)
        {
            missing += InFile(range.offset + range.size) - InFile(range.offset);
        }
        const uint32_t first = header.missing.empty() ? 0 : header.missing.front().offset;
        AddRequest(packet->GetUid(), request.offset + InFile(first) + 1, missing);
    }
    else if (header.ackSequence == header.burstSequence)
    {
        BurstReadHeader read;
        packet->RemoveHeader(read); // what is too short for one reads nothing
        request = {read.offset, header.delayTime > 0};
        AddRequest(packet->GetUid(), read.offset + 1, read.size);
    }
    else
    {
        const uint32_t begin = InFile(header.fragmentOffset);
        const uint32_t end = InFile(header.fragmentOffset + header.fragmentLength);
        std::optional<Limit> stoppedBy;
        if (header.flags & BurstHeader::END_OF_BURST)
        {
            stoppedBy = Limit::REQUEST;
        }
        else if (request.gap)
        {
            stoppedBy = Limit::BURST_GAP;
        }
        AddData(packet->GetUid(), request.offset + begin, end - begin, stoppedBy);
    }
}

void
NcpSegmentLog::AddRequest(uint64_t uid, uint32_t ack, uint32_t window)
{
    m_table.Add({Simulator::Now(), "workstation", 1, 0, ack, window, ".", std::nullopt}, true, uid);
}

void
NcpSegmentLog::AddData(uint64_t uid, uint32_t offset, uint32_t size, std::optional<Limit> stoppedBy)
{
    m_table.Add({Simulator::Now(), "server", offset + 1, size, std::nullopt, 0, ".", stoppedBy},
                false,
                uid);
}

void
NcpSegmentLog::WatchServer(Ptr<FrameRelayWan> wan)
{
    m_table.hasFarTimes = true;
    wan->WatchFarPackets(wan->GetBranch(),
                         wan->GetHeadquarters(),
                         [this](Link::FarEvent event, Ptr<const Packet> packet) {
                             m_table.Note(event, packet->GetUid());
                         });
}

void
NcpSegmentLog::Write(std::ostream& out) const
{
    m_table.Write(out);
}

} // namespace ns3::study
