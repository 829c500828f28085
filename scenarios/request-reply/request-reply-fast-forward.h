/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REQUEST_REPLY_FAST_FORWARD_H
#define REQUEST_REPLY_FAST_FORWARD_H

#include "model/clocks/exchange-clock.h"
#include "model/ethernet/link.h"
#include "model/tcp/tcp-fast-forward.h"
#include "reply-server.h"
#include "request-client.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::study
{

/**
 * @brief Takes whole commands off an exchange: a stretch ends with each reply.
 *
 * What is in flight follows from what was sent in the cycles before, of which each has a command
 * and so a round trip at least. Spurious retransmissions may be part of a cycle.
 */
class RequestReplyFastForward : public TcpFastForward
{
  public:
    /// What a result counts.
    using Counters = std::function<std::vector<uint64_t>()>;

    /// Watch an exchange that is ended at some instant; skipped is called as FastForward says.
    RequestReplyFastForward(Ptr<ConnectionSocket> socket,
                            Ptr<RequestClient> client,
                            Ptr<ReplyServer> server,
                            Ptr<Link> link,
                            ExchangeClock& clock,
                            Counters counters,
                            Time timeLimit,
                            std::function<void(Time)> skipped);

    /// @return how many commands were taken off
    uint64_t GetCommandsSkipped() const;
    /// @return what a result counts, with what was taken off
    std::vector<uint64_t> GetCounts() const;

  private:
    void Acknowledged() override;
    bool MayResend() const override;
    bool HasMore() const override;
    void Describe(StateRecord& state) const override;
    std::vector<int64_t> GetTotals() const override;
    uint64_t CountLeft(const CycleDetector::Cycle& cycle) const override;
    void Skip(const CycleDetector::Cycle& cycle, uint64_t count) override;

    Ptr<RequestClient> m_client;          //!< sends the commands
    Ptr<ReplyServer> m_server;            //!< answers them
    const ExchangeClock& m_exchangeClock; //!< splits the time
    uint64_t m_commandsSkipped{0};        //!< taken off
    Counters m_counters;                  //!< what a result counts
    std::vector<uint64_t> m_countSkipped; //!< what was not simulated of each
};

} // namespace ns3::study

#endif /* REQUEST_REPLY_FAST_FORWARD_H */
