/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFER_OBSERVER_H
#define TRANSFER_OBSERVER_H

#include "model/ethernet/link.h"
#include "model/tcp/host-tcp-socket.h"
#include "model/tcp/tcp-fast-forward.h"
#include "repeat-watch.h"
#include "segment-log.h"
#include "transfer-files.h"

namespace ns3::study
{

/// Watches a connection over a link: counts the segments at its host, tells the clock of the
/// limits when frames wait for a line, writes captures and segment table.
///
/// Has to outlive the simulation's run.
class TransferObserver
{
  public:
    /// Watch a host's end of a connection over a link, and leave files. The segment table calls the
    /// two ends host and peer.
    /// @throw ParameterError if the capture of a line is wanted that the link does not have
    TransferObserver(Ptr<HostTcpSocket> socket,
                     Ptr<Link> link,
                     const RunFiles& files,
                     const std::string& host,
                     const std::string& peer);
    TransferObserver(const TransferObserver&) = delete;
    TransferObserver& operator=(const TransferObserver&) = delete;

    /// Add the counts of segments to a record, which has a name for the other end.
    /// @param fastForward what was taken off counts too; null in a full run
    void AddCounts(JsonObject& record,
                   const std::string& peer,
                   const TcpFastForward* fastForward) const;
    /// @return the result's description
    static ResultField NeedlessField();
    /// @return segments that the other end, or both, received and had received before
    uint64_t GetNeedless(bool bothEnds) const;
    /// Keep who waits for what by this clock, and what the host's send buffer holds, if that is
    /// wanted. The ends are called so, the host first.
    void WatchWaits(ShareClock& clock, const std::vector<std::string>& ends);
    /// Keep what the other end's send buffer holds, too; its socket is a host's.
    void WatchPeerBuffer(Ptr<HostTcpSocket> peer);
    /// Let the files appear.
    void Publish();

  private:
    /// Keep what an end's send buffer holds, if that is wanted.
    void WatchBuffer(Ptr<HostTcpSocket> socket, std::size_t end);

    Ptr<HostTcpSocket> m_socket;   //!< the host's end
    uint64_t m_segments{0};        //!< data segments it sent, retransmissions included
    uint64_t m_retransmissions{0}; //!< data segments it sent again
    uint64_t m_peerSegments{0};    //!< segments from the other end
    Ptr<RepeatWatch> m_atPeer;     //!< what the other end receives twice
    Ptr<RepeatWatch> m_atHost;     //!< what the host does
    SegmentLog m_log;              //!< the segment table
    TransferFiles m_files;         //!< what is written
    WaitLog* m_waits{nullptr};     //!< who waited for what, if that is wanted
};

} // namespace ns3::study

#endif /* TRANSFER_OBSERVER_H */
