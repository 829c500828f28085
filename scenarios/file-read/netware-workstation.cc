/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "netware-workstation.h"

#include "file-octets.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("NetwareWorkstation");

NS_OBJECT_ENSURE_REGISTERED(NetwareWorkstation);

TypeId
NetwareWorkstation::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::NetwareWorkstation")
            .SetParent<Application>()
            .SetGroupName("Study")
            .AddConstructor<NetwareWorkstation>()
            .AddAttribute(
                "Protocol",
                "How the file is read: NCP request and reply, or packet burst",
                EnumValue(REQUEST_REPLY),
                MakeEnumAccessor<Protocol>(&NetwareWorkstation::m_protocol),
                MakeEnumChecker(REQUEST_REPLY, "request-reply", PACKET_BURST, "packet-burst"))
            .AddAttribute("ReadSize",
                          "Request/reply: octets of the file in a request; packet burst does not "
                          "use it [B]",
                          UintegerValue(1436),
                          MakeUintegerAccessor(&NetwareWorkstation::m_readSize),
                          // 1500 less IPX and NCP, and an octet before those from an odd place
                          MakeUintegerChecker<uint16_t>(1, 1459))
            .AddAttribute("BurstSize",
                          "Packet burst: fragments a request asks for; request/reply does not use "
                          "it [1]",
                          UintegerValue(16),
                          MakeUintegerAccessor(&NetwareWorkstation::m_burstSize),
                          MakeUintegerChecker<uint32_t>(1, 256))
            .AddAttribute("FragmentSize",
                          "Packet burst: octets of the burst in one packet, 8 of the first being "
                          "the result; request/reply does not use it [B]",
                          UintegerValue(1400),
                          MakeUintegerAccessor(&NetwareWorkstation::m_fragmentSize),
                          // more than the result; 1500 less IPX and burst header
                          MakeUintegerChecker<uint16_t>(9, 1434))
            .AddAttribute("BurstGap",
                          "Packet burst: time from one packet of the server to its next that the "
                          "workstation asks for, which the header counts in whole 100 us (rounded "
                          "up); request/reply does not use it [s]",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&NetwareWorkstation::m_burstGap),
                          MakeTimeChecker(Time(0), Hours(1)))
            .AddAttribute("TurnaroundTime",
                          "Time from the last packet of an answer at the workstation to its next "
                          "request [s]",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&NetwareWorkstation::m_turnaroundTime),
                          MakeTimeChecker(NanoSeconds(1), Hours(1)))
            .AddAttribute("ReplyTimeout",
                          "How long the workstation waits for a packet before it asks again, but "
                          "at least two round trips of the idle path; doubles each time; "
                          "BurstGap comes on top [s]",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&NetwareWorkstation::m_replyTimeout),
                          MakeTimeChecker(MicroSeconds(1), Hours(1)))
            .AddAttribute("MaximumReplyTimeout",
                          "What ReplyTimeout doubles up to, unless it is longer itself [s]",
                          TimeValue(Seconds(8)),
                          MakeTimeAccessor(&NetwareWorkstation::m_maximumReplyTimeout),
                          MakeTimeChecker(MicroSeconds(1), Hours(1)))
            .AddAttribute("MaximumRetries",
                          "How often the workstation asks again before it gives up [1]",
                          UintegerValue(20),
                          MakeUintegerAccessor(&NetwareWorkstation::m_maximumRetries),
                          MakeUintegerChecker<uint32_t>(0, 255))
            .AddTraceSource("Tx",
                            "The workstation sends something",
                            MakeTraceSourceAccessor(&NetwareWorkstation::m_txTrace),
                            "ns3::study::NetwareWorkstation::TxTracedCallback")
            .AddTraceSource("Rx",
                            "New octets of the file have come",
                            MakeTraceSourceAccessor(&NetwareWorkstation::m_rxTrace),
                            "ns3::study::NetwareWorkstation::RxTracedCallback")
            .AddTraceSource("Repair",
                            "From now on the workstation waits for what it listed as missing, or "
                            "no longer does",
                            MakeTraceSourceAccessor(&NetwareWorkstation::m_repairTrace),
                            "ns3::study::NetwareWorkstation::RepairTracedCallback")
            .AddTraceSource("Timeout",
                            "No answer came in time",
                            MakeTraceSourceAccessor(&NetwareWorkstation::m_timeoutTrace),
                            "ns3::study::NetwareWorkstation::TimeoutTracedCallback")
            .AddTraceSource("Needless",
                            "A packet of the server holds nothing that had not come before",
                            MakeTraceSourceAccessor(&NetwareWorkstation::m_needlessTrace),
                            "ns3::study::NetwareWorkstation::NeedlessTracedCallback");
    return tid;
}

void
NetwareWorkstation::SetFile(const IpxAddress& server, uint64_t size)
{
    m_server = server;
    m_server.socket = ncp::SOCKET;
    m_fileSize = size;
}

uint32_t
NetwareWorkstation::GetRequestSize() const
{
    return m_protocol == PACKET_BURST ? BurstHeader::SIZE + BurstReadHeader::SIZE
                                      : NcpReadRequestHeader::SIZE;
}

uint32_t
NetwareWorkstation::GetAnswerSize() const
{
    return m_protocol == PACKET_BURST ? BurstHeader::SIZE + m_fragmentSize
                                      : NcpReadReplyHeader::SIZE + m_readSize;
}

std::string
NetwareWorkstation::DescribeWait() const
{
    const bool some = m_burst && !m_burst->IsEmpty();
    return "the workstation waits for " + std::string(some ? "the rest of " : "") +
           std::to_string(m_size) + " octets at " + std::to_string(m_offset) +
           (m_maximumRetries == 0
                ? ", and MaximumRetries = 0 lets it ask only once"
                : " and has asked again " + std::to_string(m_retries) + " times without a reply");
}

void
NetwareWorkstation::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_end = nullptr;
    m_ipx = nullptr;
    Application::DoDispose();
}

void
NetwareWorkstation::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_ipx = GetNode()->GetObject<IpxProtocol>();
    m_ipx->Open(SOCKET, [this](Ptr<Packet> packet, const IpxHeader&) { Received(packet); });
    RequestNext();
}

void
NetwareWorkstation::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    if (m_ipx)
    {
        m_ipx->Close(SOCKET);
    }
}

void
NetwareWorkstation::RequestNext()
{
    const uint64_t size = m_protocol == PACKET_BURST
                              ? m_burstSize * m_fragmentSize - ncp::BURST_RESULT_SIZE
                              : m_readSize;
    m_offset = m_received;
    m_size = std::min(size, m_fileSize - m_offset);
    if (m_protocol == PACKET_BURST)
    {
        m_burst.emplace(ncp::BURST_RESULT_SIZE + m_size, m_fragmentSize);
    }
    ++m_sequence;
    m_outstanding = true;
    m_retries = 0;
    m_wait = std::max(m_replyTimeout, 2 * m_roundTrip);
    m_txTrace(Message::REQUEST);
    SendRequest();
}

void
NetwareWorkstation::SendRequest()
{
    NS_LOG_FUNCTION(this << m_offset << m_size);
    Ptr<Packet> packet = Create<Packet>();
    if (m_protocol == PACKET_BURST)
    {
        BurstReadHeader read;
        read.offset = m_offset;
        read.size = m_size;
        packet->AddHeader(read);
        BurstHeader header;
        header.flags = BurstHeader::END_OF_BURST;
        header.burstLength = header.fragmentLength = BurstReadHeader::SIZE;
        SendBurstPacket(header, packet);
        return;
    }
    NcpReadRequestHeader request;
    request.sequence = m_sequence;
    request.offset = m_offset;
    request.size = m_size;
    packet->AddHeader(request);
    Send(packet);
}

void
NetwareWorkstation::SendMissingList()
{
    NS_LOG_FUNCTION(this);
    m_txTrace(Message::MISSING_LIST);
    m_repairTrace(true);
    BurstHeader header;
    header.flags = BurstHeader::SYSTEM | BurstHeader::FRAGMENT_LIST;
    header.missing = m_burst->GetMissing();
    SendBurstPacket(header, Create<Packet>());
}

void
NetwareWorkstation::SendBurstPacket(BurstHeader header, Ptr<Packet> packet)
{
    header.packetSequence = m_packetSequence++;
    header.delayTime = GetDelayTime();
    header.burstSequence = m_sequence;
    header.ackSequence = m_sequence;
    packet->AddHeader(header);
    Send(packet);
}

void
NetwareWorkstation::Send(Ptr<Packet> packet)
{
    Wait();
    m_ipx->Send(packet, SOCKET, m_server);
}

void
NetwareWorkstation::Wait()
{
    Time wait = m_wait;
    if (m_protocol == PACKET_BURST)
    {
        // So long the server keeps still because it was asked to.
        wait += NanoSeconds(ncp::BURST_DELAY_UNIT) * GetDelayTime();
    }
    m_event.Cancel();
    m_event = Simulator::Schedule(wait, &NetwareWorkstation::TimedOut, this);
}

uint32_t
NetwareWorkstation::GetDelayTime() const
{
    return (m_burstGap.GetNanoSeconds() + ncp::BURST_DELAY_UNIT - 1) / ncp::BURST_DELAY_UNIT;
}

void
NetwareWorkstation::TimedOut()
{
    NS_LOG_FUNCTION(this << m_retries);
    m_timeoutTrace();
    if (m_retries == m_maximumRetries)
    {
        Finish(End::GAVE_UP);
        return;
    }
    ++m_retries;
    m_wait = std::max(m_wait, std::min(m_wait * 2, m_maximumReplyTimeout));
    if (m_burst && !m_burst->IsEmpty())
    {
        SendMissingList();
        return;
    }
    m_txTrace(Message::REPEATED_REQUEST);
    SendRequest();
}

void
NetwareWorkstation::Received(Ptr<Packet> packet)
{
    const uint16_t type = ncp::GetPacketType(packet);
    NS_LOG_FUNCTION(this << type);
    const bool news = m_outstanding && (m_burst ? type == ncp::BURST && FragmentReceived(packet)
                                                : type == ncp::REPLY && ReplyReceived(packet));
    if (!news)
    {
        m_needlessTrace();
    }
}

bool
NetwareWorkstation::ReplyReceived(Ptr<Packet> packet)
{
    NcpReadReplyHeader reply;
    if (packet->RemoveHeader(reply) == 0 || reply.sequence != (m_sequence & 0xff) ||
        packet->GetSize() != m_offset % 2 + m_size)
    {
        NS_LOG_LOGIC("a late reply, or none");
        return false;
    }
    packet->RemoveAtStart(m_offset % 2);
    Accept(packet, m_offset);
    Answered();
    return true;
}

bool
NetwareWorkstation::FragmentReceived(Ptr<Packet> packet)
{
    BurstHeader header;
    if (packet->RemoveHeader(header) == 0 || header.burstSequence != m_sequence ||
        packet->GetSize() == 0 ||
        packet->GetSize() != m_burst->GetFragmentSize(header.fragmentOffset))
    {
        NS_LOG_LOGIC("a fragment of an earlier burst, or none");
        return false;
    }
    const bool news = m_burst->Add(header.fragmentOffset);
    if (news)
    {
        m_retries = 0;
        m_wait = std::max(m_replyTimeout, 2 * m_roundTrip);
        const bool first = header.fragmentOffset == 0;
        packet->RemoveAtStart(first ? ncp::BURST_RESULT_SIZE : 0);
        Accept(packet, m_offset + (first ? 0 : header.fragmentOffset - ncp::BURST_RESULT_SIZE));
    }
    if (m_burst->IsComplete())
    {
        Answered();
    }
    else if (header.flags & BurstHeader::END_OF_BURST)
    {
        SendMissingList();
    }
    else
    {
        Wait();
    }
    return news;
}

void
NetwareWorkstation::Accept(Ptr<const Packet> octets, uint64_t offset)
{
    NS_ABORT_MSG_UNLESS(AreFileOctets(octets, offset),
                        "other octets than the file's at " << offset);
    m_received += octets->GetSize();
    m_rxTrace(octets->GetSize());
}

void
NetwareWorkstation::Answered()
{
    NS_LOG_FUNCTION(this);
    m_event.Cancel();
    m_outstanding = false;
    m_repairTrace(false);
    NS_ABORT_MSG_UNLESS(m_received == m_offset + m_size, "an answer of another size");
    if (m_received == m_fileSize)
    {
        Finish(End::FINISHED);
        return;
    }
    m_event = Simulator::Schedule(m_turnaroundTime, &NetwareWorkstation::RequestNext, this);
}

void
NetwareWorkstation::Finish(End end)
{
    NS_LOG_FUNCTION(this << static_cast<int>(end));
    m_outstanding = false;
    if (m_end)
    {
        m_end(end);
    }
}

} // namespace ns3::study
