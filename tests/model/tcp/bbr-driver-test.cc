/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What BBR is told of the rate at which data are delivered. Its pacing rate, at a constant gain,
 * shows the largest delivery rate that it has seen.
 */

#include "model/tcp/bbr-driver.h"
#include "tests/model/connection/pair.h"
#include "tests/suite.h"

#include "ns3/simulator.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

constexpr uint32_t SEGMENT = 1000;          //!< [B]
const Time GAP = MilliSeconds(1);           //!< between two segments, and two ACKs
constexpr int ROUND = 20;                   //!< gaps in a round trip
constexpr double RATE = SEGMENT * 8 / 1e-3; //!< of the ACK clock [bit/s]
constexpr double GAIN = 1.25;               //!< BBR's, probing for bandwidth
constexpr double MARGIN = 0.99;             //!< fraction of that at which ns-3's BBR paces

/// @return a connection whose handshake took a round trip
tcp::Connection
Connect()
{
    tcp::ConnectionSettings settings;
    settings.recovery.growth = GrowthRule::EXTERNAL;
    settings.mss = SEGMENT;
    tcp::Pair pair(settings, settings, Nanos((ROUND * GAP / 2).GetNanoSeconds()));
    pair.Give(0, &tcp::Connection::Open);
    pair.RunUntil(1s);
    return pair.m_ends[0].connection;
}

/// Segments leave and are acknowledged one by one, in a steady rhythm. A copy that leaves just
/// before the ACK of its original would measure a round trip of nothing.
class AckClock : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const tcp::Connection connection = Connect();
        BbrDriver driver(tcp::ConnectionSettings(), connection, 1);
        const auto acknowledge = [&](uint64_t place) {
            tcp::Heard heard{};
            heard.number = 1 + (place + 1) * SEGMENT;
            heard.delivered = SEGMENT;
            driver.Heard(heard, connection);
        };
        for (uint64_t place = 0; place < 600; ++place)
        {
            driver.Sent(1 + place * SEGMENT, SEGMENT, place == 0);
            Wait(GAP);
            const uint64_t oldest = place - ROUND; // in flight
            const bool resends = place >= 400;
            if (place >= ROUND && (!resends || place % 7 > 0))
            {
                acknowledge(oldest);
            }
            if (resends && place % 7 == 6)
            {
                driver.Sent(1 + (oldest + 1) * SEGMENT, SEGMENT, false);
                Wait(GAP / 100);
                acknowledge(oldest + 1);
            }
            const double rate = driver.Get().bitsPerSecond / (GAIN * MARGIN);
            if (place >= 300)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(rate, RATE, RATE / 100, "at place " << place);
            }
        }
        Simulator::Destroy();
    }

    static void Wait(Time time)
    {
        Simulator::Stop(time);
        Simulator::Run();
    }
};

/// A timeout leaves one segment of the window. Where all is recovered, Linux has BBR go on with the
/// window of before (bbr_set_cwnd_to_recover_or_restore); without that the rate stays low for
/// seconds, as the filter of rates has forgotten it by then.
class Timeout : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        tcp::ConnectionSettings settings;
        settings.mss = SEGMENT;
        tcp::Pair pair(settings, settings, 10ms);
        pair.Give(0, &tcp::Connection::Open);
        pair.RunUntil(1s);
        bool loses = true;
        pair.m_loses = [&](int from, auto&) { return loses && from == 0; };
        const tcp::Connection& connection = pair.m_ends[0].connection;
        BbrDriver driver(settings, connection, 1);
        const uint32_t before = driver.Get().window;
        pair.Give(0, &tcp::Connection::Write, 4 * SEGMENT);
        while (connection.GetRecovery().GetState() != LossRecovery::State::LOSS)
        {
            pair.RunUntil(pair.m_now + 100ms);
        }
        driver.Follow(connection);
        NS_TEST_EXPECT_MSG_EQ(driver.Get().window, SEGMENT, "one segment after the timeout");
        loses = false;
        pair.RunUntil(pair.m_now + 10s);
        driver.Follow(connection);
        NS_TEST_EXPECT_MSG_EQ(driver.Get().window, before, "as before, once all is recovered");
        Simulator::Destroy();
    }
};

const Suite g_bbrDriverSuite(
    "bbr-driver",
    {new AckClock("BBR is told the rate of a steady ACK clock, and no more for a resent segment"),
     new Timeout("BBR has its window back when what a timeout found lost is recovered")});

} // namespace
