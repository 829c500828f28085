/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARE_CLOCK_H
#define SHARE_CLOCK_H

#include "wait-log.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace ns3::study
{

/// What a job or an exchange can be waiting for. At every instant exactly one holds.
/// Seen from the sender, as Linux's own clocks are (`ss -ti`: rwnd_limited, sndbuf_limited).
enum class Limit : uint8_t
{
    HANDSHAKE,          //!< the connection is not established yet
    APPLICATION,        //!< nothing left to send: an application, the sender's or the peer's
    LAST_ACK,           //!< all there is to send is sent, and the peer has not acknowledged it yet
    CPU,                //!< the host is working: handling a segment or building the next
    LINK,               //!< frames wait for a busy line
    PATH_QUEUE,         //!< all is sent, and of it something waits in a queue of the path
    ROUND_TRIP,         //!< all is sent, and of it, or of the answer, something travels
    RECEIVE_WINDOW,     //!< data waits; what is outstanding leaves no room in the device's window
    DRAIN,              //!< data waits; the device's window would have room, were its buffer empty
    WINDOW_UPDATE,      //!< data waits, the device's buffer is empty, and the host does not know
    DELAYED_ACK,        //!< what would let the sender go on is an ACK the device withholds
    CONGESTION_WINDOW,  //!< data waits; the congestion window has no room for the next segment
    SEND_BUFFER,        //!< all of a full send buffer is sent and not yet acknowledged
    NAGLE,              //!< a small segment waits for the ACK of the one before (RFC 896)
    LOSS_RECOVERY,      //!< from the last progress to a retransmission timeout, and from there, or
                        //!< from a fast retransmission, until all that was out is acknowledged
    REQUEST,            //!< all that was asked for is sent; the next request is not there yet
    BURST_GAP,          //!< more was asked for, and the gap between two packets is not over
    DISK,               //!< the next bytes of the file are still being read
    BUS,                //!< frames wait in the host for DMA's turn on the bus
    CLIENT_APPLICATION, //!< in an exchange: the client's application is working
    SERVER_APPLICATION, //!< in an exchange: the server's application is working
    N_LIMITS
};

/**
 * @brief Splits time by what was waited for; the parts add up to all of it.
 *
 * At every instant exactly one limit holds. When data are sent again, all that has passed since the
 * last progress was lost to that, whatever held meanwhile.
 */
class ShareClock
{
  public:
    /// Keep what is charged in a log, too, which outlives the clock's run.
    void Keep(WaitLog& log)
    {
        m_log = &log;
    }

    /// Begin to count.
    void Start()
    {
        m_running = true;
        m_start = m_last = Simulator::Now();
    }

    /// End the count; later calls change nothing.
    void Stop()
    {
        Progress();
        m_running = false;
    }

    /// New data were acknowledged: the time up to here is charged for good.
    void Progress()
    {
        Charge();
        for (std::size_t i = 0; i < m_charged.size(); ++i)
        {
            if (!m_sinceProgress[i].IsZero()) // most limits had none
            {
                m_charged[i] += std::exchange(m_sinceProgress[i], Time());
            }
        }
        if (m_log)
        {
            m_log->Progress();
        }
    }

    /// Expect to be told of losses: a retransmission before any is spurious.
    void ExpectLosses()
    {
        m_lossless = true;
    }

    /// A packet was lost.
    void Lost()
    {
        Charge();
        m_lossless = false;
    }

    /// State how many packets wait in the queues of a path from now on, in both directions.
    void PathQueue(int change)
    {
        Charge();
        m_isPath = true;
        m_pathQueue += change;
    }

    /// State how many of them its lines are sending from now on.
    void PathLine(int change)
    {
        Charge();
        m_isPath = true;
        m_pathLine += change;
    }

    /// Data are sent again: the time since the last progress was lost to it.
    void RetransmissionTimeout()
    {
        Charge();
        if (m_lossless)
        {
            return; // spurious: what held the sender does so still
        }
        Time lost;
        for (auto& share : m_sinceProgress)
        {
            lost += std::exchange(share, Time());
        }
        m_sinceProgress[Index(Limit::LOSS_RECOVERY)] = lost;
        if (m_log)
        {
            m_log->Lost();
        }
    }

    /// @return the time charged to a limit, up to the last change
    Time Get(Limit limit) const
    {
        return m_charged[Index(limit)] + m_sinceProgress[Index(limit)];
    }

    /// @return the time from Start() to Stop(), or to now
    Time GetTotal() const
    {
        return (m_running ? Simulator::Now() : m_last) - m_start;
    }

    /// Count time that was not simulated.
    void Skip(Limit limit, Time time)
    {
        m_charged[Index(limit)] += time;
        m_start -= time;
    }

  protected:
    ~ShareClock() = default;

    /// Charge the time since the last change to the limit that held: call it before any change.
    void Charge()
    {
        const Time now = Simulator::Now();
        if (m_running && now != m_last)
        {
            const Limit limit = GetHoldingLimit();
            m_sinceProgress[Index(limit)] += now - m_last;
            Charged(limit, now - m_last);
            if (m_log)
            {
                m_log->Charged(limit, GetHolder(), m_last, now);
            }
            m_last = now;
        }
    }

    /// Move to another limit what was charged to one since an instant, and not lost meanwhile.
    /// @param from the one it was charged to
    /// @param to the one that it turned out to be
    /// @param since the instant
    /// @param time how much of it
    void Recharge(Limit from, Limit to, Time since, Time time)
    {
        const Time moved = std::min(time, m_sinceProgress[Index(from)]);
        m_sinceProgress[Index(from)] -= moved;
        m_sinceProgress[Index(to)] += moved;
        if (m_log && moved.IsStrictlyPositive())
        {
            m_log->Recharged(from, to, since);
        }
    }

    /// @return the time since the last charge
    Time GetUncharged() const
    {
        return Simulator::Now() - m_last;
    }

    /// @return true if nothing can have to be recovered
    bool IsLossless() const
    {
        return m_lossless;
    }

    /// @return true between Start() and Stop()
    bool IsRunning() const
    {
        return m_running;
    }

    int m_pathQueue{0};   //!< packets in the queues of a path
    int m_pathLine{0};    //!< packets on its lines
    bool m_isPath{false}; //!< there is a path between the two ends

  private:
    /// @return what the time is charged to now
    virtual Limit GetHoldingLimit() const = 0;

    /// So much was charged to a limit.
    virtual void Charged(Limit /* limit */, Time /* time */)
    {
    }

    /// @return which end waits for that now, by its place in the log; none if none does
    virtual std::optional<std::size_t> GetHolder() const
    {
        return 0;
    }

    /// @return its place
    static std::size_t Index(Limit limit)
    {
        return static_cast<std::size_t>(limit);
    }

    using Shares = std::array<Time, static_cast<std::size_t>(Limit::N_LIMITS)>; //!< by limit
    Shares m_charged{};                                                         //!< for good
    Shares m_sinceProgress{}; //!< since the last progress
    bool m_lossless{false};   //!< no packet was lost so far, and that would have been told
    bool m_running{false};    //!< between Start() and Stop()
    Time m_start;             //!< instant of Start()
    Time m_last;              //!< instant of the last charge
    WaitLog* m_log{nullptr};  //!< keeps what is charged, if that is wanted
};

} // namespace ns3::study

#endif /* SHARE_CLOCK_H */
