/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IPX_PROTOCOL_H
#define IPX_PROTOCOL_H

#include "ipx-header.h"

#include "ns3/net-device.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <map>
#include <vector>

namespace ns3::study
{

/**
 * @brief IPX on a node: sockets above, interfaces below, and routes between networks.
 *
 * Aggregate it to a node and add the node's interfaces. A node with routes is a router: it passes
 * on what is not for one of its own interfaces, counts itself in the packet's hop count, and drops
 * a packet that would have crossed sixteen; its own time for a packet is its interfaces'. Routes
 * are static, and a server is known by its address: RIP and SAP, by which NetWare learns both, are
 * left out, and so are broadcasts. Frames are Ethernet II.
 */
class IpxProtocol : public Object
{
  public:
    /// The hop count at which a packet is dropped.
    static constexpr uint8_t MAXIMUM_HOPS = 16;

    static TypeId GetTypeId();

    /// Use an interface of the node. @return its index, for AddRoute()
    uint32_t AddInterface(Ptr<NetDevice> device, uint32_t network);
    /// Send what is for a network through an interface.
    /// @param network the number of a network the node is not on itself
    /// @param interface the interface's index
    /// @param nextHop address of the router there
    void AddRoute(uint32_t network, uint32_t interface, Mac48Address nextHop);

    /// Called with each packet for a socket, its IPX header taken off.
    using Receiver = std::function<void(Ptr<Packet>, const IpxHeader&)>;

    /// Open a socket.
    void Open(uint16_t socket, Receiver receiver);
    /// Close a socket.
    void Close(uint16_t socket);
    /// Send what follows an IPX header from a socket.
    void Send(Ptr<Packet> packet, uint16_t socket, const IpxAddress& destination);

    /// @return network and address of an interface, with socket 0
    IpxAddress GetAddress(uint32_t interface) const;

    /// Why a packet was dropped.
    enum DropReason
    {
        DROP_NO_ROUTE,  //!< no interface and no route leads to its network
        DROP_HOPS,      //!< it would have crossed too many routers
        DROP_NO_SOCKET, //!< nobody has opened its socket
        DROP_MALFORMED  //!< it is shorter than its header says
    };

    /// Signature of the Drop trace source's callbacks.
    using DropTracedCallback = void (*)(Ptr<const Packet>, DropReason);

  protected:
    void DoDispose() override;

  private:
    /// An interface.
    struct Interface
    {
        Ptr<NetDevice> device; //!< the device
        uint32_t network;      //!< the network it is on
        Mac48Address node;     //!< its address there
    };

    /// The way to a network.
    struct Route
    {
        uint32_t interface;   //!< index of the interface
        Mac48Address nextHop; //!< the router there
    };

    /// A frame has arrived: hand it up, or pass it on if it is for another node.
    void Received(Ptr<const Packet> frame);
    /// Hand a packet, still without its header, to the interface that leads to its destination.
    void Transmit(Ptr<Packet> packet, const IpxHeader& header);
    /// @param network a network
    /// @param node the node wanted there
    /// @return the interface that leads to it, and the station to address there; the number of
    ///         interfaces in its place if there is no way
    Route FindRoute(uint32_t network, Mac48Address node) const;

    std::vector<Interface> m_interfaces;                       //!< the interfaces
    std::map<uint32_t, Route> m_routes;                        //!< by network
    std::map<uint16_t, Receiver> m_receivers;                  //!< by socket
    TracedCallback<Ptr<const Packet>, DropReason> m_dropTrace; //!< a packet was dropped
};

} // namespace ns3::study

#endif /* IPX_PROTOCOL_H */
