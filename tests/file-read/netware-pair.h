/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWARE_PAIR_H
#define NETWARE_PAIR_H

#include "file-read/ipx-protocol.h"
#include "file-read/netware-server.h"
#include "file-read/netware-workstation.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <optional>
#include <vector>

namespace ns3::study
{

/**
 * @brief Join nodes by an Ethernet of 10 Mbit/s and 500 ns without random backoff.
 * @param nodes the nodes
 * @param network number of the IPX network that it becomes; each node has IPX already
 * @return the interfaces
 */
NetDeviceContainer JoinIpx(const NodeContainer& nodes, uint32_t network);

/**
 * @param packet any packet
 * @return its octets in hexadecimal
 */
std::string Hex(Ptr<const Packet> packet);

/**
 * @param fragments a number of fragments of 1400 octets
 * @return octets of the file that a burst of so many holds
 */
uint64_t InBurst(uint32_t fragments);

/**
 * @brief A workstation that reads a file from a server on the same Ethernet.
 */
class NetwarePair
{
  public:
    /// What the workstation or the server did, and when.
    struct Event
    {
        Time time;  //!< when
        bool again; //!< it was a repetition
    };

    NetwarePair();
    ~NetwarePair();

    /**
     * @brief Lose frames in flight, the first being 0.
     * @param toServer those of the workstation
     * @param toWorkstation those of the server
     */
    void Lose(const std::vector<uint32_t>& toServer, const std::vector<uint32_t>& toWorkstation);
    /**
     * @brief Lose a fraction of all frames, in both directions.
     * @param share the fraction
     */
    void Lose(double share);
    /**
     * @brief Send both ends a packet from a third.
     * @param packet what IPX carries
     */
    void SendBoth(Ptr<Packet> packet);
    /**
     * @brief Read a file, to the end or until the workstation gives up.
     * @param size octets of the file
     */
    void Run(uint64_t size);

    Ptr<NetwareWorkstation> workstation; //!< set its attributes before Run()
    Ptr<NetwareServer> server;           //!< set its attributes before Run()

    std::optional<NetwareWorkstation::End> end; //!< how it ended
    Time endTime;                               //!< when
    std::vector<Event> sent;                    //!< packets of the server
    std::vector<Time> requests;                 //!< requests, not repeated
    uint32_t repeated{0};                       //!< repeated requests
    uint32_t lists{0};                          //!< lists of missing fragments
    uint64_t received{0};                       //!< new octets at the workstation

    /**
     * @return packets of the server that it sent before
     */
    uint32_t GetResent() const;

  private:
    NodeContainer m_nodes;           //!< the workstation, the server
    NetDeviceContainer m_interfaces; //!< theirs
};

/**
 * @brief Have a workstation read by packet burst.
 * @param pair the two
 * @param burstSize fragments a request
 */
void UseBurst(NetwarePair& pair, uint32_t burstSize);

} // namespace ns3::study

#endif /* NETWARE_PAIR_H */
