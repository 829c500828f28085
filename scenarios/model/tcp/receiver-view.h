/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECEIVER_VIEW_H
#define RECEIVER_VIEW_H

#include <cstdint>

namespace ns3::study
{

/// Which openings of its window a receiver announces of its own accord, by a window update.
enum class WindowUpdates
{
    EVERY_OPENING, //!< each one
    RFC1122,       //!< by one MSS or half the buffer at least (RFC 1122, 4.2.3.3)
    BSD,           //!< by two segments or 35 % of the buffer at least, as 4.3BSD's tcp_output(); it
                   //!< then waits for no delayed ACK
    FROM_ZERO      //!< only that a closed window is open again
};

/// What a receiver with a connection sees at an instant, and what follows from its rules: whether
/// data have earned an ACK that may else be kept back, and whether a window update is due.
struct ReceiverView
{
    double ackThreshold;   //!< share of the window offered that earns an ACK; 0 for no such rule
    uint32_t ackFrequency; //!< every n-th full segment earns one; 0 for no such rule
    WindowUpdates windowUpdates; //!< which openings are announced
    bool sillyWindowAvoidance;   //!< no small opening is announced, by whatever segment
    uint32_t buffer;             //!< the window when all is read [B]
    uint32_t mss;                //!< of the connection [B]
    uint32_t fullSegment;        //!< what passes for a full segment [B]
    uint32_t unacknowledged;     //!< in sequence since the last ACK [B]
    uint32_t offered;            //!< the window that this ACK offered [B]
    uint32_t room;               //!< what the application has left free [B]

    /**
     * @return true if the data since the last ACK need not wait for the delayed-ACK timer.
     *
     * At least every n-th full segment is acknowledged (RFC 5681, 4.2: n is 2): more than n - 1 of
     * them are too much to wait, so that a smaller segment behind a full one earns it, too.
     */
    bool EarnsAck() const;
    /// @return true if an ACK is to tell how far the window has opened, though nothing else asks
    bool EarnsUpdate() const;
    /// @return true if such an update does not wait for a delayed ACK that would tell the same
    bool UpdateGoesFirst() const;
    /// @return the window to announce now [B]
    uint32_t GetWindow() const;

  private:
    /// @return by how much the window's edge could move [B]
    uint32_t GetOpening() const;
    /// @return one MSS or half the buffer (RFC 1122, 4.2.3.3) [B]
    uint32_t GetLeastOpening() const;
};

} // namespace ns3::study

#endif /* RECEIVER_VIEW_H */
