// SPDX-License-Identifier: GPL-2.0-only
//
// One way of the wire: a queue, a line with a rate, a propagation delay, and a list of packets that
// do not arrive. What is kept of each packet is enough to draw it, and to say how punctual the wire
// was.

#ifndef KERNEL_DIRECTION_H
#define KERNEL_DIRECTION_H

#include "offload.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <set>
#include <string>
#include <vector>

/// Time of the monotonic clock [ns].
using Instant = int64_t;

/// No packet is in flight.
constexpr Instant NEVER = std::numeric_limits<Instant>::max();

/// What became of a packet.
enum class Fate
{
    UnderWay, ///< not due when the wire ended
    Arrived,
    Lost,      ///< in the list of losses: it took its transmission time
    Queue,     ///< found the queue full
    Segmented, ///< handed down in one piece, and cut into those that entered at the same instant
};

/// One packet, as the wire saw it.
struct Packet
{
    uint64_t number{
        0}; ///< its place among those that came onto the line, 1 for the first; 0 if none
    Instant entered{0};    ///< when it came from the host
    Instant due{0};        ///< when it has to be at the other end; that of one dropped is its entry
    Instant handedOver{0}; ///< when it was given to the other end
    Fate fate{Fate::UnderWay}; ///< what became of it
    Octets octets;             ///< cut to the headers once it is handed over
    OffloadHeader offload{};   ///< what goes before it where the interfaces offload
    size_t size{0};            ///< its length [B]
};

/// The parameters of one way.
struct Line
{
    double rate{0};   ///< [bit/s]; 0 for a line that takes no time
    Instant delay{0}; ///< propagation [ns]
    size_t queuePackets{
        0}; ///< packets that may wait for the line, apart from the one on it; 0 for no bound
    size_t framing{0};         ///< what the line's framing adds to a packet [B]
    std::set<uint64_t> losses; ///< numbers of the packets that do not arrive
};

/// Carries packets from one descriptor to another.
class Direction
{
  public:
    /// \param from the descriptor that gives one packet a read, without waiting
    /// \param to the descriptor that takes one packet a write
    /// \param line its parameters
    /// \param offload whether a header goes before each packet, and large ones are to be cut
    Direction(int from, int to, Line line, bool offload);

    /// Take what the host has sent. \return whether there was a packet
    bool Take();

    /// Hand over the next packet if it is due. \return whether it was
    bool HandOver();

    /// \return when the next packet is due, or NEVER
    Instant NextDue() const;

    /// \return the descriptor it reads
    int From() const;

    /// Add a line of the capture for each packet.
    /// \param way the name of this direction there
    /// \param start the instant that counts as 0
    /// \param text where to
    void Write(const std::string& way, Instant start, std::string& text) const;

    /// \return when the first packet came, or NEVER
    Instant First() const;

  private:
    void TakeInPieces(const Packet& whole);
    bool HasRoom(Instant now);
    void Enter(Packet packet);

    int m_from;
    int m_to;
    Line m_line;
    bool m_offload;
    Instant m_lineFree{0};         ///< when the line has sent what it was given
    uint64_t m_onLine{0};          ///< packets that came onto the line
    std::deque<Instant> m_waiting; ///< when each begins to be sent
    std::deque<size_t> m_underWay; ///< indices into m_packets, the next due first
    std::vector<Packet> m_packets;
};

/// \return the monotonic clock
Instant Now();

#endif
