/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The processor that moves every word: its turns and its account, the disk that holds it or does
 * not, the driver between TCP and the bus, and the device that is too slow for its host.
 */

#include "model/clocks/limit-clock.h"
#include "model/clocks/limit-table.h"
#include "model/core/trace-listener.h"
#include "model/machine/cpu.h"
#include "model/machine/device-processor.h"
#include "model/machine/disk.h"
#include "model/machine/ethernet-driver.h"
#include "tests/model/tcp/tcp-pair.h"
#include "tests/suite.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// Tasks take turns, and the account holds what was done.
class TakesTurns : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Ptr<Cpu> cpu = CreateObject<Cpu>();
        cpu->SetClock(100); // 10 ns a cycle
        std::string order;
        const auto ends = [&order](const char* name) {
            return [&order, name]() {
                order += name + std::to_string(Simulator::Now().GetMicroSeconds()) + " ";
            };
        };
        const std::vector<CpuWork> copy{{CpuStage::SYSTEM_CALL, cpu->GetTime(100)},
                                        {CpuStage::SOCKET_COPY, cpu->GetTime(900)}};
        Simulator::Schedule(MicroSeconds(5), [&]() {
            cpu->Do(copy, Cpu::Priority::PROCESS, ends("first"));
            cpu->Do(copy, Cpu::Priority::PROCESS, ends("second"));
        });
        // Comes while the first is in hand: that one is finished, the second waits.
        Simulator::Schedule(MicroSeconds(7), [&]() {
            cpu->Do({{CpuStage::RECEIVE, MicroSeconds(4)}},
                    Cpu::Priority::INTERRUPT,
                    ends("interrupt"));
        });
        Time halfway;
        Simulator::Schedule(MicroSeconds(25),
                            [&]() { halfway = cpu->GetBusy(CpuStage::SOCKET_COPY); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(order, "first15 interrupt19 second29 ", "order and ends [us]");
        NS_TEST_EXPECT_MSG_EQ(halfway,
                              MicroSeconds(9 + 5),
                              "a copy in hand counts as far as it is");
        NS_TEST_EXPECT_MSG_EQ(cpu->GetBusy(CpuStage::SYSTEM_CALL), MicroSeconds(2), "calls");
        NS_TEST_EXPECT_MSG_EQ(cpu->GetBusy(CpuStage::SOCKET_COPY), MicroSeconds(18), "copies");
        NS_TEST_EXPECT_MSG_EQ(cpu->GetBusy(CpuStage::RECEIVE), MicroSeconds(4), "interrupt");
        NS_TEST_EXPECT_MSG_EQ(cpu->GetBusy(CpuStage::IDLE), MicroSeconds(5), "idle at first");
        Simulator::Destroy();
    }
};

/// Three ways to read two buffers with 10 ms of other work for each.
class DiskAndWork : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Check("held", 50, 50);       // 2 x (15 + 10)
        Check("waited", 50, 20);     // and free meanwhile
        Check("read-ahead", 40, 20); // 15, 15, 10
    }

    /**
     * @param reading the disk's DiskReading
     * @param endMs when the work on the second buffer should end [ms]
     * @param busyMs what the processor should have done by then [ms]
     */
    void Check(const std::string& reading, int64_t endMs, int64_t busyMs)
    {
        Ptr<Cpu> cpu = CreateObject<Cpu>();
        ObjectFactory factory("ns3::study::Disk");
        factory.Set("DiskRate", StringValue("32768kbps")); // 4096 B/ms
        factory.Set("DiskReading", StringValue(reading));
        Ptr<Disk> disk = factory.Create<Disk>();
        disk->SetCpu(cpu);
        Time waited;
        Time since;
        Listen(disk, "Waited", [&](bool waits) {
            waited += waits ? Time() : Simulator::Now() - since;
            since = Simulator::Now();
        });
        constexpr uint32_t buffer = 15 * 4096; // 15 ms
        Time end;
        const auto work = [&](const std::function<void()>& then) {
            cpu->Do({{CpuStage::SOCKET_COPY, MilliSeconds(10)}}, Cpu::Priority::PROCESS, then);
        };
        disk->Read(buffer, [&]() {
            work([&]() { disk->Read(buffer, [&]() { work([&]() { end = Simulator::Now(); }); }); });
        });
        Simulator::Run();
        const Time busy = cpu->GetBusy(CpuStage::DISK) + cpu->GetBusy(CpuStage::SOCKET_COPY);
        NS_TEST_EXPECT_MSG_EQ(end, MilliSeconds(endMs), reading << ": end");
        NS_TEST_EXPECT_MSG_EQ(busy, MilliSeconds(busyMs), reading << ": the processor's work");
        NS_TEST_EXPECT_MSG_EQ(waited,
                              MilliSeconds(endMs - busyMs),
                              reading << ": the reader's wait");
        Simulator::Destroy();
    }
};

/**
 * @param transfer pio or dma
 * @param waitStates of the bus
 * @param wordCycles of the copy loop
 * @return a driver at 4 MHz of bus and 2 clocks a word
 */
Ptr<EthernetDriver>
MakeDriver(const std::string& transfer, double waitStates, double wordCycles)
{
    ObjectFactory factory("ns3::study::EthernetDriver");
    factory.Set("InterfaceTransfer", StringValue(transfer));
    factory.Set("SendCycles", DoubleValue(1000));
    factory.Set("ReceiveCycles", DoubleValue(500));
    factory.Set("BusClock", DoubleValue(4));
    factory.Set("WaitStates", DoubleValue(waitStates));
    factory.Set("WordCycles", DoubleValue(wordCycles));
    return factory.Create<EthernetDriver>();
}

/// Words and wait states set the distance between two segments.
class WordsSetTheSpacing : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        // A full segment: 757 words. At 100 MHz 1000 cycles are 10 us; a word's loop takes 0.1 us,
        // its 2 clocks of a 4 MHz bus 0.5 us, and each wait state 0.25 us more.
        Check("pio", 0, 10, 10 + 757 * 0.6, 757 * 0.5);
        Check("pio", 2, 10, 10 + 757 * 1.1, 757 * 1.0);
        // Half the instructions save what they took, and nothing of the bus.
        Check("pio", 2, 5, 10 + 757 * 1.05, 757 * 1.0);
        // By DMA the bus still takes its time, but the processor is free.
        Check("dma", 2, 10, 757 * 1.0, 0);
    }

    /**
     * @param transfer pio or dma
     * @param waitStates of the bus
     * @param wordCycles of the copy loop
     * @param spacingUs expected distance [us]
     * @param busUs what the processor waits for the bus for a segment [us]
     */
    void Check(const std::string& transfer,
               double waitStates,
               double wordCycles,
               double spacingUs,
               double busUs)
    {
        ObjectFactory link("ns3::study::EthernetLink");
        link.Set("LinkRate", StringValue("10Gbps")); // never what is waited for
        ObjectFactory host("ns3::study::HostTcp");
        host.Set("InitialWindow", UintegerValue(10));
        host.Set("SegmentTime", TimeValue(NanoSeconds(1)));
        TcpPair pair(host, ObjectFactory("ns3::study::DeviceTcp"), link);
        Ptr<Cpu> cpu = CreateObject<Cpu>();
        cpu->SetClock(100);
        Ptr<EthernetDriver> driver = MakeDriver(transfer, waitStates, wordCycles);
        driver->Install(pair.hostSocket->GetNode(), cpu);
        pair.Write(4 * 1460);
        pair.RunUntil(Seconds(1));

        const std::string point = transfer + ", " + std::to_string(int(waitStates)) +
                                  " wait states, " + std::to_string(int(wordCycles)) +
                                  " cycles a word: ";
        const auto data = pair.HostData();
        NS_TEST_ASSERT_MSG_EQ(data.size(), 4, point << "segments");
        const Time spacing = data[1].time - data[0].time;
        NS_TEST_EXPECT_MSG_EQ(spacing, NanoSeconds(int64_t(spacingUs * 1000)), point << "spacing");
        NS_TEST_EXPECT_MSG_EQ(pair.received, 4 * 1460, point << "all arrives");
        // Frames of 60 octets: the handshake's ACK sent, the SYN-ACK and the device's ACKs
        // received.
        const double small = busUs * 30 / 757;
        const double frames = 4 * busUs + (1 + 1 + pair.DeviceSegments().size()) * small;
        NS_TEST_EXPECT_MSG_EQ_TOL(cpu->GetBusy(CpuStage::BUS).GetSeconds() * 1e6,
                                  frames,
                                  0.1,
                                  point << "what the processor waited for the bus [us]");
    }
};

/// A device that has much to do for each byte acknowledges later by just that.
class SlowDeviceAcknowledgesLate : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Time without = GetAckTime(0, 0);
        const Time with = GetAckTime(2000, 100);
        // At 20 MHz: 100 us for the packet, 5 us for each of 1514 octets, 100 us for the ACK.
        NS_TEST_EXPECT_MSG_EQ(with - without, MicroSeconds(100 + 7570 + 100), "later");
    }

    /**
     * @param packetCycles the device's DevicePacketCycles
     * @param byteCycles its DeviceByteCycles
     * @return from a segment to its ACK
     */
    Time GetAckTime(double packetCycles, double byteCycles)
    {
        TcpPair pair(ObjectFactory("ns3::study::HostTcp"), ObjectFactory("ns3::study::DeviceTcp"));
        pair.RunUntil(MilliSeconds(10)); // the device's end is there
        ObjectFactory factory("ns3::study::DeviceProcessor");
        factory.Set("DeviceClock", DoubleValue(20));
        factory.Set("DevicePacketCycles", DoubleValue(packetCycles));
        factory.Set("DeviceByteCycles", DoubleValue(byteCycles));
        factory.Create<DeviceProcessor>()->Install(pair.deviceSocket->GetNode());
        pair.WriteNow(1460);
        pair.RunUntil(Seconds(1));
        return pair.DeviceSegments().front().time - pair.HostData().front().time;
    }
};

/// The processor's work before what the sender waits for, the line before both.
class WorkIsCharged : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        LimitClock clock;
        const auto at = [](int64_t ms, std::function<void()> action) {
            Simulator::Schedule(MilliSeconds(ms), action);
        };
        at(0, [&]() { clock.Start(); });
        at(0, [&]() { clock.SenderWaitsFor(Limit::APPLICATION); });
        at(5, [&]() { clock.ApplicationReads(true); });
        at(12, [&]() { clock.ProcessorWorks(Limit::CPU); }); // an ACK comes meanwhile
        at(15, [&]() { clock.ProcessorWorks(std::nullopt); });
        at(20, [&]() { clock.ApplicationReads(false); });
        at(20, [&]() { clock.SenderWaitsFor(Limit::RECEIVE_WINDOW); });
        at(23, [&]() { clock.ApplicationReads(true); }); // a window holds what is there already
        at(30, [&]() { clock.ProcessorWorks(Limit::DISK); });
        at(41, [&]() { clock.InterfaceFrames(0, 2); });
        at(43, [&]() { clock.InterfaceFrames(0, -2); });
        at(50, [&]() { clock.Stop(); });
        Simulator::Run();
        Simulator::Destroy();
        const auto is = [&](Limit limit, int64_t ms) {
            NS_TEST_EXPECT_MSG_EQ(clock.Get(limit), MilliSeconds(ms), LimitName(limit));
        };
        is(Limit::APPLICATION, 5);
        is(Limit::DISK, (12 - 5) + (20 - 15) + (41 - 30) + (50 - 43));
        is(Limit::CPU, 3);
        is(Limit::RECEIVE_WINDOW, 10);
        is(Limit::LINK, 2);
    }
};

const Suite g_cpuSuite(
    "cpu",
    {new TakesTurns("one thing at a time, interrupts first, and every nanosecond accounted for"),
     new DiskAndWork("a disk that is held, waited for or reads ahead holds the reader as long"),
     new WordsSetTheSpacing("words and wait states set the distance between two segments"),
     new SlowDeviceAcknowledgesLate(
         "a device's cycles for a packet and its bytes come on top of its latency"),
     new WorkIsCharged("a busy processor holds the sender, and a disk that has not delivered")});

} // namespace
