/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What is read of a segment without its options is what ns-3's own header says.
 */

#include "model/tcp/segment-fields.h"
#include "tests/suite.h"

#include "ns3/tcp-header.h"
#include "ns3/tcp-option-ts.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// With and without options, with and without payload.
class SaysWhatTheHeaderSays : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool timestamps : {false, true})
        {
            for (const uint32_t payload : {0, 1, 1448})
            {
                Expect(timestamps, payload);
            }
        }
    }

    void Expect(bool timestamps, uint32_t payload)
    {
        TcpHeader header;
        header.SetSourcePort(0x8001);
        header.SetDestinationPort(515);
        header.SetSequenceNumber(SequenceNumber32(0xfedcba98));
        header.SetAckNumber(SequenceNumber32(0x01234567));
        header.SetFlags(TcpHeader::ACK | TcpHeader::PSH | TcpHeader::ECE);
        header.SetWindowSize(0xff01);
        if (timestamps)
        {
            header.AppendOption(CreateObject<TcpOptionTS>());
        }
        auto packet = Create<Packet>(payload);
        packet->AddHeader(header);
        const auto read = SegmentFields::Of(packet);
        NS_TEST_EXPECT_MSG_EQ(read.sourcePort, header.GetSourcePort(), "from");
        NS_TEST_EXPECT_MSG_EQ(read.destinationPort, header.GetDestinationPort(), "to");
        NS_TEST_EXPECT_MSG_EQ(read.sequence, header.GetSequenceNumber(), "sequence number");
        NS_TEST_EXPECT_MSG_EQ(+read.flags, +header.GetFlags(), "flags");
        NS_TEST_EXPECT_MSG_EQ(read.window, header.GetWindowSize(), "window");
        NS_TEST_EXPECT_MSG_EQ(read.payload, payload, "payload, timestamps " << timestamps);
    }
};

/// The suite; it registers itself.
Suite g_segmentFieldsSuite(
    "segment-fields",
    {new SaysWhatTheHeaderSays("they are the header's, whatever options and payload it has")});

} // namespace
