/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIMIT_CLOCK_H
#define LIMIT_CLOCK_H

#include "model/proof/state-record.h"
#include "share-clock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::study
{

/**
 * @brief What a sender can be waiting for. At every instant of a job exactly one holds.
 *
 * Seen from the sender, as Linux's own clocks are (`ss -ti`: rwnd_limited, sndbuf_limited).
 */
enum class Limit : uint8_t
{
    HANDSHAKE,         //!< the connection is not established yet
    APPLICATION,       //!< nothing left to send: the application, or the answer it waits for
    CPU,               //!< the host is working: handling a segment or building the next
    LINK,              //!< frames wait on their way for a busy line
    RECEIVE_WINDOW,    //!< data waits; what is outstanding leaves no room in the device's window
    DRAIN,             //!< data waits; the device's window would have room, were its buffer empty
    DELAYED_ACK,       //!< what would let the sender go on is an ACK the device keeps back
    CONGESTION_WINDOW, //!< data waits; the congestion window has no room for the next segment
    SEND_BUFFER,       //!< all of a full send buffer is sent and not yet acknowledged
    NAGLE,             //!< a small segment waits for the ACK of the one before (RFC 896)
    RETRANSMISSION,    //!< from the last progress to a retransmission timeout
    REQUEST,           //!< all that was asked for is sent; the next request is not there yet
    BURST_GAP,         //!< more was asked for, and the gap between two packets is not over
    DISK,              //!< the next bytes of the file are still being read
    BUS,               //!< frames wait in the host for DMA's turn on the bus
    N_LIMITS
};

/**
 * @param limit a limit
 * @return its name in results, e.g. receive_window
 */
std::string LimitName(Limit limit);

/**
 * @brief Splits a job's time by what the sender waited for.
 *
 * What holds it back may be another thing than what it waits for. The first of these that holds has
 * the time:
 * - a frame waits in an interface for the one before: the line is behind;
 * - a frame waits for the bus, which DMA is using;
 * - the host's processor, where it is modelled, is busy: an ACK would not let the sender go on;
 * - the disk is being read for an application that has nothing else to send;
 * - the device keeps back an ACK on purpose, where an ACK is what the sender waits for;
 * - what the sender itself says.
 */
class LimitClock : public ShareClock<Limit>
{
  public:
    /// End the count; later calls change nothing.
    void Stop();
    /// @return true while an interface or the bus holds frames of the sender
    bool HoldsFrames() const;

    /// State what the sender waits for from now on.
    void SenderWaitsFor(Limit limit);
    /// @return what the sender waits for now, whatever the interfaces do
    Limit GetSenderLimit() const;
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
    /**
     * @brief State how many of the sender's frames DMA has to carry over the host's bus from now
     * on.
     *
     * The first of them is on the bus, the others wait for it; none waits for a line yet.
     *
     * @param change the change in their number
     */
    void BusFrames(int change);

    /// State whether the device keeps back an ACK from now on.
    void AckWithheld(bool withheld);

    /**
     * @brief State what the host's processor works on from now on, which nothing can begin before.
     * @param on CPU, or DISK when it is held by the disk; nothing when it is idle
     */
    void ProcessorWorks(std::optional<Limit> on);
    /// @return true while the host's processor is busy or its application waits for its disk
    bool IsHostBusy() const;
    /// State whether the host's application waits for its disk from now on.
    void ApplicationReads(bool waits);

    /// Add what decides the clock's course.
    void Describe(StateRecord& state) const;

  private:
    Limit GetHoldingLimit() const override;

    Limit m_limit{Limit::HANDSHAKE}; //!< what the sender waits for
    std::vector<int> m_frames;       //!< frames of the sender that each interface holds
    int m_busFrames{0};              //!< frames of the sender that DMA has to carry
    bool m_ackWithheld{false};       //!< the device keeps back an ACK
    bool m_reads{false};             //!< the application waits for its disk
    std::optional<Limit> m_work;     //!< what the processor works on
};

} // namespace ns3::study

#endif /* LIMIT_CLOCK_H */
