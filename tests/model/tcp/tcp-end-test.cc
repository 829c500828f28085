/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Attributes of a host and a device: each sets the number of the connection that the packet
 * scripts set by name.
 */

#include "model/tcp/tcp-end.h"
#include "tests/model/connection/packet-script.h"
#include "tests/suite.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// An attribute, a value of it that is not the initial one, the setting of scripts that it stands
/// for, and that one's value if it is another.
using Row = std::vector<std::string>;

const std::vector<Row> BOTH{
    {"FirstPersistTimeout", "123ms", "FirstPersistTimeout"},
    {"LongestPersistTimeout", "7s", "LongestPersistTimeout"},
};

const std::vector<Row> HOST{
    {"Mss", "1000", "Mss"},
    {"HostWindow", "5000", "Window"},
    {"HostWindowScale", "3", "WindowScale"},
    {"HostSack", "true", "Sack"},
    {"HostTimestamps", "true", "Timestamps"},
    {"TimerTick", "4ms", "TimerTick"},
    {"SendBuffer", "3000", "SendBuffer"},
    {"Nagle", "false", "Nagle"},
    {"NagleRule", "minshall", "NagleRule"},
    {"PushFlag", "true", "PushFlag"},
    {"CongestionControl", "cubic", "CongestionControl"},
    {"LossDetection", "rack-tlp", "LossDetection"},
    {"InitialWindow", "7", "InitialWindow"},
    {"MinimumRto", "321ms", "MinimumRto"},
    {"InitialRto", "5s", "InitialRto"},
    {"HostDelayedAck", "55ms", "DelayedAckTimeout"},
    {"HostAckFrequency", "5", "AckFrequency"},
    {"HostAckRule", "adaptive", "AckRule"},
    {"HostAckTimer", "heartbeat", "DelayedAckTimer", "free-running"},
    {"QuickAcks", "9", "QuickAcks"},
    {"ReplyTime", "44us", "ReplyTime"},
    {"SegmentTime", "33us", "SegmentTime"},
    {"SillyWindowAvoidance", "burst", "SillyWindowAvoidance"},
    {"SegmentBound", "half-window", "SegmentBound"},
    {"OverrideTimeout", "99ms", "OverrideTimeout"},
    {"ResetOnFinAck", "true", "ResetOnFinAck"},
};

const std::vector<Row> DEVICE{
    {"ReceiveWindow", "5000", "Window"},
    {"DeviceWindowScale", "3", "WindowScale"},
    {"DeviceSack", "true", "Sack"},
    {"DeviceTimestamps", "true", "Timestamps"},
    {"SynAckLatency", "6ms", "SynAckLatency"},
    {"AckLatency", "70ms", "AckLatency"},
    {"AckLatencyPerByte", "8us", "AckLatencyPerByte"},
    {"InteractiveAckLatency", "9ms", "InteractiveAckLatency"},
    {"InteractiveBytes", "777", "InteractiveBytes"},
    {"AckLatencySpread", "10ms", "AckLatencySpread"},
    {"WindowProbeLatency", "11ms", "WindowProbeLatency"},
    {"AckThreshold", "0.3", "AckThreshold"},
    {"AckFrequency", "5", "AckFrequency"},
    {"DeviceQuickAcks", "9", "QuickAcks"},
    {"AckPushed", "true", "AckPushed"},
    {"DelayedAckTimeout", "55ms", "DelayedAckTimeout"},
    {"DelayedAckTimer", "free-running", "DelayedAckTimer"},
    {"WindowUpdates", "bsd", "WindowUpdates"},
    {"DeviceSillyWindowAvoidance", "true", "ReceiverSillyWindowAvoidance"},
};

/// The attributes of one of the two.
class Attributes : public TestCase
{
  public:
    Attributes(const std::string& type, const std::vector<Row>& rows)
        : TestCase("attributes of " + type),
          m_type("ns3::study::" + type),
          m_rows(rows)
    {
        m_rows.insert(m_rows.end(), BOTH.begin(), BOTH.end());
    }

  private:
    void DoRun() override
    {
        const tcp::ConnectionSettings initial =
            ObjectFactory(m_type).Create<TcpEnd>()->GetSettings();
        for (const Row& row : m_rows)
        {
            tcp::ConnectionSettings wanted = initial;
            tcp::SetByName(wanted, row[2], row.size() > 3 ? row[3] : row[1]);
            ObjectFactory factory(m_type, row[0], StringValue(row[1]));
            tcp::ConnectionSettings seen = factory.Create<TcpEnd>()->GetSettings();
            seen.acks.clock = wanted.acks.clock; // that of an adaptive receiver only
            NS_TEST_EXPECT_MSG_EQ((seen == initial), false, row[0] << " changes nothing");
            NS_TEST_EXPECT_MSG_EQ((seen == wanted), true, row[0] << " changes another");
        }
    }

    std::string m_type;      //!< of the end
    std::vector<Row> m_rows; //!< its attributes
};

const Suite g_tcpEndSuite("tcp-end",
                          {new Attributes("HostTcp", HOST),
                           new Attributes("DeviceTcp", DEVICE)}); //!< registers itself

} // namespace
