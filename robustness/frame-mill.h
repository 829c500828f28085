/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_MILL_H
#define FRAME_MILL_H

#include "tests/live/frame.h"

#include <array>
#include <map>
#include <random>

namespace ns3::study
{

/**
 * @brief Makes frames of a stranger on a network out of those of a host, by changes at random.
 *
 * Most get the checksums that belong to what they say, so that they pass the gate; many continue
 * connections that the device has accepted. A stranger never speaks for the host: what is right may
 * end a job.
 */
class FrameMill
{
  public:
    /// @param seed of all that is drawn. @param address the stranger's, in its network
    FrameMill(uint64_t seed, uint32_t address);

    /// Keep a frame of the host for changes.
    void Learn(const Frame& frame);
    /// See what the device sends: a segment to the stranger is answered in later frames.
    void Hear(const Frame& frame);
    /// @return the answer to an ARP request for the stranger's address, or an empty frame
    Frame Answer(const Frame& request) const;
    /// @return the next frame
    Frame Make();

  private:
    /// Where a connection of the stranger stands, as the device sees it.
    struct Standing
    {
        uint32_t next;   //!< sequence number that the device expects
        uint32_t behind; //!< that behind the device's last octet
    };

    /// @return a number below another
    uint32_t Draw(uint32_t below);
    /// Let the stranger be its source, and perhaps let it go on with a connection.
    void Claim(Frame& frame);
    /// Change something at random.
    void Change(Frame& frame);
    /// Give a segment other options.
    void ChangeOptions(Frame& frame);

    std::mt19937_64 m_random;
    uint32_t m_address;                       //!< the stranger's
    std::vector<Frame> m_learned;             //!< frames to change
    std::map<uint32_t, Standing> m_standings; //!< of the stranger's connections, by its port
};

} // namespace ns3::study

#endif /* FRAME_MILL_H */
