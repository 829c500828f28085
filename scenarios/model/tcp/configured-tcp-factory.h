/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONFIGURED_TCP_FACTORY_H
#define CONFIGURED_TCP_FACTORY_H

#include "model/connection/connection-settings.h"

#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/socket-factory.h"

namespace ns3::study
{

/**
 * @brief Makes the TCP sockets of one node as a TcpEnd's attributes say.
 *
 * Aggregated to a node it lets any ns-3 application use these sockets by this factory's TypeId,
 * and lets two nodes have different TCPs, which Config::SetDefault cannot. TcpL4Protocol's
 * SocketType and RecoveryType name what sockets of the stock factory do; a warning is logged where
 * somebody has set them. The attributes of TcpSocket, such as SndBufSize, have the values that the
 * TcpEnd says. Setting one logs a warning; only TcpNoDelay, set at a socket, has an effect.
 */
class ConfiguredTcpFactory : public SocketFactory
{
  public:
    static TypeId GetTypeId();

    /// Make a factory and aggregate it to a node that has an internet stack.
    /// @param end makes a TcpEnd
    static Ptr<ConfiguredTcpFactory> Install(Ptr<Node> node, const ObjectFactory& end);

    /// Fix the streams of the random numbers that sockets draw which are made from now on.
    /// @return how many are set aside for them, from the first one on
    int64_t AssignStreams(int64_t stream);

    Ptr<Socket> CreateSocket() override;

  private:
    tcp::ConnectionSettings m_settings; //!< of all sockets
    int64_t m_stream{-1};               //!< the next socket's first stream; below 0 ns-3 chooses
};

} // namespace ns3::study

#endif /* CONFIGURED_TCP_FACTORY_H */
