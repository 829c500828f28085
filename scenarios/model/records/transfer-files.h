/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFER_FILES_H
#define TRANSFER_FILES_H

#include "interface-tap.h"
#include "model/clocks/share-clock.h"
#include "model/program/scenario.h"
#include "model/program/whole-file.h"

#include "ns3/net-device.h"
#include "ns3/pcap-file-wrapper.h"

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::study
{

/// The files that a run leaves beside its record: captures and segment table.
/// Has to outlive the simulation's run.
class TransferFiles
{
  public:
    /// The rows of a segment table, whatever the protocol.
    struct Table
    {
        FrameObserver add;                        //!< takes each frame of the interface
        std::function<void(std::ostream&)> write; //!< writes them all
    };

    /**
     * @param files what to write
     * @param interface what capture and segment table are taken at
     * @param line the end of a frame-relay line that its capture is taken at; null without one
     * @param table makes the segment table; not asked for anything unless one is wanted
     * @throw ParameterError if a line's capture is wanted and there is no line
     * @throw std::runtime_error if a file cannot be written
     */
    TransferFiles(const RunFiles& files,
                  Ptr<NetDevice> interface,
                  Ptr<NetDevice> line,
                  Table table);
    TransferFiles(const TransferFiles&) = delete;
    TransferFiles& operator=(const TransferFiles&) = delete;

    /// Keep who waits for what by this clock, of a transfer whose ends are called so, if that is
    /// wanted.
    /// @return where it is kept, or null
    WaitLog* WatchWaits(ShareClock& clock, const std::vector<std::string>& ends);
    /// Let the files appear.
    void Publish();

  private:
    /// A capture for Wireshark and tcpdump, which appears whole or not at all.
    struct Capture
    {
        /// Open one, of frames of a kind.
        Capture(const std::string& name, Framing framing);
        /// Add a frame, stamped now.
        void Write(Ptr<const Packet> frame);

        WholeFile file;              //!< appears when published
        Ptr<PcapFileWrapper> writer; //!< knows the format
    };

    const RunFiles m_files;           //!< what to write
    const Table m_table;              //!< the segment table
    std::optional<Capture> m_pcap;    //!< the capture at the interface
    std::optional<Capture> m_wanPcap; //!< the capture of the line
    std::optional<WaitLog> m_waits;   //!< who waited for what
    std::optional<Time> m_first;      //!< when the interface saw its first packet
};

} // namespace ns3::study

#endif /* TRANSFER_FILES_H */
