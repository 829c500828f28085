/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_PAIR_H
#define TCP_PAIR_H

#include "model/ethernet/ethernet-link.h"
#include "model/records/interface-tap.h"
#include "model/tcp/configured-tcp-factory.h"
#include "model/tcp/connection-socket.h"
#include "model/tcp/device-tcp.h"
#include "model/tcp/host-tcp.h"

#include "ns3/node-container.h"
#include "ns3/tcp-header.h"

#include <vector>

namespace ns3::study
{

/// A segment as the host's interface saw it.
struct SeenSegment
{
    Time time;        //!< when
    bool fromHost;    //!< who sent it
    TcpHeader header; //!< its TCP header
    uint32_t size;    //!< its payload [B]
};

/**
 * @brief A host and a device joined by a link, a connection between them, and every segment.
 *
 * The host writes what it is told; the device reads at once unless told otherwise.
 */
class TcpPair
{
  public:
    /**
     * @param host the host's sockets
     * @param device the device's sockets
     * @param link what is between them: else an Ethernet of 10 Mbit/s that loses nothing
     * @param hostStream the first of the host's streams of random numbers
     */
    explicit TcpPair(ObjectFactory host = ObjectFactory("ns3::study::HostTcp"),
                     ObjectFactory device = ObjectFactory("ns3::study::DeviceTcp"),
                     ObjectFactory link = ObjectFactory("ns3::study::EthernetLink"),
                     int64_t hostStream = 5000);
    ~TcpPair();
    TcpPair(const TcpPair&) = delete;
    TcpPair& operator=(const TcpPair&) = delete;

    /// Write so many bytes as soon as there is room, from the connection on, and perhaps close.
    void Write(uint64_t size, bool close = false);
    /// Write so many bytes once more, whatever the room.
    void WriteNow(uint32_t size);
    /// Let the device's application read all there is and all that comes, or stop reading.
    void SetReading(bool reading);
    /// Lose every frame from the device, or none.
    void SetLossToHost(bool lose);
    /// Run the simulation up to an instant.
    void RunUntil(Time until);
    /// Send the device a segment that the host's socket knows nothing of.
    /// @param port of the host; 0 for that of its socket
    void Forge(uint8_t flags, uint32_t sequence, uint32_t acknowledges, uint16_t port = 0);
    /// @return how many segments with these flags an end has sent
    std::size_t Count(bool fromHost, uint8_t flags) const;
    /// @return an address of the device
    Address GetDevice(uint16_t port) const;
    /// @return a socket of the host that is not bound yet, or of the device
    Ptr<Socket> CreateSocket(bool ofHost) const;

    static constexpr uint16_t PORT = 9100; //!< that the device listens at

    /// @return the segments with payload the host sent
    std::vector<SeenSegment> HostData() const;
    /// @return the device's segments, the SYN-ACK left out
    std::vector<SeenSegment> DeviceSegments() const;

    Ptr<ConnectionSocket> listener;     //!< the device's, which the connection came in at
    Ptr<ConnectionSocket> hostSocket;   //!< the host's end
    Ptr<ConnectionSocket> deviceSocket; //!< the device's end, once connected
    std::vector<SeenSegment> seen;      //!< every segment at the host's interface
    uint64_t received{0};               //!< bytes the device's application has read
    bool hostClosed{false};             //!< the host's socket reported the end
    bool deviceClosed{false};           //!< the device's socket reported the end

  private:
    /// Write what fits.
    void Fill();
    /// Read all there is at the device's end.
    void Read(Ptr<Socket> socket);

    NodeContainer m_nodes; //!< host and device
    Ptr<Link> m_link;      //!< between the two
    uint64_t m_toWrite{0}; //!< bytes still to write
    bool m_close{false};   //!< close after the last
    bool m_reading{true};  //!< the device's application reads
};

} // namespace ns3::study

#endif /* TCP_PAIR_H */
