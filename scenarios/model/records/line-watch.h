/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINE_WATCH_H
#define LINE_WATCH_H

#include "model/clocks/limit-clock.h"
#include "model/ethernet/link.h"

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstddef>
#include <vector>

namespace ns3::study
{

/// Watches an interface and the line that it sends on: how many frames it holds, how long the
/// line is busy.
class LineWatch : public SimpleRefCount<LineWatch>
{
  public:
    /// @param device an interface with the trace sources MacTx, MacTxDrop, PhyTxBegin, PhyTxEnd and
    ///        PhyTxDrop
    /// @param clock told how many frames the interface holds, the one that is being sent included
    /// @param place the interface's number for the clock, which must outlive the interface
    LineWatch(Ptr<NetDevice> device, LimitClock& clock, std::size_t place);

    /// @return how long the line has been sending, up to now
    Time GetBusy() const;

  private:
    bool m_sending{false}; //!< a frame is being sent
    Time m_begin;          //!< since when
    Time m_busy;           //!< how long the frames before it were
};

/// Tell a clock of the frames in every interface towards the device.
/// @return the watches of these interfaces, in the link's order
std::vector<Ptr<LineWatch>> WatchLines(Ptr<const Link> link, LimitClock& clock);

} // namespace ns3::study

#endif /* LINE_WATCH_H */
