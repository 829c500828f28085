/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "netware-server.h"

#include "file-octets.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("NetwareServer");

NS_OBJECT_ENSURE_REGISTERED(NetwareServer);

TypeId
NetwareServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::NetwareServer")
            .SetParent<Application>()
            .SetGroupName("Study")
            .AddConstructor<NetwareServer>()
            .AddAttribute("ServerTime",
                          "Time from the arrival of a request, or of a list of missing fragments, "
                          "at the server to the first packet of its answer [s]",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&NetwareServer::m_serverTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddTraceSource("Tx",
                            "The server sends a packet; true if it sent the same before",
                            MakeTraceSourceAccessor(&NetwareServer::m_txTrace),
                            "ns3::study::NetwareServer::TxTracedCallback")
            .AddTraceSource("Limit",
                            "What the server waits for from now on",
                            MakeTraceSourceAccessor(&NetwareServer::m_limitTrace),
                            "ns3::study::NetwareServer::LimitTracedCallback");
    return tid;
}

void
NetwareServer::SetFile(uint64_t size, uint32_t fragmentSize)
{
    m_fileSize = size;
    m_fragmentSize = fragmentSize;
}

Time
NetwareServer::GetServerTime() const
{
    return m_serverTime;
}

uint64_t
NetwareServer::GetArrived() const
{
    return m_arrived;
}

void
NetwareServer::Skip(uint64_t octets)
{
    m_fileSize -= octets;
}

void
NetwareServer::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_ipx = nullptr;
    Application::DoDispose();
}

void
NetwareServer::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_ipx = GetNode()->GetObject<IpxProtocol>();
    m_ipx->Open(ncp::SOCKET,
                [this](Ptr<Packet> packet, const IpxHeader& ipx) { Received(packet, ipx); });
}

void
NetwareServer::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_workEvent.Cancel();
    m_gapEvent.Cancel();
    if (m_ipx)
    {
        m_ipx->Close(ncp::SOCKET);
    }
}

void
NetwareServer::Received(Ptr<Packet> packet, const IpxHeader& ipx)
{
    NS_LOG_FUNCTION(this << packet);
    ++m_arrived;
    const uint16_t type = ncp::GetPacketType(packet);
    if (type == ncp::REQUEST)
    {
        NcpReadRequestHeader request;
        if (packet->RemoveHeader(request) > 0)
        {
            Work(request.sequence, [this, request, from = ipx.source]() { Reply(request, from); });
        }
    }
    else if (type == ncp::BURST)
    {
        BurstHeader header;
        if (packet->RemoveHeader(header) == 0)
        {
            NS_LOG_LOGIC("too short for a burst header");
            return;
        }
        const bool known = m_burst && m_burst->sequence == header.burstSequence;
        if (header.flags & BurstHeader::SYSTEM)
        {
            if (known)
            {
                Work(header.burstSequence, [this, header]() { SendMissing(header); });
            }
        }
        else if (!known || m_burst->waiting.empty())
        {
            BurstReadHeader read;
            if (packet->RemoveHeader(read) > 0)
            {
                Work(header.burstSequence,
                     [this, header, read, from = ipx.source]() { BeginBurst(header, read, from); });
            }
        }
    }
}

void
NetwareServer::Work(uint16_t sequence, std::function<void()> answer)
{
    NS_LOG_FUNCTION(this << sequence);
    if (m_workEvent.IsPending() && m_workSequence == sequence)
    {
        NS_LOG_LOGIC("a repeated request while at work");
        return;
    }
    m_workEvent.Cancel(); // whoever asks for the next has all of this
    m_workSequence = sequence;
    m_limitTrace(Limit::CPU);
    m_workEvent = Simulator::Schedule(m_serverTime, [answer]() { answer(); });
}

void
NetwareServer::Reply(const NcpReadRequestHeader& request, const IpxAddress& workstation)
{
    NS_LOG_FUNCTION(this << request);
    NcpReadReplyHeader reply;
    reply.sequence = request.sequence;
    reply.size = Available(request.offset, request.size);
    // Octets from an odd place are sent with one octet before them.
    Ptr<Packet> packet = Create<Packet>(request.offset % 2);
    packet->AddAtEnd(MakeFileOctets(request.offset, reply.size));
    packet->AddHeader(reply);
    const bool again = m_lastSequence == request.sequence;
    m_lastSequence = request.sequence;
    m_txTrace(packet, again);
    m_ipx->Send(packet, ncp::SOCKET, workstation);
    m_limitTrace(Limit::REQUEST);
}

void
NetwareServer::BeginBurst(const BurstHeader& header,
                          const BurstReadHeader& read,
                          const IpxAddress& workstation)
{
    NS_LOG_FUNCTION(this << header << read);
    m_gapEvent.Cancel(); // whoever asks for a new burst has all of the old one
    const uint32_t size = Available(read.offset, read.size);
    const BurstAssembly none(ncp::BURST_RESULT_SIZE + size, m_fragmentSize);
    const bool again = m_burst && m_burst->sequence == header.burstSequence;
    m_burst = Burst{header.burstSequence,
                    workstation,
                    NanoSeconds(ncp::BURST_DELAY_UNIT) * header.delayTime,
                    read.offset,
                    size,
                    again ? m_burst->sent : none,
                    {}};
    for (const uint32_t offset : none.GetFragments(none.GetMissing()))
    {
        m_burst->waiting.insert(offset);
    }
    SendFragments();
}

void
NetwareServer::SendMissing(const BurstHeader& header)
{
    NS_LOG_FUNCTION(this << header);
    for (const uint32_t offset : m_burst->sent.GetFragments(header.missing))
    {
        m_burst->waiting.insert(offset);
    }
    if (m_gapEvent.IsPending())
    {
        m_limitTrace(Limit::BURST_GAP);
        return;
    }
    SendFragments();
}

void
NetwareServer::SendFragments()
{
    std::set<uint32_t>& waiting = m_burst->waiting;
    while (!waiting.empty())
    {
        const uint32_t offset = *waiting.begin();
        waiting.erase(waiting.begin());
        SendFragment(offset, waiting.empty());
        if (!waiting.empty() && m_burst->gap.IsStrictlyPositive())
        {
            m_limitTrace(Limit::BURST_GAP);
            m_gapEvent = Simulator::Schedule(m_burst->gap, &NetwareServer::SendFragments, this);
            return;
        }
    }
    m_limitTrace(Limit::REQUEST);
}

void
NetwareServer::SendFragment(uint32_t offset, bool last)
{
    NS_LOG_FUNCTION(this << offset << last);
    BurstHeader header;
    header.flags = last ? BurstHeader::END_OF_BURST : 0;
    header.packetSequence = m_packetSequence++;
    header.burstSequence = m_burst->sequence;
    header.ackSequence = m_burst->sequence + 1;
    header.burstLength = ncp::BURST_RESULT_SIZE + m_burst->size;
    header.fragmentOffset = offset;
    header.fragmentLength = m_burst->sent.GetFragmentSize(offset);

    // The first fragment begins with the result.
    const uint32_t begin = std::max(offset, ncp::BURST_RESULT_SIZE);
    Ptr<Packet> packet = MakeFileOctets(m_burst->fileOffset + begin - ncp::BURST_RESULT_SIZE,
                                        offset + header.fragmentLength - begin);
    if (offset == 0)
    {
        BurstReadResultHeader result;
        result.size = m_burst->size;
        packet->AddHeader(result);
    }
    packet->AddHeader(header);
    m_txTrace(packet, !m_burst->sent.Add(offset));
    m_ipx->Send(packet, ncp::SOCKET, m_burst->workstation);
}

uint32_t
NetwareServer::Available(uint64_t offset, uint32_t size) const
{
    return std::min<uint64_t>(size, m_fileSize - std::min(offset, m_fileSize));
}

} // namespace ns3::study
