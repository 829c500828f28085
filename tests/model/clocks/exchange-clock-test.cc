/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The clock that splits the time of an exchange between two ends that take turns.
 */

#include "at.h"
#include "model/clocks/exchange-clock.h"
#include "model/clocks/limit-table.h"

#include "ns3/simulator.h"
#include "ns3/test.h"

#include <functional>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A clock that runs through a sequence of changes, and its time of each limit.
class ExchangeClockCase : public TestCase
{
  public:
    /**
     * @param name the claim
     */
    explicit ExchangeClockCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /**
     * @param limit a limit
     * @param ms what it should have been charged
     */
    void Check(Limit limit, int64_t ms)
    {
        NS_TEST_EXPECT_MSG_EQ(m_clock.Get(limit), MilliSeconds(ms), LimitName(limit));
    }

    ExchangeClock m_clock; //!< the clock
};

/// One command with a stall, and who is charged at each instant of it.
class OneCommand : public ExchangeClockCase
{
  public:
    OneCommand()
        : ExchangeClockCase("the end with data it may not send is charged, then whoever works")
    {
    }

  private:
    void DoRun() override
    {
        using End = ExchangeClock::End;
        ExchangeClock& clock = m_clock;
        At(0, [&]() { clock.Start(); });
        At(10, [&]() {
            clock.SenderWaitsFor(End::CLIENT, Limit::APPLICATION);
            clock.SenderWaitsFor(End::SERVER, Limit::APPLICATION);
            clock.Working(End::CLIENT, true);
        });
        At(15, [&]() {
            clock.Working(End::CLIENT, false);
            clock.Frames(End::CLIENT, +1);
        });
        At(18, [&]() {
            clock.Frames(End::CLIENT, -1);
            clock.SenderWaitsFor(End::SERVER, Limit::CPU);
        });
        At(20, [&]() { clock.Working(End::SERVER, true); });
        At(25, [&]() { clock.Frames(End::CLIENT, +1); }); // an ACK in flight: the server works
        At(26, [&]() { clock.Frames(End::CLIENT, -1); });
        At(30, [&]() {
            clock.Working(End::SERVER, false);
            clock.SenderWaitsFor(End::SERVER, Limit::NAGLE);
        });
        At(32, [&]() { clock.AckWithheld(End::CLIENT, true); });
        At(70, [&]() { clock.DelayedAckExpired(End::SERVER); }); // not the one waited for
        At(80, [&]() {
            clock.DelayedAckExpired(End::CLIENT);
            clock.AckWithheld(End::CLIENT, false);
        });
        At(84, [&]() {
            clock.SenderWaitsFor(End::SERVER, Limit::APPLICATION);
            clock.AckWithheld(End::CLIENT, true); // of the last data: nobody waits for it
            clock.Working(End::CLIENT, true);
        });
        At(90, [&]() { clock.DelayedAckExpired(End::CLIENT); });
        At(100, [&]() { clock.Stop(); });
        At(110, [&]() { clock.Working(End::CLIENT, false); });
        Simulator::Run();
        Simulator::Destroy();
        Check(Limit::HANDSHAKE, 10);
        Check(Limit::CLIENT_APPLICATION, 21); // 10 to 15, 84 to 100
        Check(Limit::LINK, 3);                // 15 to 18
        Check(Limit::CPU, 2);                 // 18 to 20
        Check(Limit::SERVER_APPLICATION, 10); // 20 to 30
        Check(Limit::NAGLE, 6);               // 30 to 32, 80 to 84
        Check(Limit::DELAYED_ACK, 48);        // 32 to 80
        NS_TEST_EXPECT_MSG_EQ(m_clock.GetTotal(), MilliSeconds(100), "the total");
        NS_TEST_EXPECT_MSG_EQ(m_clock.GetStalls(), 1, "expiries that the exchange waited for");
    }
};

/// Data sent again: what passed since the last progress was lost to that.
class LostTime : public ExchangeClockCase
{
  public:
    LostTime()
        : ExchangeClockCase("the time up to a retransmission is charged to it")
    {
    }

  private:
    void DoRun() override
    {
        using End = ExchangeClock::End;
        ExchangeClock& clock = m_clock;
        At(0, [&]() { clock.Start(); });
        At(10, [&]() { clock.SenderWaitsFor(End::CLIENT, Limit::NAGLE); });
        At(20, [&]() { clock.Progress(); });
        At(50, [&]() { clock.RetransmissionTimeout(); });
        At(55, [&]() { clock.Progress(); });
        At(70, [&]() { clock.Stop(); });
        Simulator::Run();
        Simulator::Destroy();
        Check(Limit::HANDSHAKE, 10);
        Check(Limit::LOSS_RECOVERY, 30); // 20 to 50
        Check(Limit::NAGLE, 30);         // 10 to 20, 50 to 70
        NS_TEST_EXPECT_MSG_EQ(m_clock.GetTotal(), MilliSeconds(70), "the total");
    }
};

/// A write that returns when all of it is acknowledged: its program waits for a withheld ACK.
class WriteThatWaits : public ExchangeClockCase
{
  public:
    WriteThatWaits()
        : ExchangeClockCase("a write that waits for a withheld ACK is charged to it")
    {
    }

  private:
    void DoRun() override
    {
        using End = ExchangeClock::End;
        ExchangeClock& clock = m_clock;
        At(0, [&]() {
            clock.Start();
            clock.SenderWaitsFor(End::CLIENT, Limit::APPLICATION);
            clock.SenderWaitsFor(End::SERVER, Limit::APPLICATION);
            clock.AckWithheld(End::SERVER, true);
        });
        At(10, [&]() { clock.AwaitsAck(End::CLIENT, true); });
        At(50, [&]() {
            clock.DelayedAckExpired(End::SERVER);
            clock.AckWithheld(End::SERVER, false);
        });
        At(60, [&]() { clock.Stop(); });
        Simulator::Run();
        Simulator::Destroy();
        Check(Limit::CPU, 20); // 0 to 10, when no write waits, and 50 to 60
        Check(Limit::DELAYED_ACK, 40);
        NS_TEST_EXPECT_MSG_EQ(m_clock.GetStalls(), 1, "expiries that the exchange waited for");
    }
};

/// The suite.
class ExchangeClockSuite : public TestSuite
{
  public:
    ExchangeClockSuite()
        : TestSuite("exchange-clock", Type::UNIT)
    {
        AddTestCase(new OneCommand, Duration::QUICK);
        AddTestCase(new LostTime, Duration::QUICK);
        AddTestCase(new WriteThatWaits, Duration::QUICK);
    }
};

ExchangeClockSuite g_exchangeClockSuite; //!< registers itself

} // namespace
