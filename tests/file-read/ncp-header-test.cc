/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The octets of NCP's headers, and what is made of packets that cannot be.
 */

#include "file-read/burst-assembly.h"
#include "file-read/ipx-header.h"
#include "netware-pair.h"
#include "tests/suite.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// Every field where Wireshark has it.
class NcpOctets : public Claim
{
    using Claim::Claim;

    /**
     * @param header a header
     * @param octets what it should be
     * @param what its name
     */
    template <class T>
    void Check(const T& header, const std::string& octets, const std::string& what)
    {
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(header);
        NS_TEST_EXPECT_MSG_EQ(Hex(packet), octets, what);
        T read;
        packet->RemoveHeader(read);
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 0, what << " read to its end");
        packet->AddHeader(read);
        NS_TEST_EXPECT_MSG_EQ(Hex(packet), octets, what << " written as read");
    }

    void DoRun() override
    {
        NcpReadRequestHeader request;
        request.sequence = 0x11;
        request.offset = 0x51525354;
        request.size = 1436;
        Check(request,
              "2222"
              "11"
              "01" // connection and task, 1
              "01"
              "00"
              "48"
              "00"
              "000000000001" // handle 1
              "51525354"
              "059c",
              "request");

        NcpReadReplyHeader reply;
        reply.sequence = 0x11;
        reply.size = 1436;
        Check(reply,
              "3333"
              "11"
              "010100"
              "0000"
              "059c",
              "reply");

        BurstHeader burst;
        burst.flags = BurstHeader::SYSTEM | BurstHeader::FRAGMENT_LIST;
        burst.packetSequence = 0x31323334;
        burst.delayTime = 0x41424344;
        burst.burstSequence = 0x5152;
        burst.ackSequence = 0x6162;
        burst.burstLength = 0x71727374;
        burst.fragmentOffset = 0x81828384;
        burst.fragmentLength = 0x9192;
        burst.missing = {{1400, 2800}, {7000, 1400}};
        Check(burst,
              "7777"
              "c0"
              "02"
              "00000001"
              "00000001"
              "31323334"
              "41424344"
              "5152"
              "6162"
              "71727374"
              "81828384"
              "9192"
              "0002"
              "00000578"
              "0af0"
              "00001b58"
              "0578",
              "burst");

        BurstReadHeader read;
        read.offset = 0x21222324;
        read.size = 0x31323334;
        Check(read,
              "01000000"
              "00000001"
              "0000000000000000"
              "21222324"
              "31323334",
              "read command");

        BurstReadResultHeader result;
        result.size = 0x31323334;
        Check(result,
              "00000000"
              "31323334",
              "result");
    }
};

/// What a packet says of itself is not believed beyond its end.
class TooShort : public Claim
{
    using Claim::Claim;

    /**
     * @param size octets of a packet
     * @param what the header
     */
    template <class T>
    void Check(uint32_t size, const std::string& what)
    {
        T header;
        NS_TEST_EXPECT_MSG_EQ(Create<Packet>(size)->RemoveHeader(header), 0, what);
    }

    void DoRun() override
    {
        Check<NcpReadRequestHeader>(19, "request");
        Check<NcpReadReplyHeader>(9, "reply");
        Check<BurstHeader>(35, "burst");
        Check<BurstReadHeader>(23, "read command");
        Check<BurstReadResultHeader>(7, "result");
        Check<IpxHeader>(29, "IPX");

        BurstHeader list;
        list.missing = {{1400, 2800}, {7000, 1400}};
        Ptr<Packet> packet = Create<Packet>();
        packet->AddHeader(list);
        packet->RemoveAtEnd(1);
        NS_TEST_EXPECT_MSG_EQ(packet->RemoveHeader(list), 0, "a truncated list");
    }
};

/// Only whole fragments are fragments.
class NoSuchFragment : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        BurstAssembly burst(5000, 1400);
        for (const uint32_t offset : {1U, 700U, 5000U, 5600U, 4294967200U})
        {
            NS_TEST_EXPECT_MSG_EQ(burst.Add(offset), false, "fragment at " << offset);
        }
        NS_TEST_EXPECT_MSG_EQ(burst.IsEmpty(), true, "nothing came");
        for (const uint32_t offset : {0, 1400, 2800, 4200})
        {
            NS_TEST_EXPECT_MSG_EQ(burst.Add(offset), true, "fragment at " << offset);
        }
        NS_TEST_EXPECT_MSG_EQ(burst.IsComplete(), true, "all came");
        NS_TEST_EXPECT_MSG_EQ(burst.GetFragmentSize(4200), 800, "the last is shorter");
    }
};

const Suite g_ncpHeaderSuite(
    "ncp-header",
    {new NcpOctets("NCP and burst headers have Wireshark's layout"),
     new TooShort("a packet too short for a header, or for the list it announces, holds none"),
     new NoSuchFragment("a burst takes no fragment that begins where none does")});

} // namespace
