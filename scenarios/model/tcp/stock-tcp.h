/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STOCK_TCP_H
#define STOCK_TCP_H

#include "configured-tcp-factory.h"
#include "model/program/parameter-set.h"

#include <string>

namespace ns3::study
{

/// Which TCP the two ends of a transfer have.
class TcpChoice : public Object
{
  public:
    /// What there is to choose from.
    enum Kind
    {
        STUDY, //!< this study's sockets
        STOCK  //!< ns-3's own: TcpSocketBase
    };

    static TypeId GetTypeId();

    /// Refuse parameters of the two ends, by their groups, that the chosen TCP cannot have.
    /// @throw ParameterError if there is one
    void Check(const ParameterSet& parameters,
               const std::string& one,
               const std::string& other) const;
    /**
     * @brief Give a node the sockets of a part of the scenario.
     *
     * ns-3's own are set to what the parameters of that part correspond to; the receiver's and the
     * sender's behaviour beyond these is ns-3's.
     * @param type the TcpEnd of this study's sockets there
     */
    Ptr<ConfiguredTcpFactory> Install(Ptr<Node> node,
                                      const ParameterSet& parameters,
                                      TypeId type,
                                      const std::string& group) const;

  private:
    Kind m_kind; //!< the choice
};

} // namespace ns3::study

#endif /* STOCK_TCP_H */
