/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BULK_RUN_H
#define BULK_RUN_H

#include "connection-run.h"
#include "model/tcp/tcp-fast-forward.h"

#include "ns3/sequence-number.h"

namespace ns3::study
{

/// A bulk transfer: what the connecting end writes is acknowledged by a constrained device, and the
/// clock of the connecting end's socket splits the time.
class BulkRun : public ConnectionRun
{
  public:
    /**
     * @param parameters the point
     * @param files what to write
     * @param peer the part of the scenario with the device's TCP, and its name in the record
     * @param hasMachine whether the sender has a disk and a bus that it can wait for
     * @param closing time for the two ends to close, after the end
     */
    BulkRun(const ParameterSet& parameters,
            const RunFiles& files,
            const std::string& peer,
            bool hasMachine = false,
            Time closing = Minutes(1));

    /// @return what the sender can wait for, in the order of the record
    /// @param hasMachine as above
    static std::vector<Limit> GetLimits(bool hasMachine = false);

    /// @return what every such run tells, in a scenario's own words
    /// @param bytes help of the payload
    /// @param duration help of the duration
    /// @param transfer what the scenario calls the transfer
    /// @param peer as above
    static std::vector<ResultField> GetResultFields(const std::string& bytes,
                                                    const std::string& duration,
                                                    const std::string& transfer,
                                                    const std::string& peer);

  protected:
    /// Install the two applications, and watch a transfer of so many bytes.
    void Follow(Ptr<ClientApplication> client, Ptr<ServerApplication> server, uint64_t size);
    /// @return the clock of the connecting end's socket
    LimitClock& GetLimitClock() const;
    bool IsAtWork() const override;
    /// Something has moved.
    virtual void Moved();

    const TcpFastForward* m_cycles{nullptr}; //!< takes cycles off; null in a full run

  private:
    ShareClock& GetClock() override;
    uint64_t GetBytes() const override;
    void TellCounts(JsonObject& record) override;
    /// Watch the device's end of the connection.
    void Accepted(Ptr<Socket> socket);
    /// The sender learnt that more is acknowledged.
    void Acknowledged(SequenceNumber32 before, SequenceNumber32 now);

    uint64_t m_size{0};    //!< payload in all [B]
    uint64_t m_numbers{0}; //!< sequence numbers acknowledged, of what was simulated
};

} // namespace ns3::study

#endif /* BULK_RUN_H */
