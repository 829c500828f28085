/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Parameters: one spelling, values checked, one sentence for each that cannot be used.
 */

#include "model/ethernet/ethernet-link.h"
#include "model/program/canonical.h"
#include "model/program/parameter-set.h"
#include "model/tcp/device-tcp.h"
#include "model/tcp/host-tcp.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/**
 * @return the parameters of a device, a host and a link
 */
ParameterSet
MakeSet()
{
    ParameterSet set;
    set.AddType("device", DeviceTcp::GetTypeId());
    set.AddType("host", HostTcp::GetTypeId());
    set.AddType("link", EthernetLink::GetTypeId());
    return set;
}

/**
 * @param flag a parameter's flag
 * @param text a value
 * @return the sentence that refuses it, or "accepted"
 */
std::string
Refusal(const std::string& flag, const std::string& text)
{
    ParameterSet set = MakeSet();
    try
    {
        set.Set(flag, text);
        return "accepted";
    }
    catch (const ParameterError& error)
    {
        return error.what();
    }
}

/// Flag and key follow from the attribute's name; the unit from its help.
class OneDeclaration : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const ParameterSet set = MakeSet();
        const Parameter& window = set.GetParameters().front();
        NS_TEST_EXPECT_MSG_EQ(window.name, "ReceiveWindow", "attribute");
        NS_TEST_EXPECT_MSG_EQ(window.flag, "receive-window", "flag");
        NS_TEST_EXPECT_MSG_EQ(window.key, "receive_window", "key");
        NS_TEST_EXPECT_MSG_EQ(window.unit, "B", "unit");
        NS_TEST_EXPECT_MSG_EQ(window.GetAllowed(), "1 to 1073725440 B", "range");
        for (const auto& parameter : set.GetParameters())
        {
            const bool needsUnit = parameter.kind != "boolean" && parameter.kind != "choice";
            NS_TEST_EXPECT_MSG_EQ(parameter.unit.empty(), !needsUnit, "unit of " + parameter.flag);
        }
    }
};

/// What cannot be used is refused by one sentence with what, given and allowed.
class BadValues : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Expect("receive-window", "0", "receive-window: 0 is out of range; give 1 to 1073725440 B");
        Expect("receive-window",
               "-1",
               "receive-window: -1 is out of range; give 1 to 1073725440 B");
        Expect("receive-window",
               "99999999999999999999999",
               "receive-window: 99999999999999999999999 is out of range; give 1 to 1073725440 B");
        const std::string notASize = "' is not a whole number; give 1 to 1073725440 B, or a number "
                                     "and kB, MB or GB (1 kB is 1000 B)";
        Expect("receive-window", "2920ms", "receive-window: '2920ms" + notASize);
        Expect("receive-window", "2.0005kB", "receive-window: '2.0005kB" + notASize);
        Expect("ack-latency", "0s", "ack-latency: 0s is out of range; give 1ns to 1h");
        Expect("ack-latency", "-5ms", "ack-latency: -5ms is out of range; give 1ns to 1h");
        const std::string notATime =
            "' is not a time: a number and ns, us, ms, s, min or h; give 1ns to 1h";
        Expect("ack-latency", "117", "ack-latency: '117" + notATime);
        Expect("ack-latency", "10kg", "ack-latency: '10kg" + notATime);
        Expect("ack-latency", "nan", "ack-latency: 'nan" + notATime);
        Expect("receive-window", "5840.5", "receive-window: '5840.5" + notASize);
        Expect("ack-latency", "1e999s", "ack-latency: 1e999s is out of range; give 1ns to 1h");
        Expect("ack-latency", "1e-999s", "ack-latency: 1e-999s is out of range; give 1ns to 1h");
        Expect("ack-latency",
               std::string(100, '9') + "s",
               "ack-latency: '" + std::string(80, '9') + notATime);
        Expect("link-rate", "0.5bps", "link-rate: 0.5bps is out of range; give 1bps to 100Gbps");
        Expect("link-rate", "0bps", "link-rate: 0bps is out of range; give 1bps to 100Gbps");
        Expect("loss-to-host", "1.5", "loss-to-host: 1.5 is out of range; give 0 to 1");
        Expect("loss-to-host", "nan", "loss-to-host: 'nan' is not a number; give 0 to 1");
        Expect("nagle", "maybe", "nagle: 'maybe' is not one of the choices; give true or false");
        Expect("silly-window-avoidance",
               "x",
               "silly-window-avoidance: 'x' is not one of the choices; give rfc1122, "
               "whole-segment, none or burst");
        Expect("colour", "red", "colour: there is no such parameter; --describe lists them all");
    }

    /**
     * @param flag a flag
     * @param text a value
     * @param refusal the sentence expected
     */
    void Expect(const std::string& flag, const std::string& text, const std::string& refusal)
    {
        NS_TEST_EXPECT_MSG_EQ(Refusal(flag, text), refusal, "--" + flag + "=" + text);
    }
};

/// However a value was written, it is reported in one spelling, which reads back to itself.
class CanonicalSpelling : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const ParameterSet set = MakeSet();
        const auto check =
            [&](const std::string& flag, const std::string& written, const std::string& canonical) {
                for (const auto& parameter : set.GetParameters())
                {
                    if (parameter.flag == flag)
                    {
                        const std::string once = parameter.Format(*parameter.Parse(written));
                        NS_TEST_EXPECT_MSG_EQ(once, canonical, flag + "=" + written);
                        NS_TEST_EXPECT_MSG_EQ(parameter.Format(*parameter.Parse(once)), once, once);
                    }
                }
            };
        check("ack-latency", "0.117s", "117ms");
        check("ack-latency", "116407.4us", "116407400ns");
        check("ack-latency", "60s", "1min");
        check("ack-latency", "1e-3ms", "1us");
        check("link-rate", "10000kbps", "10Mbps");
        check("link-rate", "56kbps", "56kbps");
        check("loss-to-host", "0.10", "0.1");
        check("receive-window", "08760", "8760");
        check("receive-window", "+2920", "2920");
        check("receive-window", "300kB", "300000");
        check("receive-window", "0.3 MB", "300000");
        check("receive-window", "2920 B", "2920");
        check("ack-latency", " 45 ms ", "45ms");
        check("ack-latency", "6.5\u00b5s", "6500ns");
        check("link-rate", "8 Mbit/s", "8Mbps");
        check("link-rate", "60kB/s", "480kbps");
        check("loss-to-host", "0.7%", "0.007"); // 0.7 / 100 is 0.006999999999999999
    }
};

/// A parameter has one short flag, under which it is set, refused and told; the record has its key.
class ShortFlag : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ParameterSet set = MakeSet();
        set.SetShort("receive-window", "window");
        set.SetBeyond("receive-window", ", or none above {twice}");
        set.Set("window", "4kB");
        NS_TEST_EXPECT_MSG_EQ(set.GetText(set.GetParameters().front()), "4000", "the value");
        const std::string above = "2147483648";
        std::string said;
        try
        {
            set.Set("window", above);
        }
        catch (const ParameterError& error)
        {
            said = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(
            said,
            "window: " + above +
                " is out of range; give 1 to 1073725440 B, or none above 4294967296",
            "the refusal");
        NS_TEST_EXPECT_MSG_EQ(set.ReadNumber("window", above), 2147483648.0, "whatever its range");
        NS_TEST_EXPECT_MSG_EQ(ToCanonical(set, {"--window=4 kB", "--window=0"}, false).ToString(),
                              "{\"values\":[{\"text\":\"4000\",\"number\":4000,\"short\":\"4000\"},"
                              "{\"error\":\"window: 0 is out of range; give 1 to 1073725440 B\","
                              "\"parameter\":\"window\",\"number\":0}]}",
                              "an answer a value");
    }
};

/**
 * Two parts of one type: each parameter has the part's prefix, which takes the place of a leading
 * Host, and a factory gives each part its own values under the attributes' own names.
 */
class TwoOfOneType : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        ParameterSet set;
        set.AddType("client", HostTcp::GetTypeId(), "Client");
        set.AddType("server", HostTcp::GetTypeId(), "Server");
        const Parameter& window = set.GetParameters().front();
        NS_TEST_EXPECT_MSG_EQ(window.name, "ClientWindow", "name: HostWindow of the client");
        NS_TEST_EXPECT_MSG_EQ(window.flag, "client-window", "flag");
        NS_TEST_EXPECT_MSG_EQ(window.key, "client_window", "key");
        NS_TEST_EXPECT_MSG_EQ(window.attribute, "HostWindow", "attribute");

        set.Set("client-nagle", "false");
        set.Set("server-segment-time", "3us");
        Check(set, "client", false, MicroSeconds(7));
        Check(set, "server", true, MicroSeconds(3));
        bool refused = false;
        try
        {
            set.Set("nagle", "false");
        }
        catch (const ParameterError&)
        {
            refused = true;
        }
        NS_TEST_EXPECT_MSG_EQ(refused, true, "nagle alone is neither's");
    }

    /**
     * @param set the parameters
     * @param group a part
     * @param nagle what its sockets should have
     * @param segmentTime what its sockets should have
     */
    void Check(const ParameterSet& set, const std::string& group, bool nagle, Time segmentTime)
    {
        const auto socket = set.GetFactory(HostTcp::GetTypeId(), group).Create<HostTcp>();
        BooleanValue nagleValue;
        socket->GetAttribute("Nagle", nagleValue);
        NS_TEST_EXPECT_MSG_EQ(nagleValue.Get(), nagle, "Nagle of the " + group);
        TimeValue segmentTimeValue;
        socket->GetAttribute("SegmentTime", segmentTimeValue);
        NS_TEST_EXPECT_MSG_EQ(segmentTimeValue.Get(), segmentTime, "SegmentTime of the " + group);
    }
};

const Suite g_parameterSuite(
    "parameter",
    {new OneDeclaration("flag, key, unit and range come from the attribute"),
     new BadValues("a bad value is refused with parameter, value and range"),
     new CanonicalSpelling("a value has one canonical spelling, which reads back to the same"),
     new ShortFlag("a short flag is the same parameter, and is named as it was typed"),
     new TwoOfOneType("a prefix tells two parts of one type apart")});

} // namespace
