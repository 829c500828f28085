/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The clock that splits a job's time by what the sender waited for.
 */

#include "clock-claim.h"
#include "model/clocks/limit-clock.h"

#include <array>
#include <sstream>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A sequence of changes at known instants, and the fraction of each limit.
class SharesAddUp : public ClockClaim<LimitClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        At(0, [&]() { clock.Start(); });
        At(10, [&]() { clock.SenderWaitsFor(Limit::RECEIVE_WINDOW); });
        At(20, [&]() { clock.InterfaceFrames(0, +1); });
        At(22, [&]() { clock.InterfaceFrames(0, +1); });
        At(25, [&]() { clock.InterfaceFrames(0, -1); });
        At(28, [&]() { clock.InterfaceFrames(0, -1); });
        At(40, [&]() { clock.Progress(); });
        At(45, [&]() { clock.SenderWaitsFor(Limit::NAGLE); });
        At(60, [&]() { clock.RetransmissionTimeout(); });
        At(70, [&]() { clock.Stop(); });
        At(99, [&]() { clock.SenderWaitsFor(Limit::CPU); });
        Expect({
            {Limit::HANDSHAKE, 10},
            {Limit::LINK, 3},            // 22 to 25: a second frame waits
            {Limit::RECEIVE_WINDOW, 27}, // 10 to 22, 25 to 40; 40 to 45 was lost
            {Limit::LOSS_RECOVERY, 20},  // 40 to 60: back to the last progress
            {Limit::NAGLE, 10},          // 60 to 70
        });
        NS_TEST_EXPECT_MSG_EQ(clock.GetTotal(), MilliSeconds(70), "the total");
    }
};

/// A frame on one line does not wait for one on another; two for the same line do.
class LinesOfTheirOwn : public ClockClaim<LimitClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        clock.Start();
        clock.SenderWaitsFor(Limit::RECEIVE_WINDOW);
        clock.InterfaceFrames(0, +1);
        clock.InterfaceFrames(2, +1);
        At(10, [&]() { clock.InterfaceFrames(2, +1); });
        At(14, [&]() { clock.InterfaceFrames(2, -1); });
        At(20, [&]() {
            clock.InterfaceFrames(0, -1);
            NS_TEST_EXPECT_MSG_EQ(clock.HoldsFrames(), true, "one is still on its line");
            clock.InterfaceFrames(2, -1);
            NS_TEST_EXPECT_MSG_EQ(clock.HoldsFrames(), false, "all have left");
            clock.Stop();
        });
        Expect({
            {Limit::LINK, 4},            // 10 to 14
            {Limit::RECEIVE_WINDOW, 16}, // the rest
        });
    }
};

/// What waits for the host's bus waits for no line yet, and what waits for a line is past the bus.
class BusBeforeTheLines : public ClockClaim<LimitClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        clock.Start();
        clock.SenderWaitsFor(Limit::SEND_BUFFER);
        clock.BusFrames(+1);
        At(10, [&]() { clock.InterfaceFrames(0, +1); }); // one on the line does not hold up the bus
        At(15, [&]() { clock.BusFrames(+1); });
        At(18, [&]() { clock.ProcessorWorks(Limit::CPU); });
        At(22, [&]() { clock.InterfaceFrames(0, +1); });
        At(25, [&]() { clock.InterfaceFrames(0, -1); });
        At(27, [&]() { clock.BusFrames(-1); });
        At(30, [&]() {
            clock.InterfaceFrames(0, -1);
            NS_TEST_EXPECT_MSG_EQ(clock.HoldsFrames(), true, "one is still on the bus");
            clock.BusFrames(-1);
            NS_TEST_EXPECT_MSG_EQ(clock.HoldsFrames(), false, "all have left");
            clock.Stop();
        });
        Expect({
            {Limit::SEND_BUFFER, 15}, // 0 to 15
            {Limit::BUS, 9},          // 15 to 22, 25 to 27
            {Limit::LINK, 3},         // 22 to 25
            {Limit::CPU, 3},          // 27 to 30
        });
    }
};

/// On a long way an ACK withheld holds nobody up while others travel.
class AckKeptBackOnALongWay : public ClockClaim<LimitClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        clock.Start();
        clock.SenderWaitsFor(Limit::CONGESTION_WINDOW);
        clock.OnTheWay(+1); // the ACK of others
        At(10, [&]() { clock.AckWithheld(true); });
        At(50, [&]() { clock.OnTheWay(-1); });
        At(57, [&]() { clock.AckWithheld(false); });
        At(60, [&]() { clock.Stop(); });
        Expect({
            {Limit::DELAYED_ACK, 7},        // 50 to 57
            {Limit::CONGESTION_WINDOW, 53}, // the rest
        });
    }
};

/// While an ACK is withheld nothing tells of a buffer that empties.
class WindowBehindAnAckKeptBack : public ClockClaim<LimitClock>
{
    using ClockClaim::ClockClaim;

    /// @param emptied when the device's buffer is empty [ms]
    /// @param byTimer whether the timer sends the ACK
    /// @param filled when data came into the buffer [ms]
    /// @return the clock's fractions of the drain, of the update and of the ACK [ms]
    static std::array<int64_t, 3> Ask(int64_t emptied, bool byTimer, int64_t filled = 90)
    {
        LimitClock clock;
        clock.Start();
        clock.PeerHolds(false);
        clock.SenderWaitsFor(Limit::DRAIN);
        At(filled, [&]() { clock.PeerHolds(true); });
        At(95, [&]() { clock.Progress(); });
        At(100, [&]() { clock.AckWithheld(true); });
        At(emptied, [&]() { clock.PeerHolds(false); });
        At(300, [&]() {
            if (byTimer)
            {
                clock.DelayedAckExpired();
            }
            clock.AckWithheld(false);
        });
        At(303, [&]() { clock.Stop(); });
        Simulator::Run();
        Simulator::Destroy();
        return {clock.Get(Limit::DRAIN).GetMilliSeconds(),
                clock.Get(Limit::WINDOW_UPDATE).GetMilliSeconds(),
                clock.Get(Limit::DELAYED_ACK).GetMilliSeconds()};
    }

    /// @param unread before the ACK is withheld for 100 s [s]
    /// @return what of that the ACK is charged with [s]
    static double KeepBackLong(int64_t unread)
    {
        LimitClock clock;
        clock.AckWithheldAtMost(Seconds(100));
        clock.Start();
        clock.PeerHolds(false);
        clock.SenderWaitsFor(Limit::DRAIN);
        At(1000 * (40 - unread), [&]() { clock.PeerHolds(true); });
        At(40000, [&]() { clock.AckWithheld(true); });
        At(50000, [&]() { clock.PeerHolds(false); });
        At(140000, [&]() {
            clock.DelayedAckExpired();
            clock.Stop();
        });
        Simulator::Run();
        Simulator::Destroy();
        return clock.Get(Limit::DELAYED_ACK).GetSeconds();
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(KeepBackLong(9), 100, "unread for less than a tenth");
        NS_TEST_EXPECT_MSG_EQ(KeepBackLong(11), 0, "unread for more");
        using Shares = std::array<int64_t, 3>;
        NS_TEST_EXPECT_MSG_EQ((Ask(170, true) == Shares{10, 93, 200}), true, "empty by then");
        NS_TEST_EXPECT_MSG_EQ((Ask(301, true) == Shares{211, 92, 0}), true, "not yet empty");
        NS_TEST_EXPECT_MSG_EQ((Ask(170, false) == Shares{80, 223, 0}), true, "an update that went");
        NS_TEST_EXPECT_MSG_EQ((Ask(170, true, 70) == Shares{100, 203, 0}), true, "unread for long");
    }
};

/// A wait that comes once in a job of any length.
class AckWithheldAtTheEnd : public ClockClaim<LimitClock>
{
    using ClockClaim::ClockClaim;

    /// @param last what the sender waits for when its application has written all
    /// @param byTimer whether the timer sends the last ACK
    /// @param more whether data wait for the window after it
    /// @return what the clock says of the end [ms]
    static int64_t Ask(Limit last, bool byTimer, bool more)
    {
        LimitClock clock;
        clock.Start();
        clock.SenderWaitsFor(Limit::RECEIVE_WINDOW);
        clock.Outstanding(true, false);
        At(10, [&]() { clock.AckWithheld(true); });
        At(30, [&]() {
            clock.DelayedAckExpired(); // in the middle
            clock.AckWithheld(false);
        });
        At(40, [&]() {
            clock.ApplicationWorks(false);
            clock.SenderWaitsFor(last);
        });
        At(50, [&]() { clock.AckWithheld(true); });
        At(90, [&]() {
            if (byTimer)
            {
                clock.DelayedAckExpired();
            }
            clock.AckWithheld(false);
            clock.SenderWaitsFor(Limit::CPU);
        });
        At(91, [&]() { clock.SenderWaitsFor(more ? Limit::RECEIVE_WINDOW : last); });
        At(99, [&]() { clock.Stop(); });
        Simulator::Run();
        Simulator::Destroy();
        return clock.GetWithheldAtEnd().GetMilliSeconds();
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Ask(Limit::APPLICATION, true, false), 40, "all is sent");
        NS_TEST_EXPECT_MSG_EQ(Ask(Limit::NAGLE, true, false), 40, "but the last small segment");
        NS_TEST_EXPECT_MSG_EQ(Ask(Limit::RECEIVE_WINDOW, true, false), 0, "more is to be sent");
        NS_TEST_EXPECT_MSG_EQ(Ask(Limit::APPLICATION, false, false), 0, "the ACK came by itself");
        NS_TEST_EXPECT_MSG_EQ(Ask(Limit::NAGLE, true, true), 0, "it was not the end");
    }
};

/// The log of who waited for what learns it, too, in the middle of a span.
class LogOfAnAckKeptBack : public ClockClaim<LimitClock>
{
    using ClockClaim::ClockClaim;

    void DoRun() override
    {
        WaitLog log({"host"});
        clock.Keep(log);
        clock.Start();
        clock.SenderWaitsFor(Limit::DRAIN);
        clock.PeerHolds(true);
        At(100, [&]() { clock.AckWithheld(true); });
        At(104, [&]() { clock.SenderWaitsFor(Limit::RECEIVE_WINDOW); });
        At(106, [&]() { clock.SenderWaitsFor(Limit::DRAIN); });
        At(150, [&]() { clock.PeerHolds(false); });
        At(700, [&]() {
            clock.DelayedAckExpired();
            clock.AckWithheld(false);
        });
        At(710, [&]() { clock.Stop(); });
        Simulator::Run();
        std::ostringstream text;
        log.Write(text, Time());
        Simulator::Destroy();
        const std::string told = text.str();
        const auto said = [&](const std::string& row) {
            NS_TEST_EXPECT_MSG_NE(told.find("\n" + row), std::string::npos, row << told);
        };
        said("0.000000000,drain,host");
        said("0.100000000,delayed_ack,host");
        said("0.700000000,window_update,host");
        NS_TEST_EXPECT_MSG_EQ(told.find("0.106000000,drain"), std::string::npos, told);
        NS_TEST_EXPECT_MSG_EQ(clock.Get(Limit::DRAIN), MilliSeconds(100), "until it is withheld");
        NS_TEST_EXPECT_MSG_EQ(clock.Get(Limit::DELAYED_ACK), MilliSeconds(600), "while it is");
    }
};

const Suite g_limitClockSuite(
    "limit-clock",
    {new SharesAddUp("every instant is charged once, a waiting frame before the sender's reason"),
     new LinesOfTheirOwn(
         "frames wait for each other only in the same interface, be it any on the way"),
     new BusBeforeTheLines(
         "frames that wait for the bus are the bus's, unless others wait for a line"),
     new AckKeptBackOnALongWay(
         "an ACK that is withheld holds up the sender once nothing is in flight"),
     new WindowBehindAnAckKeptBack(
         "a wait for the window is the ACK's if its timer finds the buffer empty"),
     new AckWithheldAtTheEnd(
         "the wait for the delayed-ACK timer is of the end if nothing is left to send"),
     new LogOfAnAckKeptBack(
         "the log's spans are the clock's where a wait turns out to be another's")}); //!< registers
                                                                                      //!< itself

} // namespace
