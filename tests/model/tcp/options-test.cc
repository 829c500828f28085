/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The options of a SYN: each is used where both ends offer it, and nowhere else (RFC 9293, 3.2;
 * RFC 7323; RFC 2018).
 */

#include "model/tcp/tcp-options.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/tcp-option-rfc793.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// What the peers agree on, the scripts handshake-* show; here it is in ns-3's headers, and found
/// there: an option is in the SYN of whom offers it, in the SYN-ACK if both do, and used only then.
class InHeaders : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool both : {false, true})
        {
            ObjectFactory host("ns3::study::HostTcp", "HostWindowScale", EnumValue(AUTO_SCALE));
            host.Set("HostSack", BooleanValue(true));
            host.Set("HostTimestamps", BooleanValue(true));
            ObjectFactory device("ns3::study::DeviceTcp");
            device.Set("DeviceWindowScale", EnumValue(both ? AUTO_SCALE : NO_SCALE));
            device.Set("DeviceSack", BooleanValue(both));
            device.Set("DeviceTimestamps", BooleanValue(both));
            ObjectFactory path("ns3::study::PathLink", "PathLostPackets", StringValue("9,11"));
            TcpPair pair(host, device, path);
            pair.Write(20000, true);
            pair.RunUntil(Seconds(5));
            NS_TEST_EXPECT_MSG_EQ(pair.received, 20000, "bytes read");
            NS_TEST_EXPECT_MSG_EQ(pair.hostClosed && pair.deviceClosed, true, "both ends closed");
            const auto has = [&pair](std::size_t segment, TcpOption::Kind kind) {
                return pair.seen[segment].header.HasOption(kind);
            };
            for (const auto kind : {TcpOption::WINSCALE, TcpOption::SACKPERMITTED, TcpOption::TS})
            {
                NS_TEST_EXPECT_MSG_EQ(has(0, kind), true, "SYN, option " << int(kind));
                NS_TEST_EXPECT_MSG_EQ(has(1, kind), both, "SYN-ACK, option " << int(kind));
            }
            bool blocks = false;
            for (std::size_t i = 2; i < pair.seen.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(has(i, TcpOption::TS), both, "segment " << i);
                blocks |= has(i, TcpOption::SACK);
            }
            NS_TEST_EXPECT_MSG_EQ(blocks, both, "SACK blocks behind a loss");
        }
    }
};

/// The MSS that a device announces: 1460, the host's if that is larger, or its own. What a listener
/// learns of one peer it does not tell the next: ns-3's own socket has no MSS option.
class DeviceMss : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [hosts, devices, announced, next] : {std::tuple{1460U, 0U, 1460U, 1460U},
                                                              {536U, 0U, 1460U, 1460U},
                                                              {8960U, 0U, 8960U, 1460U},
                                                              {8960U, 1024U, 1024U, 1024U}})
        {
            ObjectFactory path("ns3::study::PathLink", "PathMtu", UintegerValue(9000));
            TcpPair pair(
                ObjectFactory("ns3::study::HostTcp", "Mss", UintegerValue(hosts)),
                ObjectFactory("ns3::study::DeviceTcp", "DeviceMss", UintegerValue(devices)),
                path);
            pair.RunUntil(Seconds(1));
            const Ptr<Socket> other =
                Socket::CreateSocket(pair.hostSocket->GetNode(), TcpSocketFactory::GetTypeId());
            other->Bind();
            other->Connect(pair.GetDevice(TcpPair::PORT));
            pair.RunUntil(Seconds(2));
            std::vector<uint32_t> mss;
            for (const SeenSegment& each : pair.seen)
            {
                if (!each.fromHost && each.header.GetFlags() & TcpHeader::SYN)
                {
                    const auto option = each.header.GetOption(TcpOption::MSS);
                    mss.push_back(DynamicCast<const TcpOptionMSS>(option)->GetMSS());
                }
            }
            NS_TEST_ASSERT_MSG_EQ(mss.size(), 2, "SYN-ACKs");
            NS_TEST_EXPECT_MSG_EQ(mss[0], announced, "to the first peer");
            NS_TEST_EXPECT_MSG_EQ(mss[1], next, "to the second");
        }
    }
};

/// The shift that a window needs is the one Linux takes for it.
class DerivedShift : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // the largest without a shift, with one of 1, that of Linux's tcp_rmem, and the largest
        for (const auto& [window, shift] :
             {std::pair{65535U, 0}, {65536U, 1}, {131071U, 1}, {6291456U, 7}, {LARGEST_WINDOW, 14}})
        {
            const uint8_t offered = GetShift(AUTO_SCALE, window).value();
            NS_TEST_EXPECT_MSG_EQ(int(offered), shift, "window " << window);
            const uint32_t field = window >> offered;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(field, 65535, "window " << window);
        }
        NS_TEST_EXPECT_MSG_EQ(int(GetShift(WindowScale{9}, 1).value()), 9, "given");
        NS_TEST_EXPECT_MSG_EQ(GetShift(NO_SCALE, 1).has_value(), false, "none");
    }
};

const Suite g_optionsSuite(
    "tcp-options",
    {new InHeaders("options are in headers where both ends offer them"),
     new DeviceMss("the MSS that a device announces, to each peer"),
     new DerivedShift("the shift follows from the window")}); //!< registers itself

} // namespace
