/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A real TCP talks to a simulated device, in real time.
 *
 *     this machine's kernel                             the scenario's own device and link
 *   +----------------------+   +--------------------+   Ethernet (CSMA)   +------------------+
 *   | any program, 10.0.0.1|===| TAP | BridgeDevice |---------------------| device, 10.0.0.2 |
 *   +----------------------+   +--------------------+   LinkRate, losses  +------------------+
 *
 * With Link=path the host's node of the scenario stands behind the TAP and forwards:
 *
 *   10.0.9.1 ===TAP=== 10.0.9.254 | 10.0.0.1 ---- router ==== path ==== 10.0.1.2
 *
 * The host of the scenario is left out: the kernel is the host. Device, link and their parameters
 * are the scenario's, so `live-end --scenario=print-job` takes its flags of the device and the
 * link.
 *
 *   live-end --scenario=print-job --tap=5 --link-rate=10Mbps ...
 *
 * The TAP is a descriptor that whoever starts this has opened. It runs until standard input ends,
 * tells what happens on standard output (EventStream), and at the end when it read each frame and
 * how late it wrote each. A bad value is one line on standard error, and status 2.
 */

#include "event-stream.h"
#include "live-end.h"
#include "model/links/link-choice.h"
#include "model/program/transfer-run.h"
#include "tap-device.h"
#include "tap-link.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <charconv>
#include <iostream>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

namespace ns3::study
{

namespace
{

/// What a live run is asked for.
struct Live
{
    std::unique_ptr<LiveEnd> end; //!< the device or the server
    ParameterSet parameters;      //!< its own, and the link's
    int descriptor{-1};           //!< of the TAP
};

/// @return the value of a flag that comes first
std::string
TakeFlag(std::vector<std::string>& arguments, const std::string& flag)
{
    const std::string start = "--" + flag + "=";
    if (arguments.empty() || arguments.front().rfind(start, 0) != 0)
    {
        throw ParameterError(flag, "give it before the parameters, as in " + start + "...");
    }
    const std::string value = arguments.front().substr(start.size());
    arguments.erase(arguments.begin());
    return value;
}

/// @return what the arguments ask for
Live
Understand(std::vector<std::string> arguments)
{
    Live live;
    const std::string scenario = TakeFlag(arguments, "scenario");
    live.end = MakeLiveEnd(scenario);
    if (!live.end)
    {
        throw ParameterError("scenario",
                             "'" + scenario + "' has no live end; give print-job or request-reply");
    }
    const std::string tap = TakeFlag(arguments, "tap");
    const auto [rest, error] =
        std::from_chars(tap.data(), tap.data() + tap.size(), live.descriptor);
    if (error != std::errc() || rest != tap.data() + tap.size() || live.descriptor < 3)
    {
        throw ParameterError("tap", "'" + tap + "' is no descriptor that was handed down");
    }
    live.end->AddParameters(live.parameters);
    LinkChoice::AddParameters(live.parameters, "job");
    live.parameters.AddType("job", RunLimits::GetTypeId());
    for (const std::string& argument : arguments)
    {
        const auto equals = argument.find('=');
        if (argument.rfind("--", 0) != 0 || equals == std::string::npos)
        {
            throw ParameterError("", "'" + argument + "' is not of the form --parameter=value");
        }
        live.parameters.Set(argument.substr(2, equals - 2), argument.substr(equals + 1));
    }
    return live;
}

/// Stop the simulator when standard input ends.
void
StopAtEndOfInput()
{
    char octet;
    while (read(STDIN_FILENO, &octet, 1) > 0)
    {
    }
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, Time(0), []() { Simulator::Stop(); });
}

/// Run, and tell.
void
Run(Live& live)
{
    constexpr unsigned long finest = 1; // ns; by default the kernel gathers timers of 50 us
    prctl(PR_SET_TIMERSLACK, finest, 0, 0, 0);
    GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::RealtimeSimulatorImpl"));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    // A request would wait for up to 10 ms, at random.
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    RngSeedManager::SetSeed(live.parameters.Create<RunLimits>("job")->m_seed);
    const auto tap = CreateObject<TapDevice>(live.descriptor);
    const auto device = CreateObject<Node>();
    const auto link = JoinTap(live.parameters, tap, device);
    live.end->Install(live.parameters, device);
    live.end->AssignStreams(link->AssignStreams(0));

    JsonObject ready;
    ready.Add("event", "ready");
    std::ostringstream address;
    address << link->GetDeviceAddress();
    ready.Add("address", address.str());
    ready.Add("ports", live.end->Describe());
    Simulator::Schedule(MilliSeconds(1), [ready]() { EventStream::Tell(ready); });
    constexpr int64_t longest = 100000; // h; without an event a real-time simulator ends
    Simulator::Schedule(Hours(longest), []() {});
    std::thread(StopAtEndOfInput).detach();
    Simulator::Run();

    JsonObject read;
    read.Add("event", "read_ns");
    EventStream::Tell(read, tap->GetRead());
    JsonObject late;
    late.Add("event", "late_ns");
    EventStream::Tell(late, tap->GetLate());
}

} // namespace

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    try
    {
        auto live = ns3::study::Understand(std::vector<std::string>(argv + 1, argv + argc));
        ns3::study::Run(live);
        std::cout.flush();
        std::_Exit(0); // the thread that waits for input may still do so
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
