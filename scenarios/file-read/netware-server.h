/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWARE_SERVER_H
#define NETWARE_SERVER_H

#include "burst-assembly.h"
#include "ipx-protocol.h"
#include "model/clocks/limit-clock.h"
#include "model/proof/state-record.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <optional>
#include <set>

namespace ns3::study
{

/**
 * @brief A NetWare file server that answers one workstation's reads of one open file.
 *
 * A request is answered after ServerTime: by one reply, or by the fragments of a burst, with the
 * gap between them that the workstation asked for. Of a burst it sends again what a list of missing
 * fragments names, and nothing else. A request that is repeated while the server works on it, or
 * still sends its burst, is passed over (a NetWare server would say that it is at work, 0x9999).
 */
class NetwareServer : public Application
{
  public:
    static TypeId GetTypeId();

    /// Set what was agreed when the workstation opened file and burst connection.
    /// @param size octets of the file [B]
    /// @param fragmentSize octets of a burst in one packet [B]
    void SetFile(uint64_t size, uint32_t fragmentSize);
    /// @return from a request to the first packet of its answer
    Time GetServerTime() const;

    /// @return packets that have come
    uint64_t GetArrived() const;
    /// Add what decides the server's course, but for the octets left; numbers of requests count
    /// from the latest.
    void Describe(StateRecord& state, uint16_t latest) const;
    /// Do without so many octets at the end of the file: their requests were not simulated.
    void Skip(uint64_t octets);

    /// Signature of the Tx trace source's callbacks: a packet, and whether it was sent before.
    using TxTracedCallback = void (*)(Ptr<const Packet>, bool);
    /// Signature of the Limit trace source's callbacks.
    using LimitTracedCallback = void (*)(Limit);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// A burst that is being sent, or may be asked for again.
    struct Burst
    {
        uint16_t sequence;          //!< its number
        IpxAddress workstation;     //!< whom it is for
        Time gap;                   //!< between two packets
        uint64_t fileOffset;        //!< of its first octet of the file
        uint32_t size;              //!< octets of the file
        BurstAssembly sent;         //!< the fragments sent at least once
        std::set<uint32_t> waiting; //!< offsets of the fragments still to send
    };

    /// A packet has come.
    void Received(Ptr<Packet> packet, const IpxHeader& ipx);
    /// Answer a request or burst after ServerTime, unless at work on the same.
    void Work(uint16_t sequence, std::function<void()> answer);
    /// Reply to a request.
    void Reply(const NcpReadRequestHeader& request, const IpxAddress& workstation);
    /// Answer a burst request: send all of it.
    void BeginBurst(const BurstHeader& header,
                    const BurstReadHeader& read,
                    const IpxAddress& workstation);
    /// Send again what is missing.
    void SendMissing(const BurstHeader& header);
    /// Send what is waiting, up to the next gap.
    void SendFragments();
    /// Send the fragment that begins there in the burst, the last if no other is waiting.
    void SendFragment(uint32_t offset, bool last);
    /// @return how many of the octets wanted the file has [B]
    uint32_t Available(uint64_t offset, uint32_t size) const;

    Time m_serverTime;          //!< from a request to the first packet of its answer
    uint64_t m_fileSize{0};     //!< octets of the file
    uint64_t m_arrived{0};      //!< packets that have come
    uint32_t m_fragmentSize{0}; //!< octets of a burst in one packet

    Ptr<IpxProtocol> m_ipx;                            //!< the node's IPX
    uint16_t m_workSequence{0};                        //!< number of what the server last worked on
    EventId m_workEvent;                               //!< the end of ServerTime
    EventId m_gapEvent;                                //!< the end of a gap
    std::optional<Burst> m_burst;                      //!< the burst, once one was asked for
    std::optional<uint8_t> m_lastSequence;             //!< of the last request replied to
    uint32_t m_packetSequence{0};                      //!< counts the packets of bursts
    TracedCallback<Ptr<const Packet>, bool> m_txTrace; //!< a packet is sent
    TracedCallback<Limit> m_limitTrace;                //!< what the server waits for
};

} // namespace ns3::study

#endif /* NETWARE_SERVER_H */
