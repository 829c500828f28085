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
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/tcp-option-rfc793.h"
#include "ns3/tcp-option-winscale.h"
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
    ObjectFactory host("ns3::study::HostTcpSocket");
    host.Set("HostWindowScale", EnumValue(offers ? AUTO_SCALE : NO_SCALE));
    host.Set("HostSack", BooleanValue(offers));
    host.Set("HostTimestamps", BooleanValue(offers));
    return host;
}

/// @return a device's sockets that offer everything, or nothing
ObjectFactory
Device(bool offers)
{
    ObjectFactory device("ns3::study::DeviceTcpSocket");
    device.Set("DeviceWindowScale", EnumValue(offers ? AUTO_SCALE : NO_SCALE));
    device.Set("DeviceSack", BooleanValue(offers));
    device.Set("DeviceTimestamps", BooleanValue(offers));
    return device;
}

/// An option is in the SYN of whom offers it, in the SYN-ACK if both do, and used only then.
class Negotiation : public TestCase
{
  public:
    Negotiation(bool host, bool device)
        : TestCase(std::string("options offered by ") + (host && device ? "both ends are used"
                                                         : host   ? "the host alone are not used"
                                                         : device ? "the device alone are not used"
                                                                  : "nobody are not used")),
          m_host(host),
          m_device(device)
    {
    }

  private:
    void DoRun() override
    {
        TcpPair pair(Host(m_host), Device(m_device));
        pair.Write(20000, true);
        pair.RunUntil(Seconds(5));
        const bool both = m_host && m_device;
        NS_TEST_EXPECT_MSG_EQ(pair.received, 20000, "bytes read");
        NS_TEST_EXPECT_MSG_EQ(pair.hostClosed && pair.deviceClosed, true, "both ends closed");
        const SeenSegment& syn = pair.seen.at(0);
        const SeenSegment& synAck = pair.seen.at(1);
        for (const auto kind : {TcpOption::WINSCALE, TcpOption::SACKPERMITTED, TcpOption::TS})
        {
            NS_TEST_EXPECT_MSG_EQ(Has(syn, kind), m_host, "SYN, option " << int(kind));
            NS_TEST_EXPECT_MSG_EQ(Has(synAck, kind), both, "SYN-ACK, option " << int(kind));
        }
        for (std::size_t i = 2; i < pair.seen.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Has(pair.seen[i], TcpOption::TS), both, "segment " << i);
        }
        const uint32_t whole = 1460 - (both ? TIMESTAMPS_SIZE : 0);
        NS_TEST_EXPECT_MSG_EQ(pair.HostData().front().size, whole, "payload of a whole segment");
    }

    bool m_host;   //!< the host offers the options
    bool m_device; //!< the device does
};

/// Whoever loses a segment hears which others arrived, if both ends offered SACK.
class SackBlocks : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool offered : {true, false})
        {
            ObjectFactory link = TcpPair::Ethernet();
            link.Set("LossToDevice", DoubleValue(0.05));
            TcpPair pair(Host(true), Device(offered), link);
            pair.Write(300000, true);
            pair.RunUntil(Minutes(5));
            const auto acks = pair.DeviceSegments();
            const bool told = std::any_of(acks.begin(), acks.end(), [](const SeenSegment& ack) {
                return Has(ack, TcpOption::SACK);
            });
            NS_TEST_EXPECT_MSG_EQ(told, offered, "an ACK has SACK blocks");
            NS_TEST_EXPECT_MSG_EQ(pair.received, 300000, "bytes read");
        }
    }
};

/// With a scaled window more is outstanding than 65,535 bytes, up to the window and not beyond; a
/// SYN's window is never scaled (RFC 7323, 2.2).
class ScaledWindow : public TestCase
{
  public:
    ScaledWindow(uint32_t window, uint8_t shift)
        : TestCase("a window of " + std::to_string(window) + " B is announced, and filled"),
          m_window(window),
          m_shift(shift)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory device = Device(true);
        device.Set("ReceiveWindow", UintegerValue(m_window));
        ObjectFactory host = Host(true);
        host.Set("SendBuffer", UintegerValue(200000000));
        host.Set("InitialWindow", UintegerValue(10));
        ObjectFactory link = TcpPair::Ethernet();
        link.Set("LinkRate", DataRateValue(DataRate("100Mbps")));
        TcpPair pair(host, device, link);
        const uint64_t size = std::min<uint64_t>(uint64_t{100} * m_window, 20000000);
        pair.Write(size);
        pair.RunUntil(Minutes(5));
        NS_TEST_EXPECT_MSG_EQ(pair.received, size, "bytes read");
        const TcpHeader& synAck = pair.seen.at(1).header;
        const auto option =
            DynamicCast<const TcpOptionWinScale>(synAck.GetOption(TcpOption::WINSCALE));
        NS_TEST_ASSERT_MSG_EQ(!option, false, "the SYN-ACK scales windows");
        NS_TEST_EXPECT_MSG_EQ(int(option->GetScale()), int(m_shift), "the shift");
        NS_TEST_EXPECT_MSG_EQ(synAck.GetWindowSize(), std::min(m_window, 65535U), "in the SYN-ACK");
        int64_t most = 0;
        SequenceNumber32 acknowledged(1);
        SequenceNumber32 edge = acknowledged + SequenceNumber32(synAck.GetWindowSize());
        for (std::size_t i = 2; i < pair.seen.size(); ++i)
        {
            const SeenSegment& each = pair.seen[i];
            if (!each.fromHost)
            {
                acknowledged = each.header.GetAckNumber();
                const uint32_t window = uint32_t{each.header.GetWindowSize()} << m_shift;
                edge = acknowledged + SequenceNumber32(window);
                continue;
            }
            const SequenceNumber32 end = each.header.GetSequenceNumber() + each.size;
            NS_TEST_ASSERT_MSG_EQ((end <= edge), true, "sent " << end << ", window to " << edge);
            most = std::max<int64_t>(most, end - acknowledged);
        }
        const int64_t least = std::min<int64_t>(m_window, size / 4);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(most, least - 2 * 1460, "most bytes outstanding");
    }

    uint32_t m_window; //!< the device's
    uint8_t m_shift;   //!< what it needs
};

/// The MSS that the device announces: 1460, the host's if that is larger, or its own.
class DeviceMss : public TestCase
{
  public:
    DeviceMss(uint32_t host, uint32_t device, uint32_t announced)
        : TestCase("to a host's MSS of " + std::to_string(host) + " the device announces " +
                   std::to_string(announced)),
          m_hostMss(host),
          m_deviceMss(device),
          m_announced(announced)
    {
    }

  private:
    void DoRun() override
    {
        ObjectFactory host = Host(false);
        host.Set("Mss", UintegerValue(m_hostMss));
        ObjectFactory device = Device(false);
        device.Set("DeviceMss", UintegerValue(m_deviceMss));
        TcpPair pair(host, device);
        pair.RunUntil(Seconds(1));
        const auto mss =
            DynamicCast<const TcpOptionMSS>(pair.seen.at(1).header.GetOption(TcpOption::MSS));
        NS_TEST_EXPECT_MSG_EQ(mss->GetMSS(), m_announced, "in the SYN-ACK");
        const uint32_t whole = std::min(m_hostMss, m_announced);
        if (whole <= 1460) // what an Ethernet carries in one frame
        {
            pair.WriteNow(20000);
            pair.RunUntil(Seconds(2));
            NS_TEST_EXPECT_MSG_EQ(pair.HostData().front().size, whole, "a whole segment");
        }
    }

    uint32_t m_hostMss;   //!< what the host announces
    uint32_t m_deviceMss; //!< what the device is told
    uint32_t m_announced; //!< what it announces
};

/// What a listener learns of one peer it does not tell the next.
class NextPeer : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ObjectFactory path("ns3::study::PathLink", "PathMtu", UintegerValue(9000));
        TcpPair pair(ObjectFactory("ns3::study::HostTcpSocket", "Mss", UintegerValue(8960)),
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
        const std::vector<std::pair<uint32_t, int>> cases{{1, 0},
                                                          {65535, 0},
                                                          {65536, 1},
                                                          {131071, 1},
                                                          {131072, 2},
                                                          {6291456, 7},
                                                          {LARGEST_WINDOW, 14}};
        for (const auto& [window, shift] : cases)
        {
            const TcpOffer offer{.windowScale = AUTO_SCALE, .window = window};
            NS_TEST_EXPECT_MSG_EQ(int(offer.GetShift()), shift, "window " << window);
            const uint32_t field = window >> offer.GetShift();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(field, 65535, "window " << window);
        }
        NS_TEST_EXPECT_MSG_EQ(int(TcpOffer{.windowScale = WindowScale{9}}.GetShift()), 9, "given");
    }
};

const Suite g_optionsSuite(
    "tcp-options",
    {new Negotiation(true, true),
     new Negotiation(true, false),
     new Negotiation(false, true),
     new Negotiation(false, false),
     new SackBlocks("SACK blocks come from a device that offered them, and from no other"),
     new ScaledWindow(4096, 0),
     new ScaledWindow(1000000, 4),
     new ScaledWindow(LARGEST_WINDOW, 14),
     new DeviceMss(1460, 0, 1460),
     new DeviceMss(536, 0, 1460),
     new DeviceMss(8960, 0, 8960),
     new DeviceMss(8960, 1024, 1024),
     new NextPeer("a listener announces to each peer what that one's MSS says"),
     new DerivedShift("the shift follows from the window")}); //!< registers itself

} // namespace
