/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_TCP_H
#define HOST_TCP_H

#include "tcp-end.h"

namespace ns3::study
{

/// The TCP of a host of an ordinary operating system, at either end: what it sends, with which
/// pauses, and when it acknowledges.
class HostTcp : public TcpEnd
{
  public:
    static TypeId GetTypeId();

    tcp::ConnectionSettings GetSettings() const override;

  private:
    uint32_t m_receiveBuffer;  //!< SO_RCVBUF; 0 for none [B]
    WindowScale m_windowScale; //!< offered in the SYN
};

} // namespace ns3::study

#endif /* HOST_TCP_H */
