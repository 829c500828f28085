// SPDX-License-Identifier: GPL-2.0-only
//
// What a host leaves to its interface: to cut a large packet into segments, and their checksums.

#ifndef KERNEL_OFFLOAD_H
#define KERNEL_OFFLOAD_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// The octets of a packet, from its IPv4 header.
using Octets = std::vector<uint8_t>;

/// What stands before a packet of an interface with offloading: struct virtio_net_hdr of the
/// kernel.
using OffloadHeader = std::array<uint8_t, 10>;

/// \return the payload of each segment that the host asks for [B]; 0 for a packet to be left whole,
///         as all are but those of TCP over IPv4
size_t SegmentSize(const OffloadHeader& header);

/// \return the header of a packet that is whole, its checksum still to be worked out where it was
OffloadHeader HeaderOfPart(OffloadHeader header);

/// Cut a packet of TCP over IPv4 as an interface does. The checksum of TCP stays undone: who gets a
/// header that says so does not look at it. Each part's identification is one more than that before
/// it, as Linux has it unless the interface asks for another way; CWR (RFC 3168, 6.1.2) is in the
/// first part alone. The packet is no fragment. What is not such a packet, or has no payload, stays
/// whole.
/// \param packet the packet
/// \param size the payload of each part [B]
/// \return the parts, in order
std::vector<Octets> Cut(const Octets& packet, size_t size);

#endif
