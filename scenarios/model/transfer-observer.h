/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFER_OBSERVER_H
#define TRANSFER_OBSERVER_H

#include "capture-file.h"
#include "host-tcp-socket.h"
#include "interface-tap.h"
#include "scenario.h"
#include "segment-log.h"
#include "whole-file.h"

#include "ns3/net-device.h"

#include <memory>

namespace ns3
{

/**
 * @brief Watches a connection at its host: counts segments, tells the clock of the limits when
 * frames wait in the interface, writes capture and segment table.
 *
 * Has to outlive the simulation's run.
 */
class TransferObserver
{
  public:
    /**
     * @param socket the host's end
     * @param interface the host's interface, with the traces of an Ethernet
     * @param files what to write
     */
    TransferObserver(Ptr<HostTcpSocket> socket, Ptr<NetDevice> interface, const RunFiles& files);
    TransferObserver(const TransferObserver&) = delete;
    TransferObserver& operator=(const TransferObserver&) = delete;

    /**
     * @brief Add the counts of segments.
     * @param record where to
     * @param peer what the record calls the other end
     */
    void AddCounts(JsonObject& record, const std::string& peer) const;
    /// Let the files appear.
    void Publish();

  private:
    /// Count segments and frames.
    void Count();
    /// Begin to write the files.
    void OpenFiles();

    Ptr<HostTcpSocket> m_socket;         //!< the host's end
    Ptr<NetDevice> m_interface;          //!< the host's interface
    const RunFiles m_files;              //!< what to write
    uint64_t m_segments{0};              //!< data segments sent, retransmissions included
    uint64_t m_retransmissions{0};       //!< data segments sent again
    uint64_t m_peerSegments{0};          //!< segments from the other end
    SegmentLog m_log;                    //!< the segment table
    Ptr<InterfaceTap> m_tap;             //!< sees the frames, when a file is wanted
    std::unique_ptr<CaptureFile> m_pcap; //!< the capture
};

} // namespace ns3

#endif /* TRANSFER_OBSERVER_H */
