/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_DRIVER_H
#define ETHERNET_DRIVER_H

#include "packet-path.h"

namespace ns3::study
{

/**
 * @brief The kernel's way to an Ethernet controller on a narrow bus.
 *
 * Between memory and the controller a frame is moved in words of the bus's width. With programmed
 * I/O (PIO) the processor moves them: for each word it runs the instructions of a copy loop, and
 * then is held until the bus has taken the word, for BusCycles clocks of the bus and WaitStates
 * more. Neither overlaps the other, because accesses to a device are kept in order. With DMA the
 * bus needs its clocks all the same, but the processor does not wait.
 *
 * For each packet there is work besides, whatever its size.
 */
class EthernetDriver : public PacketPath
{
  public:
    static TypeId GetTypeId();

    /// Who moves the words.
    enum Transfer
    {
        PIO, //!< the processor, which waits for each
        DMA  //!< the controller
    };

  protected:
    std::vector<CpuWork> GetSendWork(uint32_t octets) const override;
    std::vector<CpuWork> GetReceiveWork(uint32_t octets) const override;
    Time GetBusTime(uint32_t octets) const override;

  private:
    /// Add what moving a frame costs the processor.
    void AddCopy(std::vector<CpuWork>& work, uint32_t octets) const;
    /// @return the words it takes
    uint32_t GetWords(uint32_t octets) const;
    /// @return how long the bus needs for it
    Time GetWordTime(uint32_t octets) const;

    double m_sendCycles;    //!< per packet sent
    double m_receiveCycles; //!< per packet received
    double m_taskletCycles; //!< more per packet received
    double m_wordCycles;    //!< of the copy loop, per word
    uint32_t m_busWidth;    //!< octets a word
    double m_busClock;      //!< clock rate of the bus [MHz]
    double m_busCycles;     //!< clocks of the bus a word needs at least
    double m_waitStates;    //!< more clocks a word
    Transfer m_transfer;    //!< who moves the words
};

} // namespace ns3::study

#endif /* ETHERNET_DRIVER_H */
