/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The octets in front of a packet on a frame-relay line.
 */

#include "model/frame-relay/frame-relay-header.h"
#include "model/frame-relay/rfc2427-header.h"
#include "tests/suite.h"

#include "ns3/packet.h"

#include <optional>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// The octets of a packet.
std::vector<uint8_t>
Octets(Ptr<const Packet> packet)
{
    std::vector<uint8_t> octets(packet->GetSize());
    packet->CopyData(octets.data(), packet->GetSize());
    return octets;
}

/// Written by hand from Q.922, figure 3-1: DLCI 6+4 bits, C/R, FECN, BECN, DE, EA 0 and 1.
class AddressField : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Check(16, {}, {0x04, 0x01});
        Check(102, {}, {0x18, 0x61});
        Check(1023, {}, {0xfc, 0xf1});
        Check(16, FrameRelayHeader::COMMAND_RESPONSE, {0x06, 0x01});
        Check(16, FrameRelayHeader::FECN, {0x04, 0x09});
        Check(16, FrameRelayHeader::BECN, {0x04, 0x05});
        Check(16, FrameRelayHeader::DISCARD_ELIGIBLE, {0x04, 0x03});
        const std::vector<std::vector<uint8_t>> notTwoOctets{{0x05, 0x01}, {0x04, 0x00}, {0x04}};
        for (const auto& octets : notTwoOctets)
        {
            FrameRelayHeader address;
            Ptr<Packet> packet = Create<Packet>(octets.data(), octets.size());
            NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(address), 0, "no such address field");
        }
    }

    /**
     * @param dlci the circuit
     * @param bit what to set, or nothing
     * @param expected the two octets
     */
    void Check(uint16_t dlci,
               std::optional<FrameRelayHeader::Bit> bit,
               const std::vector<uint8_t>& expected)
    {
        FrameRelayHeader address;
        address.SetDlci(dlci);
        if (bit)
        {
            address.SetBit(*bit);
        }
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(address);
        NS_TEST_EXPECT_MSG_EQ((Octets(packet) == expected), true, "octets of " << address);
        FrameRelayHeader read;
        packet->RemoveHeader(read);
        Ptr<Packet> again = Create<Packet>();
        again->AddHeader(read);
        NS_TEST_EXPECT_MSG_EQ((Octets(again) == expected), true, address << " is not read back");
    }
};

/// Written by hand from RFC 2427, 4.1 and 5: IPv4 has an NLPID, 0x8137 goes under SNAP.
class Encapsulation : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Check(0x0800, {0x03, 0xcc});
        Check(0x8137, {0x03, 0x00, 0x80, 0x00, 0x00, 0x00, 0x81, 0x37});
    }

    /**
     * @param etherType a protocol
     * @param expected its encapsulation
     */
    void Check(uint16_t etherType, const std::vector<uint8_t>& expected)
    {
        Rfc2427Header encapsulation;
        encapsulation.SetEtherType(etherType);
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(encapsulation);
        NS_TEST_EXPECT_MSG_EQ((Octets(packet) == expected), true, "octets of " << encapsulation);
        Rfc2427Header read;
        NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(read), expected.size(), "size read");
        NS_TEST_EXPECT_MSG_EQ(read.GetEtherType(), etherType, "EtherType read");
    }
};

const Suite g_frameRelayHeadersSuite(
    "frame-relay-headers",
    {new AddressField("each bit of the address field has its place"),
     new Encapsulation(
         "IPv4 has a protocol identifier of its own, all others an EtherType")}); //!< registers
                                                                                  //!< itself

} // namespace
