/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAST_FORWARD_RUN_H
#define FAST_FORWARD_RUN_H

#include "model/program/transfer-run.h"
#include "model/proof/fast-forward.h"

#include <memory>
#include <utility>

namespace ns3::study
{

/// A run that proven cycles are taken off.
class FastForwardRun : public TransferRun
{
  public:
    using TransferRun::TransferRun;

    /// @return what takes cycles off; null in a full run
    const FastForward* GetFastForward() const
    {
        return m_fastForward.get();
    }

  protected:
    /// Take cycles off, unless the run is to be simulated in full or leaves a file.
    /// @param arguments those of the constructor before the time limit
    /// @return what takes them off; null in a full run
    template <class Kind, class... Arguments>
    Kind* TakeCyclesOff(Arguments&&... arguments)
    {
        if (!m_files.fastForward || !m_files.IsEmpty())
        {
            return nullptr;
        }
        auto made = std::make_unique<Kind>(std::forward<Arguments>(arguments)...,
                                           m_limits->m_timeLimit,
                                           [this](Time left) { SetTimeLeft(left); });
        Kind* const kept = made.get();
        m_fastForward = std::move(made);
        return kept;
    }

  private:
    void Report(JsonObject& record) final
    {
        if (m_fastForward)
        {
            m_fastForward->CheckEnd(GetOutcome() == Outcome::STALLED);
        }
        if (!m_fastForward || !m_fastForward->IsInDoubt())
        {
            Tell(record);
        }
    }

    /// Tell what came out, and leave the files. A run in doubt is not told: it is made again.
    virtual void Tell(JsonObject& record) = 0;

    std::unique_ptr<FastForward> m_fastForward; //!< takes cycles off
};

} // namespace ns3::study

#endif /* FAST_FORWARD_RUN_H */
