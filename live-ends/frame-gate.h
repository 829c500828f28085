/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_GATE_H
#define FRAME_GATE_H

#include <cstddef>
#include <cstdint>

namespace ns3::study
{

/**
 * @brief Whether ns-3 can read a frame: its parsers trust the lengths that a packet states, and
 *        abort or read past the end where they are wrong.
 *
 * ARP for IPv4, and IPv4 without options or fragments that holds TCP, UDP, or an ICMP message that
 * ns-3 handles, each with its checksum, and from an address that an interface can have. Nothing
 * else has a receiver in the simulation: no LLC, no IPv6.
 * @param frame of Ethernet II, without its checksum
 * @param length [B]
 */
bool IsReadable(const uint8_t* frame, std::size_t length);

} // namespace ns3::study

#endif /* FRAME_GATE_H */
