/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_READ_FAST_FORWARD_H
#define FILE_READ_FAST_FORWARD_H

#include "model/clocks/limit-clock.h"
#include "model/frame-relay/frame-relay-wan.h"
#include "model/proof/fast-forward.h"
#include "netware-server.h"
#include "netware-workstation.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::study
{

/**
 * @brief Takes whole requests off the reading of a file.
 *
 * A stretch ends when an answer is complete, and only those count at whose end nothing is in
 * flight: then the record of the two ends, the lines and the contract is all there is. The file is
 * shortened at its end.
 */
class FileReadFastForward : public FastForward
{
  public:
    /// What a result counts.
    using Counters = std::function<std::vector<uint64_t>()>;

    /// Watch a transfer that is ended at some instant; skipped is called as FastForward says.
    FileReadFastForward(Ptr<NetwareWorkstation> workstation,
                        Ptr<NetwareServer> server,
                        Ptr<FrameRelayWan> wan,
                        LimitClock& clock,
                        Counters counters,
                        Time timeLimit,
                        std::function<void(Time)> skipped);

    /// @return octets of the file in the requests taken off [B]
    uint64_t GetBytesSkipped() const;
    /// @return what a result counts, with what was taken off
    std::vector<uint64_t> GetCounts() const;

  private:
    /// What happens between two marks.
    enum Event : int64_t
    {
        WORKSTATION_SENT,
        SERVER_SENT,
        ARRIVED,
        NEEDLESS
    };

    /// What grows by the same in every cycle; the counters come behind, and then the link's.
    enum Total
    {
        BYTES,
        FIRST_SHARE,
        FIRST_COUNTER = FIRST_SHARE + static_cast<int>(Limit::N_LIMITS)
    };

    bool HasMore() const override;
    void Describe(StateRecord& state) const override;
    std::vector<int64_t> GetTotals() const override;
    uint64_t CountLeft(const CycleDetector::Cycle& cycle) const override;
    void Skip(const CycleDetector::Cycle& cycle, uint64_t count) override;

    Ptr<NetwareWorkstation> m_workstation; //!< reads
    Ptr<NetwareServer> m_server;           //!< has the file
    Ptr<FrameRelayWan> m_wan;              //!< between the two
    LimitClock& m_clock;                   //!< splits the time
    Counters m_counters;                   //!< what a result counts
    uint64_t m_requestsSent{0};            //!< packets of the workstation
    uint64_t m_answersSent{0};             //!< packets of the server
    uint64_t m_answersArrived{0};          //!< of these, at the workstation
    uint64_t m_bytesSkipped{0};            //!< octets of what was taken off
    std::vector<uint64_t> m_countSkipped;  //!< what it would have added to each counter
};

} // namespace ns3::study

#endif /* FILE_READ_FAST_FORWARD_H */
