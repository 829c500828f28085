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
#include "ns3/inet-socket-address.h"
#include "ns3/string.h"
#include "ns3/tcp-option-rfc793.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return true if a segment carries an option
bool
Has(const SeenSegment& segment, TcpOption::Kind kind)
{
    return segment.header.HasOption(kind);
}

/// @return a host's sockets that offer everything, or nothing
ObjectFactory
Host(bool offers)
{
    ObjectFactory host("ns3::study::HostTcp");
    host.Set("HostWindowScale", EnumValue(offers ? AUTO_SCALE : NO_SCALE));
    host.Set("HostSack", BooleanValue(offers));
    host.Set("HostTimestamps", BooleanValue(offers));
    return host;
}

/// @return a device's sockets that offer everything, or nothing
ObjectFactory
Device(bool offers)
{
    ObjectFactory device("ns3::study::DeviceTcp");
    device.Set("DeviceWindowScale", EnumValue(offers ? AUTO_SCALE : NO_SCALE));
    device.Set("DeviceSack", BooleanValue(offers));
    device.Set("DeviceTimestamps", BooleanValue(offers));
    return device;
}

/// @return a path that loses these packets to the device
ObjectFactory
Path(const std::string& lost)
{
    ObjectFactory path("ns3::study::PathLink", "Rtt", StringValue("20ms"));
    path.Set("PathLostPackets", StringValue(lost));
    return path;
}

/// An option is in the SYN of whom offers it, in the SYN-ACK if both do, and used only then.
class Negotiation : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const int offers : {0, 1, 2, 3})
        {
            const bool host = offers & 1;
            const bool device = offers & 2;
            TcpPair pair(Host(host), Device(device), Path("9,11"));
            pair.Write(20000, true);
            pair.RunUntil(Seconds(5));
            const bool both = host && device;
            NS_TEST_EXPECT_MSG_EQ(pair.received, 20000, "bytes read");
            NS_TEST_EXPECT_MSG_EQ(pair.hostClosed && pair.deviceClosed, true, "both ends closed");
            for (const auto kind : {TcpOption::WINSCALE, TcpOption::SACKPERMITTED, TcpOption::TS})
            {
                NS_TEST_EXPECT_MSG_EQ(Has(pair.seen[0], kind), host, "SYN, option " << int(kind));
                NS_TEST_EXPECT_MSG_EQ(Has(pair.seen[1], kind), both, "SYN-ACK, " << int(kind));
            }
            bool blocks = false;
            for (std::size_t i = 2; i < pair.seen.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(Has(pair.seen[i], TcpOption::TS), both, "segment " << i);
                blocks |= Has(pair.seen[i], TcpOption::SACK);
            }
            NS_TEST_EXPECT_MSG_EQ(blocks, both, "SACK blocks behind a loss");
            const uint32_t whole = 1460 - (both ? tcp::TIMESTAMPS_LENGTH : 0);
            NS_TEST_EXPECT_MSG_EQ(pair.HostData().front().size, whole, "of a whole segment");
        }
    }
};

/// The MSS that the device announces: 1460, the host's if that is larger, or its own.
class DeviceMss : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const auto& [hosts, devices, announced] : {std::tuple{1460U, 0U, 1460U},
                                                        {536U, 0U, 1460U},
                                                        {8960U, 0U, 8960U},
                                                        {8960U, 1024U, 1024U}})
        {
            ObjectFactory host = Host(false);
            host.Set("Mss", UintegerValue(hosts));
            ObjectFactory device = Device(false);
            device.Set("DeviceMss", UintegerValue(devices));
            TcpPair pair(host, device);
            pair.RunUntil(Seconds(1));
            const auto mss =
                DynamicCast<const TcpOptionMSS>(pair.seen.at(1).header.GetOption(TcpOption::MSS));
            NS_TEST_EXPECT_MSG_EQ(mss->GetMSS(), announced, "in the SYN-ACK");
        }
    }
};

/// What a listener learns of one peer it does not tell the next.
class NextPeer : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory path("ns3::study::PathLink", "PathMtu", UintegerValue(9000));
        TcpPair pair(ObjectFactory("ns3::study::HostTcp", "Mss", UintegerValue(8960)),
                     Device(false),
                     path);
        pair.RunUntil(Seconds(1));
        // ns-3's own socket has no MSS option.
        Ptr<Socket> next =
            Socket::CreateSocket(pair.hostSocket->GetNode(), TcpSocketFactory::GetTypeId());
        next->Bind();
        next->Connect(InetSocketAddress("10.0.1.2", 9100));
        pair.RunUntil(Seconds(2));
        std::vector<uint32_t> announced;
        for (const SeenSegment& each : pair.seen)
        {
            if (!each.fromHost && each.header.GetFlags() & TcpHeader::SYN)
            {
                const auto option = each.header.GetOption(TcpOption::MSS);
                announced.push_back(DynamicCast<const TcpOptionMSS>(option)->GetMSS());
            }
        }
        NS_TEST_ASSERT_MSG_EQ(announced.size(), 2, "SYN-ACKs");
        NS_TEST_EXPECT_MSG_EQ(announced[0], 8960, "to the first peer");
        NS_TEST_EXPECT_MSG_EQ(announced[1], 1460, "to the second");
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
    {new Negotiation("options are used where both ends offer them"),
     new DeviceMss("the MSS that a device announces"),
     new NextPeer("a listener announces to each peer what that one's MSS says"),
     new DerivedShift("the shift follows from the window")}); //!< registers itself

} // namespace
