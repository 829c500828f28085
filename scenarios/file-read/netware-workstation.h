/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWARE_WORKSTATION_H
#define NETWARE_WORKSTATION_H

#include "burst-assembly.h"
#include "ipx-protocol.h"
#include "model/proof/state-record.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/traced-callback.h"

#include <functional>
#include <optional>
#include <string>

namespace ns3::study
{

/**
 * @brief A NetWare workstation that reads a file from its first octet to its last.
 *
 * It begins with the file open: creating the service connection, agreeing on packet sizes and
 * opening the file are left out. One request is outstanding at a time. With request/reply it asks
 * for ReadSize octets and gets them in one packet; with packet burst it asks for as many as
 * BurstSize fragments hold, and lists what is missing of them when the last fragment has come or
 * nothing has come for too long. A request or list without any answer is repeated, each time after
 * a longer wait.
 *
 * How long is too long: ReplyTimeout, but no less than two round trips, and the gap it asked for
 * besides. NetWare measures the round trip, first of all when it makes the connection and tries the
 * largest packet; that is left out here, so whoever builds the path tells it. NetWare's adapting of
 * gap and burst size to losses is not modelled.
 */
class NetwareWorkstation : public Application
{
  public:
    static constexpr uint16_t SOCKET = 0x4003; //!< the first that NetWare gives to a program

    /// How the file is read.
    enum Protocol
    {
        REQUEST_REPLY, //!< NCP: one packet a request
        PACKET_BURST   //!< NCP's burst mode: several packets a request
    };

    /// How the transfer ended.
    enum class End
    {
        FINISHED, //!< every octet has come
        GAVE_UP   //!< no repeated request was answered
    };

    static TypeId GetTypeId();

    /// Set the network and node of the server, and the size of the file to read [B].
    void SetFile(const IpxAddress& server, uint64_t size);

    /// Set the round trip measured at the start: to the arrival of the largest packet.
    void SetRoundTrip(Time roundTrip)
    {
        m_roundTrip = roundTrip;
    }

    /// Set what to call, once, when the transfer ends.
    void SetEndCallback(std::function<void(End)> callback)
    {
        m_end = std::move(callback);
    }

    /// @return octets of a burst in one packet [B]
    uint32_t GetFragmentSize() const
    {
        return m_fragmentSize;
    }

    /// @return octets of the file that have come, each counted once [B]
    uint64_t GetReceived() const
    {
        return m_received;
    }

    /// @return octets of the file that have not come [B]
    uint64_t GetLeft() const
    {
        return m_fileSize - m_received;
    }

    /// @return the number of the latest request
    uint16_t GetSequence() const
    {
        return m_sequence;
    }

    /// Add what decides the workstation's course, but for the octets left.
    void Describe(StateRecord& state) const;

    /// Do without so many octets at the end of the file: their requests were not simulated.
    void Skip(uint64_t octets)
    {
        m_fileSize -= octets;
    }

    /// @return octets that IPX carries of a request [B]
    uint32_t GetRequestSize() const;
    /// @return octets that IPX carries of the largest packet of an answer [B]
    uint32_t GetAnswerSize() const;
    /// @return what the workstation waits for, in words
    std::string DescribeWait() const;

    /// What the workstation sends.
    enum class Message
    {
        REQUEST,          //!< a request for octets not asked for before
        REPEATED_REQUEST, //!< the same again
        MISSING_LIST      //!< a list of missing fragments
    };

    /// Signature of the Tx trace source's callbacks.
    using TxTracedCallback = void (*)(Message);
    /// Signature of the Rx trace source's callbacks: new octets of the file.
    using RxTracedCallback = void (*)(uint32_t);
    /// Signature of the Needless trace source's callbacks.
    using NeedlessTracedCallback = void (*)();
    /// Signature of the Repair trace source's callbacks.
    using RepairTracedCallback = void (*)(bool);
    /// Signature of the Timeout trace source's callbacks.
    using TimeoutTracedCallback = void (*)();

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Ask for what comes next in the file.
    void RequestNext();
    /// Send the request that is outstanding.
    void SendRequest();
    /// Send the list of what is missing of the burst.
    void SendMissingList();
    /// Complete a burst's header and send it, before what follows it.
    void SendBurstPacket(BurstHeader header, Ptr<Packet> packet);
    /// Hand a packet to IPX and wait for its answer.
    void Send(Ptr<Packet> packet);
    /// No answer came in time.
    void TimedOut();
    /// A packet has come.
    void Received(Ptr<Packet> packet);
    /// @return true if a packet is the reply that is waited for
    bool ReplyReceived(Ptr<Packet> packet);
    /// @return true if a packet is a fragment of the burst that had not come before
    bool FragmentReceived(Ptr<Packet> packet);
    /// New octets have come, which belong there in the file.
    void Accept(Ptr<const Packet> octets, uint64_t offset);
    /// Wait for a packet, as long as is due.
    void Wait();
    /// @return the gap asked for, in the unit of the burst header
    uint32_t GetDelayTime() const;
    /// All that was asked for has come: go on, or end.
    void Answered();
    /// The end of the transfer.
    void Finish(End end);

    Protocol m_protocol;        //!< how the file is read
    uint16_t m_readSize;        //!< request/reply: octets asked for [B]
    uint32_t m_burstSize;       //!< packet burst: fragments asked for
    uint16_t m_fragmentSize;    //!< packet burst: octets in one packet [B]
    Time m_burstGap;            //!< packet burst: gap asked for
    Time m_turnaroundTime;      //!< from the last packet of an answer to the next request
    Time m_replyTimeout;        //!< shortest wait for a packet
    Time m_maximumReplyTimeout; //!< longest wait
    uint32_t m_maximumRetries;  //!< unanswered repetitions before giving up

    IpxAddress m_server;            //!< where the file is
    uint64_t m_fileSize{0};         //!< octets of the file
    Time m_roundTrip;               //!< from a request to its answer, while the path is idle
    std::function<void(End)> m_end; //!< whom to tell
    Ptr<IpxProtocol> m_ipx;         //!< the node's IPX
    EventId m_event;                //!< the next request, or the end of the wait

    uint64_t m_offset{0};                 //!< of the first octet asked for
    uint32_t m_size{0};                   //!< octets asked for
    bool m_outstanding{false};            //!< a request is
    uint16_t m_sequence{0};               //!< its number
    std::optional<BurstAssembly> m_burst; //!< what has come of it, in a burst
    uint32_t m_packetSequence{0};         //!< counts the packets of bursts
    uint32_t m_retries{0};                //!< since something came
    Time m_wait;                          //!< how long to wait for a packet
    uint64_t m_received{0};               //!< octets that have come

    TracedCallback<Message> m_txTrace;  //!< something is sent
    TracedCallback<uint32_t> m_rxTrace; //!< new octets have come
    TracedCallback<bool> m_repairTrace; //!< a list is, or is no longer, outstanding
    TracedCallback<> m_timeoutTrace;    //!< no answer came in time
    TracedCallback<> m_needlessTrace;   //!< something came again
};

} // namespace ns3::study

#endif /* NETWARE_WORKSTATION_H */
