/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BURST_ASSEMBLY_H
#define BURST_ASSEMBLY_H

#include "ncp-header.h"

#include <cstdint>
#include <vector>

namespace ns3::study
{

/// Which fragments of a burst are there, and which are missing.
class BurstAssembly
{
  public:
    /// Of so many octets, each fragment but the last of this size [B].
    BurstAssembly(uint32_t size, uint32_t fragmentSize);

    /// Note that a fragment is there.
    /// @param offset of its first octet in the burst [B]
    /// @return false if it was there already, or no fragment begins at that octet
    bool Add(uint32_t offset);
    /// @return the octets of the fragment that begins at an octet, 0 if none does [B]
    uint32_t GetFragmentSize(uint32_t offset) const;
    /// @return the fragments that a list of missing octets means, by their offsets [B]
    std::vector<uint32_t> GetFragments(const std::vector<BurstRange>& ranges) const;
    /// @return what is missing, fragments that follow each other as one range where its size has
    ///         16 bits
    std::vector<BurstRange> GetMissing() const;
    /// @return true when every fragment is there
    bool IsComplete() const;
    /// @return true while no fragment is there
    bool IsEmpty() const;

  private:
    uint32_t m_size;           //!< octets of the burst
    uint32_t m_fragmentSize;   //!< octets of a fragment
    uint32_t m_count{0};       //!< fragments that are there
    std::vector<bool> m_there; //!< by fragment
};

} // namespace ns3::study

#endif /* BURST_ASSEMBLY_H */
