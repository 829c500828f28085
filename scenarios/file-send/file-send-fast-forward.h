/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_SEND_FAST_FORWARD_H
#define FILE_SEND_FAST_FORWARD_H

#include "file-server.h"
#include "model/machine/packet-path.h"
#include "model/tcp/server-application.h"
#include "model/tcp/tcp-fast-forward.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::study
{

/**
 * @brief Takes whole cycles off the sending of a file: a stretch ends with the first ACK of new
 * data after each half of a buffer or more was copied, and the file is shortened at its unread end.
 *
 * A cycle has whole buffers of the file, so many that segments lie in them as before. That is one
 * or two where the rest of a buffer leaves as a small segment, and up to as many as the MSS has
 * octets where it never does. Segments wait for the processor or the bus in the order in which they
 * were sent, so what is done for each follows from that, and from what is recorded of the work.
 */
class FileSendFastForward : public TcpFastForward
{
  public:
    /// What moves the file.
    struct Machine
    {
        Ptr<Cpu> cpu;           //!< its processor
        Ptr<Disk> disk;         //!< has the file
        Ptr<PacketPath> driver; //!< between TCP and the interface
    };

    /// Watch a transfer that is ended at some instant; skipped is called as FastForward says.
    FileSendFastForward(Ptr<ConnectionSocket> host,
                        Ptr<FileServer> server,
                        Ptr<ServerApplication> client,
                        const Machine& machine,
                        Ptr<Link> link,
                        Time timeLimit,
                        std::function<void(Time)> skipped);

  private:
    /// What else grows by the same in every cycle; the processor's time by stage comes behind.
    enum Own
    {
        READ,
        FIRST_STAGE
    };

    void Acknowledged() override;
    bool HasMore() const override;
    void Describe(StateRecord& state) const override;
    std::vector<int64_t> GetTotals() const override;
    uint64_t CountLeft(const CycleDetector::Cycle& cycle) const override;
    void Skip(const CycleDetector::Cycle& cycle, uint64_t count) override;

    Ptr<FileServer> m_server; //!< sends the file
    Machine m_machine;        //!< the server's
    uint64_t m_halves{0};     //!< of buffers, copied at the last stretch's end
    uint64_t m_stretches{0};  //!< so far
};

} // namespace ns3::study

#endif /* FILE_SEND_FAST_FORWARD_H */
