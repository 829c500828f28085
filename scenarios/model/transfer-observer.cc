/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transfer-observer.h"

namespace ns3
{

TransferObserver::TransferObserver(Ptr<HostTcpSocket> socket,
                                   Ptr<NetDevice> interface,
                                   const RunFiles& files)
    : m_socket(socket),
      m_interface(interface),
      m_files(files)
{
    Count();
    OpenFiles();
}

void
TransferObserver::AddCounts(JsonObject& record, const std::string& peer) const
{
    record.Add("segments", m_segments);
    record.Add("retransmissions", m_retransmissions);
    record.Add(peer + "_segments", m_peerSegments);
    record.Add("window_probes", uint64_t{m_socket->GetWindowProbes()});
}

void
TransferObserver::Publish()
{
    if (m_pcap)
    {
        m_pcap->Publish();
    }
    if (!m_files.segments.empty())
    {
        WholeFile table(m_files.segments);
        m_log.Write(table.GetStream());
        table.Publish();
    }
}

void
TransferObserver::Count()
{
    m_socket->TraceConnectWithoutContext(
        "Tx",
        Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
            [this](Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>) {
                m_segments += packet->GetSize() > 0;
            }));
    m_socket->TraceConnectWithoutContext(
        "Retransmission",
        Callback<void,
                 Ptr<const Packet>,
                 const TcpHeader&,
                 const Address&,
                 const Address&,
                 Ptr<const TcpSocketBase>>([this](auto...) { ++m_retransmissions; }));
    m_socket->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
            [this](auto...) { ++m_peerSegments; }));
    const auto frames = [this](int change) {
        return Callback<void, Ptr<const Packet>>([this, change](Ptr<const Packet>) {
            m_socket->GetLimitClock().InterfaceFrames(0, change);
        });
    };
    m_interface->TraceConnectWithoutContext("MacTx", frames(1));
    m_interface->TraceConnectWithoutContext("MacTxDrop", frames(-1));
    m_interface->TraceConnectWithoutContext("PhyTxEnd", frames(-1));
    m_interface->TraceConnectWithoutContext("PhyTxDrop", frames(-1));
}

void
TransferObserver::OpenFiles()
{
    const bool segments = !m_files.segments.empty();
    if (!m_files.pcap.empty())
    {
        m_pcap = std::make_unique<CaptureFile>(m_files.pcap, CaptureFile::ETHERNET);
    }
    if (!m_pcap && !segments)
    {
        return;
    }
    m_tap = Create<InterfaceTap>(
        m_interface,
        [this, segments](InterfaceTap::Direction direction, Ptr<const Packet> frame) {
            if (m_pcap)
            {
                m_pcap->Write(frame);
            }
            if (segments)
            {
                m_log.Add(direction, frame);
            }
        });
    if (segments)
    {
        m_socket->TraceConnectWithoutContext("Limit",
                                             MakeCallback(&SegmentLog::HostStopped, &m_log));
    }
}

} // namespace ns3
