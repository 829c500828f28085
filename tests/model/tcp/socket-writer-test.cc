/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * When a write returns: at once, when all of it fits the send buffer, when all of it is
 * acknowledged.
 */

#include "model/tcp/socket-writer.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/sequence-number.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <optional>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A write of three buffers to a device that takes 100 ms for an ACK.
class AWriteReturns : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Expect(WriteReturns::SOME_FITS, 0);
        Expect(WriteReturns::ALL_FITS, 0.2); // with the ACK of what was there before, two buffers
        Expect(WriteReturns::ACKNOWLEDGED, 0.3);
    }

    /// Expect a write to return so many seconds after its begin.
    void Expect(WriteReturns returns, double after)
    {
        constexpr uint32_t buffer = 2920;
        ObjectFactory host("ns3::study::HostTcp", "SendBuffer", UintegerValue(buffer));
        TcpPair pair(host,
                     ObjectFactory("ns3::study::DeviceTcp", "AckLatency", StringValue("100ms")));
        pair.RunUntil(Seconds(1));
        SocketWriter writer(pair.hostSocket, returns);
        pair.hostSocket->SetSendCallback(
            Callback<void, Ptr<Socket>, uint32_t>([&writer](auto...) { writer.WriteWhatFits(); }));
        pair.hostSocket->TraceConnectWithoutContext(
            "HighestRxAck",
            Callback<void, SequenceNumber32, SequenceNumber32>(
                [&writer](auto, SequenceNumber32 now) {
                    writer.Acknowledged(now.GetValue() - 1);
                }));
        std::optional<Time> returned;
        writer.Write(3 * buffer, [&returned]() { returned = Simulator::Now(); });
        pair.RunUntil(Seconds(2));
        NS_TEST_EXPECT_MSG_EQ(pair.received, 3 * buffer, "bytes read");
        NS_TEST_ASSERT_MSG_EQ(returned.has_value(), true, "the write has returned");
        // Three exchanges of 100 ms and some wire time.
        NS_TEST_EXPECT_MSG_EQ_TOL((*returned - Seconds(1)).GetSeconds(),
                                  after,
                                  0.015,
                                  "seconds until it has");
        NS_TEST_EXPECT_MSG_EQ(writer.WaitsForAck(), false, "it waits no more");
        pair.hostSocket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    }
};

const Suite g_socketWriterSuite("socket-writer",
                                {new AWriteReturns("when a write returns, of each kind")});

} // namespace
