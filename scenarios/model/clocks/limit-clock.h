/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIMIT_CLOCK_H
#define LIMIT_CLOCK_H

#include "model/proof/state-record.h"
#include "share-clock.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::study
{

/**
 * @brief Splits a job's time by what the sender waited for.
 *
 * What limits it may be another thing than what it waits for. The first of these that holds has
 * the time:
 * - all there is to send is sent, and a packet of it, or of the answer, waits in a path's queue;
 * - a frame waits in an interface for the one before: the line is behind;
 * - a frame waits for the bus, which DMA is using;
 * - the host's processor, where it is modelled, is busy: an ACK would not let the sender go on;
 * - the disk is being read for an application that has nothing else to send;
 * - all there is to send is sent: where it is, or its answer, or who keeps that waiting;
 * - an ACK would let the sender go on, and ACKs wait in a queue of a path: its line is behind;
 * - the device withholds an ACK on purpose, where an ACK is what the sender waits for and, on a
 *   path or over frame relay, nothing is in flight that would bring one. Such a device tells
 *   nothing of a buffer that empties meanwhile, so that a wait for the window is the ACK's, too, if
 *   the timer that sends it finds the buffer empty, whose data had not lain unread for long before:
 *   that let the sender go on, whatever the reader did;
 * - what was lost is recovered, and the sender waits for that;
 * - the device's buffer is empty, but the window that it announced is not open;
 * - what the sender itself says.
 */
class LimitClock : public ShareClock
{
  public:
    /// @return true while an interface or the bus holds frames of the sender
    bool HoldsFrames() const;

    /// State what the sender waits for from now on.
    void SenderWaitsFor(Limit limit);
    /**
     * @brief State how many of the sender's frames an interface holds from now on.
     *
     * The first of them is on the line, the others wait for it. Each interface on the way is on
     * a line of its own, so frames in different interfaces do not wait for each other.
     *
     * @param interface which interface on the way, from 0
     * @param change the change in the number of its frames
     */
    void InterfaceFrames(std::size_t interface, int change);
    /// State how many of the sender's frames DMA has to carry over the host's bus from now
    /// on.
    ///
    /// The first of them is on the bus, the others wait for it; none waits for a line yet.
    void BusFrames(int change);

    /// State how many frames have been handed down by either end and have not arrived.
    void OnTheWay(int change);

    /// State whether the application has more to write of its own accord, before any answer.
    void ApplicationWorks(bool works);
    /// State whether something sent is not acknowledged, and whether what was lost is recovered.
    void Outstanding(bool outstanding, bool recovering);
    /// State whether the device's buffer holds data that its application has not read.
    void PeerHolds(bool holds);

    /// State for how long the device withholds an ACK at most, where that is long.
    void AckWithheldAtMost(Time time);
    /// State whether the device withholds an ACK from now on.
    void AckWithheld(bool withheld);
    /// The device's delayed-ACK timer has expired, and its ACK is about to leave.
    void DelayedAckExpired();

    /// State what the host's processor works on from now on, which nothing can begin before.
    /// @param on CPU, or DISK when it is held by the disk; nothing when it is idle
    void ProcessorWorks(std::optional<Limit> on);
    /// @return true while the host's processor is busy or its application waits for its disk
    bool IsHostBusy() const;
    /// State whether the host's application waits for its disk from now on.
    void ApplicationReads(bool waits);

    /// @return for how long the sender waited for the delayed-ACK timer once nothing was left to
    ///         send but the rest that Nagle's algorithm holds
    Time GetWithheldAtEnd() const;

    /// Add what decides the clock's course.
    void Describe(StateRecord& state) const;

  private:
    Limit GetHoldingLimit() const override;
    void Charged(Limit limit, Time time) override;
    /// Begin to count anew what waits for the window while an ACK is withheld.
    void ForgetHeldBack();
    /// @return since when the device's buffer has held data, as far as that matters
    Time GetUnread() const;
    /// @return true while nothing but the ACK that is withheld can tell of the window
    bool IsHeldBack() const;
    /// @return true if the sender has sent all there is to send before the peer answers
    bool IsAllSent() const;
    /// @return what holds a sender that has sent all
    Limit GetReasonOfSilence() const;
    /// @return what holds a sender that has more to send
    Limit GetReasonOfWait() const;

    Limit m_limit{Limit::HANDSHAKE}; //!< what the sender waits for
    std::vector<int> m_frames;       //!< frames of the sender that each interface holds
    int m_busFrames{0};              //!< frames of the sender that DMA has to carry
    int m_onTheWay{0};               //!< frames between the two ends
    bool m_works{true};              //!< the application has more to write
    bool m_outstanding{false};       //!< something is not acknowledged
    bool m_recovering{false};        //!< what was lost is recovered
    bool m_peerHolds{true};          //!< the device's buffer holds data
    Time m_holdsSince;               //!< since when it does
    /// Longer unread is as long, so that what decides the clock's course does not grow for ever.
    Time m_longestUnread{MilliSeconds(60)};
    bool m_ackWithheld{false};   //!< the device withholds an ACK
    bool m_keepsBack{false};     //!< it ever did
    Time m_unreadBefore;         //!< for how long the buffer had held data when that began
    Time m_heldBackSince;        //!< since when, with nothing in flight
    Time m_heldDrain;            //!< since then charged to DRAIN
    Time m_heldUpdate;           //!< and to WINDOW_UPDATE
    Time m_withheld;             //!< of DELAYED_ACK, since the ACK was withheld
    Time m_withheldAtEnd;        //!< of DELAYED_ACK, what came at the end
    bool m_reads{false};         //!< the application waits for its disk
    std::optional<Limit> m_work; //!< what the processor works on
};

} // namespace ns3::study

#endif /* LIMIT_CLOCK_H */
