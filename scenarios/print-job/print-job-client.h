/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINT_JOB_CLIENT_H
#define PRINT_JOB_CLIENT_H

#include "model/proof/state-record.h"
#include "model/tcp/client-application.h"
#include "print-job-script.h"

#include "ns3/nstime.h"

namespace ns3::study
{

/**
 * @brief The host's spooler: connects to a device, writes a job and closes.
 *
 * A part of the job larger than FirstWrite is written as the measured host did: FirstWrite bytes,
 * then WriteSize bytes every WriteTime, until the send buffer is full; from then on as much as
 * fits whenever there is room. With other WriteReturns each write is waited for, and WriteTime
 * runs from there. A job with replies is done when the last reply is in, one without
 * when all of it is acknowledged.
 */
class PrintJobClient : public ClientApplication
{
  public:
    static TypeId GetTypeId();

    /// Set whom to connect to, by a socket not connected yet, and what to write.
    void SetJob(const Address& device, Ptr<Socket> socket, const PrintJobScript& script);

    /// Add what decides the client's course, but for the bytes left to write.
    void Describe(StateRecord& state) const;
    /// @return bytes of the current part of the job that are not written yet
    uint64_t GetUnwritten() const;
    /// Shorten the current part of the job, or the last one if all is written, by less than is
    /// unwritten of the file; where nothing is, by octets of the file that were taken back.
    void Skip(uint64_t bytes);

  private:
    void Connected() override;
    void RoomAvailable() override;
    void DataReceived() override;
    void Acknowledged(uint64_t bytes) override;

    /// Go on with the step that is due, after the time the application takes.
    void Think();
    /// Write the next piece of the current step.
    void Write();
    /// @return the next octets of the current step, written now
    Ptr<Packet> Take(uint32_t size);

    Time m_thinkTime;            //!< from a reply to the write it leads to
    uint32_t m_firstWrite;       //!< first write of a large part [B]
    uint32_t m_writeSize;        //!< later writes [B]
    WriteReturns m_writeReturns; //!< when a write does
    Time m_writeTime;            //!< between two writes

    PrintJobScript m_script; //!< what to write
    std::size_t m_step{0};   //!< index of the current step
    uint64_t m_written{0};   //!< octets of the current step already written
    bool m_ahead{false};     //!< the send buffer has been full in this step
};

} // namespace ns3::study

#endif /* PRINT_JOB_CLIENT_H */
