/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINUX_BLOCKS_H
#define LINUX_BLOCKS_H

#include "congestion-state.h"
#include "nanos.h"

#include <cstdint>

namespace ns3::study
{

/// @return the most of it that Linux fills at once (tcp_bound_to_half_wnd): half, unless it is tiny
/// @param largestWindow that the peer has announced [B]
uint32_t GetHalfWindow(uint32_t largestWindow);

/**
 * @brief How Linux joins segments into blocks (sk_buff), and how far its send buffer grows.
 *
 * Source: the kernel's tcp_xmit_size_goal, tcp_tso_autosize, tcp_sndbuf_expand and
 * tcp_update_pacing_rate, read for their rules.
 */
struct LinuxBlocks
{
    CongestionState congestion; //!< window, threshold and whole segment
    uint32_t largestWindow;     //!< largest that the peer has announced [B]
    Nanos roundTrip;            //!< smoothed round-trip time; 0 before one is measured
    Nanos shortest;             //!< shortest one

    /// @return how much data a block takes at most [B]
    uint32_t GetWholeBlock() const;
    /// @return how much leaves as one block, at the rate of window and round trip [B]
    uint32_t GetBurst() const;
    /// @return how much of a window leaves as one block
    /// @param written the data were written since the last segment arrived
    uint32_t GetBlock(bool written) const;
    /// @return the memory that the send buffer grows to, of two congestion windows
    /// @param mss announced [B]
    /// @param overhead memory of a block beyond its data [B]
    uint64_t GetGrownBuffer(uint32_t mss, uint32_t overhead) const;

  private:
    /// @return what leaves together before any bound, in whole segments [B]
    uint64_t GetAtRate() const;
};

} // namespace ns3::study

#endif /* LINUX_BLOCKS_H */
