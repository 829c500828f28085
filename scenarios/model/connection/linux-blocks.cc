/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linux-blocks.h"

#include <algorithm>
#include <bit>

namespace ns3::study
{

namespace
{

constexpr uint32_t LARGEST_BLOCK = 65536 - 257; //!< block: 64 kB less room for headers [B]
constexpr uint32_t TINY_WINDOW = 536;           //!< a largest window up to it is tiny [B]
constexpr uint64_t LEAST_SEGMENTS = 10;         //!< that a send buffer has room for
constexpr uint32_t DESCRIPTOR = 256;      //!< of a block's overhead; the rest is with its data [B]
constexpr uint64_t PER_SECOND = 1024;     //!< blocks at the pacing rate
constexpr int64_t HALVING = 512;          //!< of the shortest round trip halves what is added [us]
constexpr uint64_t ADDED = 65279;         //!< over the shortest path [B]
constexpr uint64_t SLOW_START_PACE = 200; //!< percentage of a window that leaves in a round trip
constexpr uint64_t PACE = 120;            //!< the same beyond half the threshold

} // namespace

uint32_t
GetHalfWindow(uint32_t largestWindow)
{
    return largestWindow > TINY_WINDOW ? largestWindow / 2 : largestWindow;
}

uint32_t
LinuxBlocks::GetWholeBlock() const
{
    // Whole segments; before a window is known, nothing bounds it.
    const uint32_t bound = largestWindow > 0 ? GetHalfWindow(largestWindow) : LARGEST_BLOCK;
    return std::max(std::min(LARGEST_BLOCK, bound) / congestion.mss, 1U) * congestion.mss;
}

uint64_t
LinuxBlocks::GetAtRate() const
{
    if (roundTrip <= 0ns)
    {
        return 0;
    }
    const bool slowStart = congestion.window < congestion.threshold / 2;
    const uint64_t percentage = slowStart ? SLOW_START_PACE : PACE;
    const auto micros = static_cast<uint64_t>(std::max<int64_t>(roundTrip / 1us, 1));
    const uint64_t paced = congestion.window * percentage * 10000 / micros / PER_SECOND;
    const int64_t halvings = shortest / 1us / HALVING;
    const uint64_t added = halvings < 32 ? ADDED >> halvings : 0;
    return (paced + added) / congestion.mss * congestion.mss;
}

uint32_t
LinuxBlocks::GetBurst() const
{
    const uint64_t two = 2 * uint64_t{congestion.mss};
    const uint64_t most = std::max<uint64_t>(GetWholeBlock(), two);
    return static_cast<uint32_t>(std::clamp(GetAtRate(), two, most));
}

uint32_t
LinuxBlocks::GetBlock(bool written) const
{
    // Beyond what the largest window holds it makes no difference. (tcp_grow_skb, tcp_cwnd_test.)
    const uint64_t mss = congestion.mss;
    const uint64_t most = std::max(largestWindow / congestion.mss + 1, 2U) * mss;
    const uint64_t half = std::max(congestion.GetSegments() / 2, 1U) * mss;
    const auto block =
        static_cast<uint32_t>(std::min(std::clamp(GetAtRate(), 2 * mss, most), half));
    return written ? std::min(block, GetWholeBlock()) : block;
}

uint64_t
LinuxBlocks::GetGrownBuffer(uint32_t mss, uint32_t overhead) const
{
    // Each segment with the memory that a packet of its own would take.
    const uint64_t data = uint64_t{mss} + overhead - std::min(overhead, DESCRIPTOR);
    const uint64_t segments =
        std::max<uint64_t>(congestion.window / std::max(congestion.mss, 1U), LEAST_SEGMENTS);
    return 2 * segments * (std::bit_ceil(data) + DESCRIPTOR);
}

} // namespace ns3::study
