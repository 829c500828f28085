/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFER_FILES_H
#define TRANSFER_FILES_H

#include "capture-file.h"
#include "interface-tap.h"
#include "model/program/scenario.h"

#include "ns3/net-device.h"

#include <functional>
#include <memory>
#include <ostream>

namespace ns3
{

/**
 * @brief The files that a run leaves beside its record: captures and segment table.
 *
 * Has to outlive the simulation's run.
 */
class TransferFiles
{
  public:
    /// The rows of a segment table, whatever the protocol.
    struct Table
    {
        InterfaceTap::Observer add;               //!< takes each frame of the interface
        std::function<void(std::ostream&)> write; //!< writes them all
    };

    /**
     * @param files what to write
     * @param interface what capture and segment table are taken at, an Ethernet's
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

    /// Let the files appear.
    void Publish();

  private:
    const RunFiles m_files;                 //!< what to write
    const Table m_table;                    //!< the segment table
    std::unique_ptr<CaptureFile> m_pcap;    //!< the capture at the interface
    std::unique_ptr<CaptureFile> m_wanPcap; //!< the capture of the line
};

} // namespace ns3

#endif /* TRANSFER_FILES_H */
