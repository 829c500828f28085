/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINT_JOB_FAST_FORWARD_H
#define PRINT_JOB_FAST_FORWARD_H

#include "model/ethernet/link.h"
#include "model/tcp/tcp-fast-forward.h"
#include "print-job-client.h"
#include "print-server.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::study
{

/// Takes whole cycles off a print job: a stretch ends with each ACK of new data, and the file in
/// hand is shortened at its unwritten end, or when all is written at its end in the send buffer.
class PrintJobFastForward : public TcpFastForward
{
  public:
    /// Watch a job that is ended at some instant; skipped is called as FastForward says.
    PrintJobFastForward(Ptr<ConnectionSocket> host,
                        Ptr<PrintJobClient> client,
                        Ptr<PrintServer> server,
                        Ptr<Link> link,
                        Time timeLimit,
                        std::function<void(Time)> skipped);

  private:
    /// What else grows by the same in every cycle.
    enum Own
    {
        WRITTEN,
        SINCE_PAUSE
    };

    void Acknowledged() override;
    bool HasMore() const override;
    bool IsDraining() const override;
    void Describe(StateRecord& state) const override;
    std::vector<int64_t> GetTotals() const override;
    uint64_t CountLeft(const CycleDetector::Cycle& cycle) const override;
    void Skip(const CycleDetector::Cycle& cycle, uint64_t count) override;

    Ptr<ConnectionSocket> m_host; //!< by which it is written
    Ptr<PrintJobClient> m_client; //!< what writes the job
    Ptr<PrintServer> m_server;    //!< what takes it
};

} // namespace ns3::study

#endif /* PRINT_JOB_FAST_FORWARD_H */
