/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CAPTURE_FILE_H
#define CAPTURE_FILE_H

#include "model/program/whole-file.h"

#include "ns3/packet.h"
#include "ns3/pcap-file-wrapper.h"

namespace ns3
{

/**
 * @brief A capture for Wireshark and tcpdump, which appears whole or not at all.
 */
class CaptureFile
{
  public:
    static constexpr uint32_t ETHERNET = 1;      //!< link type of frames with an Ethernet header
    static constexpr uint32_t FRAME_RELAY = 107; //!< that of frames with a Q.922 address field

    /**
     * @param name of the file
     * @param linkType what the frames are
     * @throw std::runtime_error if it cannot be written
     */
    CaptureFile(const std::string& name, uint32_t linkType);

    /// Add a frame, stamped now.
    void Write(Ptr<const Packet> frame);
    /// Let the file appear under its name.
    void Publish();

  private:
    WholeFile m_file;              //!< appears when published
    Ptr<PcapFileWrapper> m_writer; //!< knows the format
};

} // namespace ns3

#endif /* CAPTURE_FILE_H */
