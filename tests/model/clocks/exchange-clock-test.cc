/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The clock that splits the time of an exchange between two ends that take turns.
 */

#include "clock-claim.h"
#include "model/clocks/exchange-clock.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

using End = ExchangeClock::End;

/// One command with a stall, and who is charged at each instant of it.
class OneCommand : public ClockClaim<ExchangeClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        At(0, [&]() { clock.Start(); });
        At(10, [&]() {
            clock.Change(End::CLIENT).limit = Limit::APPLICATION;
            clock.Change(End::SERVER).limit = Limit::APPLICATION;
            clock.Change(End::CLIENT).working = true;
        });
        At(15, [&]() {
            clock.Change(End::CLIENT).working = false;
            ++clock.Change(End::CLIENT).frames;
        });
        At(18, [&]() {
            --clock.Change(End::CLIENT).frames;
            clock.Change(End::SERVER).limit = Limit::CPU;
        });
        At(20, [&]() { clock.Change(End::SERVER).working = true; });
        At(25, [&]() { ++clock.Change(End::CLIENT).frames; }); // an ACK in flight: the server works
        At(26, [&]() { --clock.Change(End::CLIENT).frames; });
        At(30, [&]() {
            clock.Change(End::SERVER).working = false;
            clock.Change(End::SERVER).limit = Limit::NAGLE;
        });
        At(32, [&]() { clock.Change(End::CLIENT).ackWithheld = true; });
        At(70, [&]() { clock.DelayedAckExpired(End::SERVER); }); // not the one waited for
        At(80, [&]() {
            clock.DelayedAckExpired(End::CLIENT);
            clock.Change(End::CLIENT).ackWithheld = false;
        });
        At(84, [&]() {
            clock.Change(End::SERVER).limit = Limit::APPLICATION;
            clock.Change(End::CLIENT).ackWithheld = true; // of the last data: nobody waits for it
            clock.Change(End::CLIENT).working = true;
        });
        At(90, [&]() { clock.DelayedAckExpired(End::CLIENT); });
        At(100, [&]() { clock.Stop(); });
        At(110, [&]() { clock.Change(End::CLIENT).working = false; });
        Expect({
            {Limit::HANDSHAKE, 10},
            {Limit::CLIENT_APPLICATION, 21}, // 10 to 15, 84 to 100
            {Limit::LINK, 3},                // 15 to 18
            {Limit::CPU, 2},                 // 18 to 20
            {Limit::SERVER_APPLICATION, 10}, // 20 to 30
            {Limit::NAGLE, 6},               // 30 to 32, 80 to 84
            {Limit::DELAYED_ACK, 48},        // 32 to 80
        });
        NS_TEST_EXPECT_MSG_EQ(clock.GetTotal(), MilliSeconds(100), "the total");
        NS_TEST_EXPECT_MSG_EQ(clock.GetStalls(), 1, "expiries that the exchange waited for");
    }
};

/// Data sent again: what passed since the last progress was lost to that.
class LostTime : public ClockClaim<ExchangeClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        At(0, [&]() { clock.Start(); });
        At(10, [&]() { clock.Change(End::CLIENT).limit = Limit::NAGLE; });
        At(20, [&]() { clock.Progress(); });
        At(50, [&]() { clock.RetransmissionTimeout(); });
        At(55, [&]() { clock.Progress(); });
        At(70, [&]() { clock.Stop(); });
        Expect({
            {Limit::HANDSHAKE, 10},
            {Limit::LOSS_RECOVERY, 30}, // 20 to 50
            {Limit::NAGLE, 30},         // 10 to 20, 50 to 70
        });
        NS_TEST_EXPECT_MSG_EQ(clock.GetTotal(), MilliSeconds(70), "the total");
    }
};

/// A write that returns when all of it is acknowledged: its program waits for a withheld ACK.
class WriteThatWaits : public ClockClaim<ExchangeClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        At(0, [&]() {
            clock.Start();
            clock.Change(End::CLIENT).limit = Limit::APPLICATION;
            clock.Change(End::SERVER).limit = Limit::APPLICATION;
            clock.Change(End::SERVER).ackWithheld = true;
        });
        At(10, [&]() { clock.Change(End::CLIENT).awaitsAck = true; });
        At(50, [&]() {
            clock.DelayedAckExpired(End::SERVER);
            clock.Change(End::SERVER).ackWithheld = false;
        });
        At(60, [&]() { clock.Stop(); });
        Expect({
            {Limit::CPU, 20}, // 0 to 10, when no write waits, and 50 to 60
            {Limit::DELAYED_ACK, 40},
        });
        NS_TEST_EXPECT_MSG_EQ(clock.GetStalls(), 1, "expiries that the exchange waited for");
    }
};

const Suite g_exchangeClockSuite(
    "exchange-clock",
    {new OneCommand("the end with data it may not send is charged, then whoever works"),
     new LostTime("the time up to a retransmission is charged to it"),
     new WriteThatWaits(
         "a write that waits for a withheld ACK is charged to it")}); //!< registers itself

} // namespace
