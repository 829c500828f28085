/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NCP_HEADER_H
#define NCP_HEADER_H

#include "model/core/octets-header.h"

#include "ns3/packet.h"

#include <cstdint>
#include <vector>

namespace ns3::study
{

/// Numbers of the NetWare Core Protocol.
namespace ncp
{

constexpr uint16_t SOCKET = 0x0451;          //!< IPX socket of a server
constexpr uint16_t REQUEST = 0x2222;         //!< packet type: request
constexpr uint16_t REPLY = 0x3333;           //!< packet type: reply
constexpr uint16_t BURST = 0x7777;           //!< packet type: packet burst
constexpr uint8_t READ_FROM_A_FILE = 72;     //!< function of a request
constexpr uint8_t CONNECTION = 1;            //!< the workstation's one connection, of either kind
constexpr uint8_t TASK = 1;                  //!< its one task
constexpr uint32_t HANDLE = 1;               //!< the open file: the last octets of its handle
constexpr uint32_t BURST_RESULT_SIZE = 8;    //!< octets before the file's in a burst's answer [B]
constexpr int64_t BURST_DELAY_UNIT = 100000; //!< unit of a burst's delay time [ns]

/// @param packet a packet of at least two octets
/// @return its packet type, its first two octets
uint16_t GetPacketType(Ptr<const Packet> packet);

} // namespace ncp

/// A request to read from a file: type 0x2222, function 72, 20 octets.
///
/// Layouts in this file are those that Wireshark's dissector (epan/dissectors/packet-ncp.c) takes
/// from Novell's books; all numbers are big-endian unless said otherwise.
class NcpReadRequestHeader : public OctetsHeader<NcpReadRequestHeader>
{
  public:
    static constexpr auto NAME = "ns3::study::NcpReadRequestHeader"; //!< of its type
    static constexpr uint32_t SIZE = 20;                             //!< of its fixed part [B]

    void Print(std::ostream& os) const override;
    void Pass(OctetCursor& octets);

    uint8_t sequence{0}; //!< number of the request, which its reply repeats
    uint32_t offset{0};  //!< of the first octet wanted [B]
    uint16_t size{0};    //!< octets wanted [B]
};

/// The reply to a read: type 0x3333, 10 octets, and then the file's.
class NcpReadReplyHeader : public OctetsHeader<NcpReadReplyHeader>
{
  public:
    static constexpr auto NAME = "ns3::study::NcpReadReplyHeader"; //!< of its type
    static constexpr uint32_t SIZE = 10;                           //!< of its fixed part [B]

    void Print(std::ostream& os) const override;
    void Pass(OctetCursor& octets);

    uint8_t sequence{0}; //!< of the request
    uint16_t size{0};    //!< octets of the file that follow [B]
};

/// A stretch of a burst's octets.
struct BurstRange
{
    uint32_t offset; //!< of its first octet in the burst [B]
    uint16_t size;   //!< its octets [B]
};

/// The burst header: type 0x7777, 36 octets, and the list of what is missing.
///
/// What a workstation sends has its burst sequence and its acknowledged sequence equal; an answer
/// acknowledges one more.
class BurstHeader : public OctetsHeader<BurstHeader>
{
  public:
    static constexpr auto NAME = "ns3::study::BurstHeader"; //!< of its type
    static constexpr uint32_t SIZE = 36;                    //!< of its fixed part [B]

    uint32_t GetSerializedSize() const override;

    /// Bits of the flags octet.
    enum Flags : uint8_t
    {
        END_OF_BURST = 0x10,
        FRAGMENT_LIST = 0x40, //!< a list of missing fragments follows
        SYSTEM = 0x80         //!< from one protocol to the other, with no data
    };

    void Print(std::ostream& os) const override;
    void Pass(OctetCursor& octets);

    uint8_t flags{0};                //!< of Flags
    uint32_t packetSequence{0};      //!< counts the packets of a sender
    uint32_t delayTime{0};           //!< gap between two packets, in ncp::BURST_DELAY_UNIT
    uint16_t burstSequence{0};       //!< number of the burst
    uint16_t ackSequence{0};         //!< number of the burst that is expected next
    uint32_t burstLength{0};         //!< octets in the whole burst [B]
    uint32_t fragmentOffset{0};      //!< of this packet's first octet in the burst [B]
    uint16_t fragmentLength{0};      //!< octets of the burst in this packet [B]
    std::vector<BurstRange> missing; //!< what has not come
};

/// What a burst request holds: the command to read, 24 octets.
/// Function 1 (read; little-endian), handle, 8 reserved octets, offset, size.
class BurstReadHeader : public OctetsHeader<BurstReadHeader>
{
  public:
    static constexpr auto NAME = "ns3::study::BurstReadHeader"; //!< of its type
    static constexpr uint32_t SIZE = 24;                        //!< of its fixed part [B]

    void Print(std::ostream& os) const override;
    void Pass(OctetCursor& octets);

    uint32_t offset{0}; //!< of the first octet wanted [B]
    uint32_t size{0};   //!< octets wanted [B]
};

/// What the answer to a burst request begins with: 8 octets, in its first fragment.
/// Result code (little-endian; 0: no error) and the number of the file's octets that follow.
class BurstReadResultHeader : public OctetsHeader<BurstReadResultHeader>
{
  public:
    static constexpr auto NAME = "ns3::study::BurstReadResultHeader"; //!< of its type
    static constexpr uint32_t SIZE = ncp::BURST_RESULT_SIZE;          //!< of its fixed part [B]

    void Print(std::ostream& os) const override;
    void Pass(OctetCursor& octets);

    uint32_t size{0}; //!< octets of the file [B]
};

} // namespace ns3::study

#endif /* NCP_HEADER_H */
