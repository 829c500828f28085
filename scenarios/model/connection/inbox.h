/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INBOX_H
#define INBOX_H

#include "connection-settings.h"
#include "segment.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::study::tcp
{

/**
 * @brief Segments that have arrived and wait to be handled.
 *
 * A host handles each segment its reply time after it arrived. At a device, segments that want an
 * answer queue for its attention. Two kinds of traffic are told apart, because the measured devices
 * do:
 *
 * - *interactive*: up to a number of bytes since the device's application last spoke. One segment
 *   after the other, each takes the same time. So commands, replies and the first small writes of a
 *   job.
 * - *bulk*: all behind these, until the application has answered. All that has arrived is handled
 *   together, a latency after the first segment, and more for each byte.
 *
 * The trace of the Hawking H-PS1U supports the two kinds and does not say why they differ.
 */
class Inbox
{
  public:
    /// A segment that waits.
    struct Item
    {
        Segment segment;
        uint64_t begin{0}; //!< offset of its first octet
        uint32_t news{0};  //!< octets that had not come before [B]
        bool probe{false}; //!< a window probe or keep-alive: no data, but wants an ACK
        Nanos arrived{0};  //!< when it came

        bool operator==(const Item&) const = default;
    };

    explicit Inbox(const Attention& attention = {}, Nanos replyTime = Nanos{0});

    /// @return true if a device gives such a segment its attention, and handles no other one late
    bool Queues() const
    {
        return m_attention.bulk > Nanos{0};
    }

    /// A segment has come that waits. @param next the next octet expected of the stream
    void Add(Item item, uint64_t next);

    /// The application has written: traffic is interactive again.
    void Answered()
    {
        m_sinceAnswer = 0;
    }

    /// The random number that it wants. @param fraction from 0 to 1
    void SetDraw(double fraction);

    /// @return true if it wants a random number before it can say when it is due
    bool WantsDraw() const
    {
        return m_wantsDraw;
    }

    /// @return when segments are to be handled; Nanos::max() for never
    Nanos GetDue() const
    {
        return m_due;
    }

    /// It is due: hand out how many segments. @return how many are to be handled together
    uint32_t Begin();
    /// @return the first segment, taken off
    Item Take();
    /// All that were handed out are handled: look when the next are due.
    void End(Nanos now);

    /// Subtract from all instants and numbers. @param received next octet expected, less one
    void Shift(Nanos time, uint64_t sent, uint64_t received);

    /// Give what waits with timestamps these.
    void SetTimestamps(const Timestamps& timestamps);

    bool operator==(const Inbox&) const = default;

  private:
    /// Find out when what waits is due.
    void Schedule(Nanos now);

    Attention m_attention;        //!< numbers of a device
    Nanos m_replyTime;            //!< of a host
    std::deque<Item> m_items;     //!< what waits, in order
    uint64_t m_arrived{0};        //!< end of all that has come
    uint32_t m_sinceAnswer{0};    //!< came since the application spoke [B]
    bool m_bulk{false};           //!< all that waits is handled together
    bool m_handing{false};        //!< segments are being handed out
    Nanos m_due{Nanos::max()};    //!< when
    std::optional<Nanos> m_drawn; //!< what the next bulk takes longer, once it is drawn
    bool m_wantsDraw{false};      //!< it has yet to be
};

} // namespace ns3::study::tcp

#endif /* INBOX_H */
