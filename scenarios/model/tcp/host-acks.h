/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_ACKS_H
#define HOST_ACKS_H

#include "model/proof/state-record.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::study
{

/**
 * @brief Which of the peer's segments a host acknowledges at once.
 *
 * By count: the first few of a connection, and every n-th of the others, of whatever size.
 *
 * Adaptively, as Linux does: the first few (at most half the window), those with which the window
 * grows, and whenever more than a whole segment waits for its ACK. Beyond that, a segment that ends
 * a write or a burst (PSH), or that is not whole, is acknowledged as soon as the application has
 * read it, for the sender may be waiting; until the host has answered data with data of its own.
 * Then it takes the connection for an interactive one, the quick ACKs end, and an ACK waits for
 * data to carry it, or for a second small segment.
 */
class HostAcks
{
  public:
    /// How the segments are chosen.
    enum Rule
    {
        COUNTED, //!< by count
        ADAPTIVE //!< as Linux does
    };

    /// What it goes by.
    struct Settings
    {
        Rule rule{COUNTED};    //!< how the segments are chosen
        uint32_t frequency{2}; //!< every n-th, by count
        uint32_t quickAcks{0}; //!< how many at the start, at most
        uint32_t window{0};    //!< receive window of this end [B]
        Time patience{0};      //!< longest time between data and an answer to them
    };

    /// Begin a connection.
    void Begin(const Settings& settings);
    /// Take note of a data segment that has come.
    /// @param waiting how many segments wait for their ACK already
    /// @param payload its size [B]
    /// @param pushed its PSH flag
    /// @param grown the receive window has grown with it
    /// @return true if it is to be acknowledged at once
    bool Take(uint32_t waiting, uint32_t payload, bool pushed, bool grown = false);
    /// An ACK has left, by itself or with data.
    void TellAckSent();
    /// Data have left.
    void TellDataSent();
    /// @return how long ago data came last
    Time GetSinceData() const;

    /// Add what decides about the next segments.
    void Describe(StateRecord& state) const;

  private:
    /// @return as Take()
    bool TakeAdaptively(uint32_t payload, bool pushed, bool grown);

    Settings m_settings;         //!< what it goes by
    uint32_t m_quickAcksLeft{0}; //!< segments still to be acknowledged at once
    bool m_interactive{false};   //!< data were answered with data
    bool m_pushed{false};        //!< a segment that waits for its ACK was small or had PSH
    uint32_t m_whole{0};         //!< the peer's whole segment, as far as it is known [B]
    uint32_t m_waiting{0};       //!< what waits for its ACK [B]
    Time m_lastData{-1};         //!< when data came last; negative before
};

} // namespace ns3::study

#endif /* HOST_ACKS_H */
