/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BBR_DRIVER_H
#define BBR_DRIVER_H

#include "model/connection/connection.h"

#include "ns3/tcp-bbr.h"
#include "ns3/tcp-rate-ops.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>
#include <map>

namespace ns3::study
{

/// @return what ns-3 calls a state of the recovery
TcpSocketState::TcpCongState_t ToCongState(LossRecovery::State state);

/**
 * @brief Lets ns-3's TcpBbr steer a connection.
 *
 * It measures the rate at which data are delivered (draft-ietf-ccwg-bbr, 4.1), with the latest
 * transmission of what was sent again. BBR decides before the segments that it lets go leave, as
 * Linux does (tcp_cong_control goes before tcp_xmit_recovery).
 */
class BbrDriver
{
  public:
    /// Begin with the connection. @param stream of the random numbers
    BbrDriver(const tcp::ConnectionSettings& settings,
              const tcp::Connection& connection,
              int64_t stream);

    /// An ACK was taken in.
    void Heard(const tcp::Heard& heard, const tcp::Connection& connection);
    /// Note whether losses are being recovered now.
    void Follow(const tcp::Connection& connection);
    /// The application is about to write.
    void Write(const tcp::Connection& connection);
    /// A segment with data has left. @param first nothing else is in flight
    void Sent(uint64_t begin, uint32_t size, bool first);
    /// @return what BBR has decided
    tcp::Steer Get() const;

  private:
    /// What was outstanding and delivered when a segment left.
    struct Departure
    {
        uint64_t end;       //!< offset behind it
        Time sent;          //!< when it left
        Time firstSent;     //!< when the send phase began
        Time deliveredTime; //!< last delivery before
        uint64_t delivered; //!< octets delivered before [B]
        bool limited;       //!< by the application
    };

    /// Take what lies in a range for delivered.
    void Deliver(uint64_t begin, uint64_t end);
    /// Have BBR see the connection's numbers.
    void Look(const tcp::Connection& connection);

    Ptr<TcpBbr> m_bbr;                        //!< what decides
    Ptr<TcpSocketState> m_tcb;                //!< what it sees
    LossRecovery::State m_state{};            //!< of the connection
    std::map<uint64_t, Departure> m_inFlight; //!< by offset
    uint64_t m_limited{0};                    //!< until so much is delivered; 0 for not [B]
    TcpRateOps::TcpRateConnection m_rate;     //!< what was delivered
    TcpRateOps::TcpRateSample m_sample;       //!< the last one
};

} // namespace ns3::study

#endif /* BBR_DRIVER_H */
