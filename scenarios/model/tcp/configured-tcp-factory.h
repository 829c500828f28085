/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONFIGURED_TCP_FACTORY_H
#define CONFIGURED_TCP_FACTORY_H

#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/socket-factory.h"

namespace ns3::study
{

/**
 * @brief Makes the TCP sockets of one node: of a given type, with given attributes.
 *
 * Aggregated to a node it lets any ns-3 application use these sockets by this factory's TypeId,
 * and lets two nodes have different TCPs, which Config::SetDefault cannot. Which congestion control
 * they have is for their own attributes to say, whatever TcpL4Protocol's SocketType and
 * RecoveryType are: those name what sockets of the stock factory do. A warning is logged where
 * somebody has set them.
 */
class ConfiguredTcpFactory : public SocketFactory
{
  public:
    static TypeId GetTypeId();

    /// Make a factory of such sockets and aggregate it to a node that has an internet stack.
    static Ptr<ConfiguredTcpFactory> Install(Ptr<Node> node, const ObjectFactory& sockets);

    /// Fix the streams of the random numbers that sockets draw which are made from now on.
    /// @return how many are set aside for them, from the first one on
    int64_t AssignStreams(int64_t stream);

    Ptr<Socket> CreateSocket() override;

  private:
    ObjectFactory m_sockets; //!< makes the sockets
    int64_t m_stream{-1};    //!< the next socket's first stream; below 0 ns-3 chooses
};

} // namespace ns3::study

#endif /* CONFIGURED_TCP_FACTORY_H */
