/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SENDING_END_H
#define SENDING_END_H

#include "connection-socket.h"
#include "model/clocks/exchange-clock.h"
#include "model/clocks/limit-clock.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace ns3::study
{

class JsonObject;

/**
 * @brief The end of a connection whose transfer a run reports, of either TCP.
 *
 * A ConnectionSocket answers by itself. Of ns-3's own socket its trace sources are watched; what
 * that socket waits for they do not tell, so that its clock only times the transfer.
 */
class SendingEnd : public SimpleRefCount<SendingEnd>
{
  public:
    /// Watch a TCP socket that is not connected yet.
    explicit SendingEnd(Ptr<Socket> socket);
    SendingEnd(const SendingEnd&) = delete;
    SendingEnd& operator=(const SendingEnd&) = delete;

    /// @return the socket
    Ptr<Socket> GetSocket() const;
    /// @return the socket if it is this study's, null if it is ns-3's own
    Ptr<ConnectionSocket> GetOwnSocket() const;
    /// @return the clock that runs from the SYN
    LimitClock& GetLimitClock();
    /// @return the segments that have passed
    const ConnectionSocket::Counts& GetCounts() const;
    /// @return true while something sent may still be sent again
    bool IsRetransmitting() const;
    /// End the handshake by a clock that ns-3's own socket does not tell of it.
    void EndHandshake(ExchangeClock& clock) const;
    /// Add how a clock has split the time: of ns-3's own socket the handshake, and the rest as
    /// not told.
    /// @param clock the one that watched the end
    void AddLimits(JsonObject& record,
                   std::span<const Limit> limits,
                   const ShareClock& clock) const;
    /// @return one sentence on what the sender waits for
    std::string DescribeWait() const;

  private:
    /// Follow the trace sources of ns-3's own socket.
    void WatchStock();
    /// ns-3's own socket has sent a segment.
    void StockSent(uint32_t size, bool isSyn);

    Ptr<Socket> m_socket;              //!< the socket
    Ptr<ConnectionSocket> m_own;       //!< the same if it is this study's
    LimitClock m_stopwatch;            //!< times a transfer of ns-3's own
    uint32_t m_syns{0};                //!< SYNs sent
    bool m_connected{false};           //!< a segment of the peer has come
    ConnectionSocket::Counts m_counts; //!< data sent into a closed window are probes
    /// The peer's, any before it is told [B].
    uint32_t m_window{std::numeric_limits<uint32_t>::max()};
    uint32_t m_congestionWindow{0}; //!< the sender's own [B]
    uint32_t m_inFlight{0};         //!< sent and believed to be in flight [B]
    Time m_lastSent;                //!< when a SYN or data were last sent
};

} // namespace ns3::study

#endif /* SENDING_END_H */
