/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_OCTETS_H
#define FILE_OCTETS_H

#include "ns3/object.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3::study
{

/// The file, as an attribute.
class FileRead : public Object
{
  public:
    static TypeId GetTypeId();

    uint64_t m_fileSize; //!< the file to read [B]
};

/**
 * @brief Octets of the file that is transferred.
 *
 * Each octet follows from its place, and practically no piece of fifteen octets or more occurs
 * twice, so that one in the wrong place shows.
 *
 * @param offset of the first octet [B]
 * @param size how many [B]
 * @return a packet of just these octets
 */
Ptr<Packet> MakeFileOctets(uint64_t offset, uint32_t size);

/// @return true if a packet is just the octets of the file that begin at that offset [B]
bool AreFileOctets(Ptr<const Packet> packet, uint64_t offset);

} // namespace ns3::study

#endif /* FILE_OCTETS_H */
