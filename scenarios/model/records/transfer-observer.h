/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFER_OBSERVER_H
#define TRANSFER_OBSERVER_H

#include "model/ethernet/link.h"
#include "model/tcp/sending-end.h"
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
    /// Watch a host's end of a connection over a link to a node, and leave files. The segment table
    /// calls the two ends host and peer.
    /// @throw ParameterError if the capture of a line is wanted that the link does not have
    TransferObserver(Ptr<SendingEnd> sender,
                     Ptr<Link> link,
                     Ptr<Node> peerNode,
                     const RunFiles& files,
                     const std::string& host,
                     const std::string& peer);
    TransferObserver(const TransferObserver&) = delete;
    TransferObserver& operator=(const TransferObserver&) = delete;

    /// Tell a clock of a link's path, and to expect losses. @return true if there is a path
    static bool WatchPath(Ptr<Link> link, ShareClock& clock);
    /// Add the counts of segments to a record, which has a name for the other end.
    /// @param fastForward what was taken off counts too; null in a full run
    void AddCounts(JsonObject& record,
                   const std::string& peer,
                   const TcpFastForward* fastForward) const;
    /// @return the result's description
    static ResultField NeedlessField();
    /// Count what the host receives twice, too: the other end sends data.
    void CountAtHost(Ptr<Node> host);
    /// @return segments that the other end, or both, received and had received before
    uint64_t GetNeedless() const;
    /// Keep who waits for what by this clock, and what the host's send buffer holds, if that is
    /// wanted. The ends are called so, the host first.
    /// @throw ParameterError if that is wanted and the host's TCP does not tell
    void WatchWaits(ShareClock& clock, const std::vector<std::string>& ends);
    /// Keep what the send buffer of an end holds, if that is wanted.
    /// @param end 0 for the host, 1 for the other end
    void WatchBuffer(Ptr<Socket> socket, std::size_t end);
    /// Let the files appear.
    void Publish();

  private:
    Ptr<SendingEnd> m_sender;      //!< the host's end
    uint64_t m_retransmissions{0}; //!< data segments it sent again
    Ptr<RepeatWatch> m_atPeer;     //!< what the other end receives twice
    Ptr<RepeatWatch> m_atHost;     //!< what the host does, or null
    SegmentLog m_log;              //!< the segment table
    TransferFiles m_files;         //!< what is written
    WaitLog* m_waits{nullptr};     //!< who waited for what, if that is wanted
};

} // namespace ns3::study

#endif /* TRANSFER_OBSERVER_H */
