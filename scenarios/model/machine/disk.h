/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DISK_H
#define DISK_H

#include "cpu.h"
#include "model/proof/state-record.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <functional>

namespace ns3::study
{

/// A disk that is read from beginning to end, at a rate, and what the processor does then.
class Disk : public Object
{
  public:
    static TypeId GetTypeId();

    /// How reading goes with the processor's other work.
    enum Reading
    {
        HELD,      //!< the processor is held while the disk delivers, a page at a time
        WAITED,    //!< the disk delivers by itself, and only when asked: the reader waits
        READ_AHEAD //!< it also goes on with the next read while the reader works on the last
    };

    static constexpr uint32_t PAGE = 4096; //!< of Linux's page cache [B]

    /// Set the machine's processor.
    void SetCpu(Ptr<Cpu> cpu);
    /// Read so many bytes more; done is called when they are in the page cache. One at a time.
    void Read(uint32_t size, std::function<void()> done);
    /// Add what decides when the bytes asked for, and the next ones, are there.
    void Describe(StateRecord& state) const;

    /// TracedCallback signature for a reader's waiting.
    typedef void (*WaitedTracedCallback)(bool waited);

  protected:
    void DoDispose() override;

  private:
    /// Hold the processor for a page, and again until all bytes are read.
    void ReadPages(const std::function<void()>& done);
    /// The bytes asked for are there; begin with the next, where it reads ahead.
    void Deliver(const std::function<void()>& done);

    DataRate m_rate;                    //!< of reading
    Reading m_reading;                  //!< how it goes with other work
    Ptr<Cpu> m_cpu;                     //!< what is held
    uint32_t m_left{0};                 //!< of what is being read while the processor is held [B]
    Time m_began;                       //!< when the read ahead began
    bool m_ahead{false};                //!< there is one
    EventId m_deliverEvent;             //!< Deliver()
    TracedCallback<bool> m_waitedTrace; //!< the reader waits, and the processor does not
};

} // namespace ns3::study

#endif /* DISK_H */
