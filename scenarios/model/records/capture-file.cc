/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "capture-file.h"

#include "ns3/simulator.h"

namespace ns3
{

CaptureFile::CaptureFile(const std::string& name, uint32_t linkType)
    : m_file(name),
      // As an object, or its attributes (resolution, capture size) would have no values.
      m_writer(CreateObject<PcapFileWrapper>())
{
    m_writer->Open(m_file.GetPartName(), std::ios::out | std::ios::binary);
    m_writer->Init(linkType);
}

void
CaptureFile::Write(Ptr<const Packet> frame)
{
    m_writer->Write(Simulator::Now(), frame);
}

void
CaptureFile::Publish()
{
    const bool complete = !m_writer->Fail();
    m_writer->Close();
    m_file.Publish(complete);
}

} // namespace ns3
