/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_END_H
#define TCP_END_H

#include "model/connection/connection-settings.h"
#include "setting-accessor.h"
#include "tcp-options.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::study
{

constexpr uint32_t LARGEST_MSS = 65495; //!< what IPv4's 65535 octets leave beside 40 of headers [B]

/// The TCP of one end, as attributes: what host and device have in common.
class TcpEnd : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the numbers of a connection of this end
    virtual tcp::ConnectionSettings GetSettings() const = 0;

    tcp::ConnectionSettings m_settings; //!< those that are attributes, by SETTING

  protected:
    /// @return the numbers that the attributes say
    tcp::ConnectionSettings GetCommon() const;

  private:
    Time m_timerTick;  //!< between two ticks of the clock that timers go by
    bool m_timerWheel; //!< these are in Linux's timer wheel
};

} // namespace ns3::study

#endif /* TCP_END_H */
