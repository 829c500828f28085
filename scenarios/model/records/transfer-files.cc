/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transfer-files.h"

#include "model/program/parameter.h"

#include "ns3/simulator.h"

namespace ns3::study
{

TransferFiles::Capture::Capture(const std::string& name, Framing framing)
    : file(name),
      // As an object, or its attributes (resolution, capture size) would have no values.
      writer(CreateObject<PcapFileWrapper>())
{
    writer->Open(file.GetPartName(), std::ios::out | std::ios::binary);
    writer->Init(static_cast<uint32_t>(framing));
}

void
TransferFiles::Capture::Write(Ptr<const Packet> frame)
{
    writer->Write(Simulator::Now(), frame);
}

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
                             "this run has no frame-relay line to capture; give --pcap "
                             "instead, or a run over frame relay");
    }
    const bool segments = !m_files.segments.empty();
    const bool waits = !m_files.waits.empty();
    if (!m_files.pcap.empty())
    {
        m_pcap.emplace(m_files.pcap, GetFraming(interface));
    }
    if (!m_files.wanPcap.empty())
    {
        m_wanPcap.emplace(m_files.wanPcap, Framing::FRAME_RELAY);
        line->TraceConnectWithoutContext("PromiscSniffer",
                                         MakeCallback(&Capture::Write, &*m_wanPcap));
    }
    if (!m_pcap && !segments && !waits)
    {
        return;
    }
    TapInterface(interface, [this, segments](FrameDirection direction, Ptr<const Packet> frame) {
        m_first = m_first.value_or(Simulator::Now());
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

WaitLog*
TransferFiles::WatchWaits(ShareClock& clock, const std::vector<std::string>& ends)
{
    if (m_files.waits.empty())
    {
        return nullptr;
    }
    clock.Keep(m_waits.emplace(ends));
    return &*m_waits;
}

void
TransferFiles::Publish()
{
    for (auto* capture : {&m_pcap, &m_wanPcap})
    {
        if (*capture)
        {
            const bool complete = !(*capture)->writer->Fail();
            (*capture)->writer->Close();
            (*capture)->file.Publish(complete);
        }
    }
    if (!m_files.segments.empty())
    {
        WholeFile table(m_files.segments);
        m_table.write(table.GetStream());
        table.Publish();
    }
    if (m_waits)
    {
        WholeFile waits(m_files.waits);
        m_waits->Write(waits.GetStream(), m_first.value_or(Time()));
        waits.Publish();
    }
}

} // namespace ns3::study
