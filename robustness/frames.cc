/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Mutated frames for a live end, through its gate and into its stack, and jobs of a host beside
 * them, which are to arrive whole:
 *
 *   host ===== TAP (here two devices of ns-3) | gate | bridge or path | device of print-job
 *                 ^
 *   stranger =====+  frames of the FrameMill
 *
 *   robustness-frames COUNT SEED ethernet|path
 *
 * Not in real time, so that a seed gives the same run each time. Prints how many frames passed the
 * gate, and how many of the jobs were whole; status 1 where one was not.
 */

#include "frame-mill.h"
#include "live-ends/frame-gate.h"
#include "live-ends/live-end.h"
#include "live-ends/tap-link.h"
#include "model/ethernet/interface-setup.h"
#include "model/links/link-choice.h"
#include "model/tcp/configured-tcp-factory.h"
#include "model/tcp/host-tcp.h"
#include "print-job/print-job-client.h"
#include "print-job/print-server.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/fd-net-device.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <unistd.h>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// The device that reads a TAP, without a TAP: frames are given to it, and taken from it.
class Wire : public FdNetDevice
{
  public:
    /// @param write what to do with its frames
    explicit Wire(std::function<void(const Frame&)> write)
        : m_write(std::move(write))
    {
        int ends[2]; // nobody writes into it
        if (pipe(ends) == 0)
        {
            SetFileDescriptor(ends[0]);
        }
        SetEncapsulationMode(DIX);
        SetAddress(Mac48Address::Allocate());
    }

    /// Bring it a frame, as its reader does.
    void Bring(const Frame& frame)
    {
        auto* const octets = static_cast<uint8_t*>(std::malloc(frame.size())); // it frees that
        std::memcpy(octets, frame.data(), frame.size());
        ReceiveCallback(octets, static_cast<ssize_t>(frame.size()));
    }

    ssize_t Write(uint8_t* octets, size_t size) override
    {
        m_write(Frame(octets, octets + size));
        return static_cast<ssize_t>(size);
    }

  private:
    std::function<void(const Frame&)> m_write;
};

/// Jobs one after the other, and frames between them.
class Trial
{
  public:
    Trial(uint64_t seed, const std::string& link);
    void Run(uint64_t count);
    /// @return the record
    JsonObject Tell() const;

    /// @return whether there were jobs, and all of them whole
    bool IsWhole() const
    {
        return m_jobs > 0 && m_whole == m_jobs;
    }

  private:
    /// Let a frame through the gate, or not. @return whether
    bool Enter(const Frame& frame);
    void Inject();
    void Print();

    FrameMill m_mill;
    ParameterSet m_parameters;
    std::unique_ptr<LiveEnd> m_end; //!< the device
    Ptr<Link> m_link;               //!< between TAP and device
    Ptr<Wire> m_tap;                //!< where frames come in
    Ptr<Wire> m_own;                //!< the host's
    Ptr<Node> m_host;
    Address m_device;
    uint64_t m_left{0};   //!< frames to send
    uint64_t m_sent{0};   //!< of the stranger
    uint64_t m_passed{0}; //!< the gate
    uint64_t m_jobs{0};   //!< begun
    uint64_t m_whole{0};  //!< taken by the device, whose last reply came
};

Trial::Trial(uint64_t seed, const std::string& link)
    : m_mill(seed, Ipv4Address(link == "path" ? "10.0.9.77" : "10.0.0.77").Get()),
      m_end(MakeLiveEnd("print-job"))
{
    m_end->AddParameters(m_parameters);
    m_parameters.AddTypes<HostTcp, TcpEnd, PrintJobClient>("host");
    LinkChoice::AddParameters(m_parameters, "job");
    m_parameters.Set("link", link);
    // Room for all frames: a queue would lose some of the jobs'.
    m_parameters.Set("link-rate", "100Mbps");
    m_parameters.Set("path-rate", "100Mbps");
    m_tap = CreateObject<Wire>([this](const Frame& frame) {
        m_mill.Hear(frame);
        if (const Frame answer = m_mill.Answer(frame); !answer.empty())
        {
            Enter(answer);
        }
        m_own->Bring(frame);
    });
    m_own = CreateObject<Wire>([this](const Frame& frame) {
        m_mill.Learn(frame);
        Enter(frame);
    });
    const auto device = CreateObject<Node>();
    m_link = JoinTap(m_parameters, m_tap, device);
    m_end->Install(m_parameters, device);
    m_end->AssignStreams(m_link->AssignStreams(0));
    m_device = InetSocketAddress(m_link->GetDeviceAddress(), PrintServer::LPR_PORT);

    m_host = CreateObject<Node>();
    InstallIpv4(m_host);
    m_host->AddDevice(m_own);
    if (link == "path")
    {
        AssignIpv4Address(m_own, "10.0.9.1", Ipv4Address("10.0.9.254"));
    }
    else
    {
        AssignIpv4Address(m_own, "10.0.0.1");
    }
    ConfiguredTcpFactory::Install(m_host, m_parameters.GetFactory(HostTcp::GetTypeId(), "host"))
        ->AssignStreams(1000);
}

void
Trial::Run(uint64_t count)
{
    m_left = count;
    Simulator::Schedule(MilliSeconds(10), [this]() { Print(); });
    Simulator::Schedule(MilliSeconds(20), [this]() { Inject(); });
    Simulator::Run();
}

bool
Trial::Enter(const Frame& frame)
{
    const bool passes = IsReadable(frame.data(), frame.size());
    if (passes)
    {
        m_tap->Bring(frame);
    }
    return passes;
}

void
Trial::Inject()
{
    if (m_left > 0)
    {
        --m_left;
        ++m_sent;
        m_passed += Enter(m_mill.Make()) ? 1 : 0;
        Simulator::Schedule(MicroSeconds(200), [this]() { Inject(); });
    }
}

void
Trial::Print()
{
    constexpr uint64_t job = 20000; // B
    if (m_left == 0 && m_sent > 0)
    {
        Simulator::Stop();
        return;
    }
    ++m_jobs;
    const auto client = m_parameters.Create<PrintJobClient>("host");
    client->SetJob(m_device,
                   Socket::CreateSocket(m_host, ConfiguredTcpFactory::GetTypeId()),
                   MakeLprScript(job));
    client->SetEndCallback([this](ClientApplication::End end) {
        m_whole += end == ClientApplication::End::FINISHED ? 1 : 0;
        Simulator::Schedule(MilliSeconds(10), [this]() { Print(); });
    });
    m_host->AddApplication(client);
}

JsonObject
Trial::Tell() const
{
    JsonObject record;
    record.Add("frames", m_sent);
    record.Add("passed", m_passed);
    record.Add("jobs", m_jobs);
    record.Add("whole", m_whole);
    return record;
}

} // namespace

int
main(int argc, char* argv[])
{
    const uint64_t count = std::stoull(argc > 1 ? argv[1] : "10000");
    const uint64_t seed = std::stoull(argc > 2 ? argv[2] : "1");
    const std::string link = argc > 3 ? argv[3] : "ethernet";
    // What the device tells of its jobs goes to standard output, and is nothing to us.
    const int console = dup(STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    Trial trial(seed, link);
    trial.Run(count);
    dup2(console, STDOUT_FILENO);
    std::cout << trial.Tell().ToString() << std::endl;
    std::_Exit(trial.IsWhole() ? 0 : 1); // a thread waits for each device's descriptor
}
