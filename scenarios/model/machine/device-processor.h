/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEVICE_PROCESSOR_H
#define DEVICE_PROCESSOR_H

#include "packet-path.h"

#include <functional>

namespace ns3::study
{

/**
 * @brief A device's own processor: a cause for late ACKs and a slow drain.
 *
 * It takes cycles to receive and to send a packet, to move each octet of a frame received into the
 * buffer, and to move each byte from the buffer to the printer's port. With a clock of 0 there is
 * none, and the device's latencies are all there is; otherwise they come on top of it.
 */
class DeviceProcessor : public PacketPath
{
  public:
    static TypeId GetTypeId();

    /// @return true if there is a processor
    bool IsOn() const;
    /// Take the place between TCP and IP of a device that has its interfaces.
    void Install(Ptr<Node> node);
    /// Move so many bytes to the printer's port, when there is time; done is called then.
    void Drain(uint32_t size, std::function<void()> done);
    /// @return how long it takes to receive so many bytes, a segment each, and to drain them
    Time GetLongest(uint32_t size) const;

  protected:
    std::vector<CpuWork> GetSendWork(uint32_t octets) const override;
    std::vector<CpuWork> GetReceiveWork(uint32_t octets) const override;

  private:
    double m_clock;        //!< clock rate [MHz], 0 for none
    double m_packetCycles; //!< per packet, sent or received
    double m_byteCycles;   //!< per octet of a frame received
    double m_drainCycles;  //!< per byte passed on to the port
};

} // namespace ns3::study

#endif /* DEVICE_PROCESSOR_H */
