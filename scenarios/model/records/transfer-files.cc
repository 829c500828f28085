/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transfer-files.h"

#include "model/program/parameter.h"
#include "model/program/whole-file.h"

namespace ns3
{

TransferFiles::TransferFiles(const RunFiles& files,
                             Ptr<NetDevice> interface,
                             Ptr<NetDevice> line,
                             Table table)
    : m_files(files),
      m_table(std::move(table))
{
    if (!m_files.wanPcap.empty() && !line)
    {
        throw ParameterError("wan-pcap",
                             "wan-pcap: this run has no frame-relay line to capture; give --pcap "
                             "instead, or a run over frame relay");
    }
    const bool segments = !m_files.segments.empty();
    if (!m_files.pcap.empty())
    {
        m_pcap = std::make_unique<CaptureFile>(m_files.pcap, CaptureFile::ETHERNET);
    }
    if (!m_files.wanPcap.empty())
    {
        m_wanPcap = std::make_unique<CaptureFile>(m_files.wanPcap, CaptureFile::FRAME_RELAY);
        line->TraceConnectWithoutContext("PromiscSniffer",
                                         MakeCallback(&CaptureFile::Write, m_wanPcap.get()));
    }
    if (!m_pcap && !segments)
    {
        return;
    }
    Create<InterfaceTap>(
        interface,
        [this, segments](InterfaceTap::Direction direction, Ptr<const Packet> frame) {
            if (m_pcap)
            {
                m_pcap->Write(frame);
            }
            if (segments)
            {
                m_table.add(direction, frame);
            }
        });
}

void
TransferFiles::Publish()
{
    for (const auto& capture : {m_pcap.get(), m_wanPcap.get()})
    {
        if (capture)
        {
            capture->Publish();
        }
    }
    if (!m_files.segments.empty())
    {
        WholeFile table(m_files.segments);
        m_table.write(table.GetStream());
        table.Publish();
    }
}

} // namespace ns3
