/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A workstation at a branch reads a file from a NetWare server at headquarters, over frame relay.
 *
 *     headquarters                                                                  branch
 *   +---------------+       +--------+       +-------+       +--------+      +--------------------+
 *   | NetwareServer |-------| router |-------| cloud |-------| router |------| NetwareWorkstation |
 *   +---------------+  LAN  +--------+  line +-------+  line +--------+ LAN  +--------------------+
 *
 * LAN and line: HeadquartersLanRate, HeadquartersAccessRate, BranchAccessRate, BranchLanRate. The
 * cloud is a frame-relay network: CloudDelay, CommittedRate. The ends' own times: ServerTime,
 * TurnaroundTime.
 *
 * Protocol request-reply: one packet a request; packet-burst: BurstSize packets a request. Both run
 * over IPX. The file is open: the transfer begins when the workstation sends its first request, and
 * ends when the last octet has arrived. Capture and segment table are taken at the workstation's
 * interface, where the analyzer of the source was.
 *
 *   file-read --describe                       every parameter, its unit, default and range
 *   file-read --protocol=packet-burst --burst-size=10
 *   file-read --branch-access-rate=56kbps --pcap=read.pcap --segments=read.csv
 */

#include "file-octets.h"
#include "file-read-fast-forward.h"
#include "ipx-protocol.h"
#include "model/clocks/limit-clock.h"
#include "model/clocks/tell-limits.h"
#include "model/core/trace-listener.h"
#include "model/frame-relay/frame-relay-net-device.h"
#include "model/frame-relay/frame-relay-wan.h"
#include "model/program/scenario-program.h"
#include "model/records/line-watch.h"
#include "model/records/transfer-files.h"
#include "model/runs/fast-forward-run.h"
#include "ncp-segment-log.h"
#include "netware-server.h"
#include "netware-workstation.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <memory>

namespace ns3::study
{

/// What a transfer can wait for, in the order of the record.
constexpr std::array LIMITS{Limit::CPU,
                            Limit::LINK,
                            Limit::REQUEST,
                            Limit::BURST_GAP,
                            Limit::LOSS_RECOVERY};

/// One run of a transfer: builds the topology, watches the transfer, tells the result.
class FileReadRun : public FastForwardRun
{
  public:
    FileReadRun(const ParameterSet& parameters, const RunFiles& files)
        : FastForwardRun(parameters, files, "transfer"),
          m_transfer(parameters.Create<FileRead>("transfer")),
          m_wan(parameters.Create<FrameRelayWan>("wan")),
          m_server(parameters.Create<NetwareServer>("server")),
          m_workstation(parameters.Create<NetwareWorkstation>("workstation"))
    {
    }

  private:
    /// What is counted, in the order of the record.
    enum Counter
    {
        REQUESTS,
        REPEATED_REQUESTS,
        MISSING_LISTS,
        PACKETS,
        RETRANSMISSIONS,
        NEEDLESS,
        LINE_BUSY, //!< in the simulator's unit of time
        N_COUNTERS
    };

    void Build() override
    {
        Ptr<Node> server = CreateObject<Node>();
        Ptr<Node> workstation = CreateObject<Node>();
        BuildNetwork(server, workstation);
        m_server->SetFile(m_transfer->m_fileSize, m_workstation->GetFragmentSize());
        m_workstation->SetFile(server->GetObject<IpxProtocol>()->GetAddress(0),
                               m_transfer->m_fileSize);
        m_workstation->SetRoundTrip(GetRoundTrip());
        // The server first: both start at once, and it must hear the first request.
        server->AddApplication(m_server);
        workstation->AddApplication(m_workstation);
        Watch();
        m_written = std::make_unique<TransferFiles>(
            m_files,
            m_wan->GetBranch().interface,
            m_wan->GetFrameRelayLine(),
            TransferFiles::Table{
                [this](FrameDirection, Ptr<const Packet> frame) { m_log.Add(frame); },
                [this](std::ostream& out) { m_log.Write(out); }});
        m_written->WatchWaits(m_clock, {"server"});
        if (!m_files.segments.empty())
        {
            m_log.WatchServer(m_wan);
        }
        m_requests =
            TakeCyclesOff<FileReadFastForward>(m_workstation, m_server, m_wan, m_clock, [this]() {
                return Count();
            });
        UpdateLimit();
        m_clock.Start();
    }

    void Tell(JsonObject& record) override
    {
        const auto counts = m_requests ? m_requests->GetCounts() : Count();
        const uint64_t skipped = m_requests ? m_requests->GetBytesSkipped() : 0;
        AddOutcome(record, m_workstation->GetReceived() + skipped, m_clock.GetTotal());
        record.Add("requests", counts[REQUESTS]);
        record.Add("repeated_requests", counts[REPEATED_REQUESTS]);
        record.Add("missing_lists", counts[MISSING_LISTS]);
        record.Add("packets", counts[PACKETS]);
        record.Add("retransmissions", counts[RETRANSMISSIONS]);
        record.Add("needless_retransmissions", counts[NEEDLESS]);
        record.Add("line_busy_s", TimeStep(counts[LINE_BUSY]));
        record.Add("limits_s", TellShares(m_clock, LIMITS));
        FastForward::AddResults(record, GetFastForward());
        FrameRelayWan::AddResults(record, m_wan);
        m_written->Publish();
    }

    /// Build the link and IPX on it.
    void BuildNetwork(Ptr<Node> server, Ptr<Node> workstation)
    {
        constexpr uint32_t headquartersNetwork = 0x10;
        constexpr uint32_t wanNetwork = 0x20;
        constexpr uint32_t branchNetwork = 0x30;
        m_wan->Connect(server, workstation);
        m_wan->AssignStreams(0);
        const auto joinSite = [](const FrameRelayWan::Site& site,
                                 Ptr<Node> station,
                                 uint32_t network,
                                 uint32_t otherNetwork) {
            Ptr<IpxProtocol> stationIpx = CreateObject<IpxProtocol>();
            Ptr<IpxProtocol> routerIpx = CreateObject<IpxProtocol>();
            station->AggregateObject(stationIpx);
            site.router->AggregateObject(routerIpx);
            stationIpx->AddInterface(site.interface, network);
            routerIpx->AddInterface(site.routerLan, network);
            const uint32_t line = routerIpx->AddInterface(site.routerWan, wanNetwork);
            routerIpx->AddRoute(otherNetwork, line, Mac48Address());
            stationIpx->AddRoute(otherNetwork, 0, routerIpx->GetAddress(0).node);
        };
        joinSite(m_wan->GetHeadquarters(), server, headquartersNetwork, branchNetwork);
        joinSite(m_wan->GetBranch(), workstation, branchNetwork, headquartersNetwork);
    }

    /// @return what is counted, as far as it was simulated
    std::vector<uint64_t> Count() const
    {
        std::vector<uint64_t> counts(m_counts.begin(), m_counts.end());
        counts[LINE_BUSY] = m_branchLine->GetBusy().GetTimeStep();
        return counts;
    }

    /// Follow what the two do, and the lines.
    void Watch()
    {
        using Message = NetwareWorkstation::Message;
        const auto interfaces = m_wan->GetInterfacesTowardsDevice();
        const auto port = std::find(interfaces.begin(), interfaces.end(), m_wan->GetBranch().port);
        m_branchLine = WatchLines(m_wan, m_clock).at(port - interfaces.begin());
        Listen(m_server, "Tx", [this](Ptr<const Packet>, bool again) {
            ++m_counts[PACKETS];
            m_counts[RETRANSMISSIONS] += again;
        });
        Listen(m_server, "Limit", [this](Limit limit) {
            m_serverLimit = limit;
            UpdateLimit();
        });
        Listen(m_workstation, "Tx", [this](Message message) {
            m_counts[REQUESTS] += message == Message::REQUEST;
            m_counts[REPEATED_REQUESTS] += message == Message::REPEATED_REQUEST;
            m_counts[MISSING_LISTS] += message == Message::MISSING_LIST;
        });
        Listen(m_workstation, "Rx", [this](uint32_t) { m_clock.Progress(); });
        Listen(m_workstation, "Repair", [this](bool repairing) {
            m_repairing = repairing;
            UpdateLimit();
        });
        Listen(m_workstation, "Needless", [this]() { ++m_counts[NEEDLESS]; });
        Listen(m_workstation, "Timeout", [this]() { m_clock.RetransmissionTimeout(); });
        m_workstation->SetEndCallback([this](NetwareWorkstation::End end) {
            const bool finished = end == NetwareWorkstation::End::FINISHED;
            End(finished ? Outcome::FINISHED : Outcome::STALLED, finished ? "" : DescribeWait());
        });
    }

    /// @return from the first request to its answer's first packet, while the path is idle
    Time GetRoundTrip() const
    {
        const auto transit = [this](uint32_t size) {
            return m_wan->GetTransitTime(IpxHeader().GetSerializedSize() + size,
                                         IpxHeader::ETHER_TYPE);
        };
        return transit(m_workstation->GetRequestSize()) + m_server->GetServerTime() +
               transit(m_workstation->GetAnswerSize());
    }

    /// State to the clock what the server waits for.
    void UpdateLimit()
    {
        // Without the loss the server would have the next request instead of a list to wait for.
        const bool lost = m_repairing && m_serverLimit == Limit::REQUEST;
        m_clock.SenderWaitsFor(lost ? Limit::LOSS_RECOVERY : m_serverLimit);
    }

    std::string DescribeWait() const override
    {
        return m_workstation->DescribeWait();
    }

    void Ended() override
    {
        m_clock.Stop();
        Simulator::Stop();
    }

    const Ptr<FileRead> m_transfer;              //!< the transfer's own parameters
    const Ptr<FrameRelayWan> m_wan;              //!< between the two
    const Ptr<NetwareServer> m_server;           //!< at headquarters
    const Ptr<NetwareWorkstation> m_workstation; //!< at the branch
    Ptr<LineWatch> m_branchLine;                 //!< the branch's access line, towards it

    LimitClock m_clock;                  //!< splits the duration
    Limit m_serverLimit{Limit::REQUEST}; //!< what the server waits for
    bool m_repairing{false};             //!< the workstation waits for what it listed as missing

    std::array<uint64_t, N_COUNTERS> m_counts{};    //!< but LINE_BUSY
    NcpSegmentLog m_log;                            //!< the segment table
    std::unique_ptr<TransferFiles> m_written;       //!< the files
    const FileReadFastForward* m_requests{nullptr}; //!< takes requests off
};

/// @return the scenario: which parameters, which results
Scenario
FileReadScenario()
{
    Scenario scenario;
    scenario.name = "file-read";
    scenario.help =
        "A workstation at a branch reads a file from a NetWare server over frame relay.";
    scenario.parameters.AddTypes<NetwareWorkstation>("workstation");
    scenario.parameters.AddTypes<NetwareServer>("server");
    scenario.parameters.AddTypes<FrameRelayWan>("wan");
    scenario.parameters.AddTypes<FileRead>("transfer");
    // The workstation always gives up of its own accord.
    scenario.parameters.AddType("transfer", RunLimits::GetTypeId(), "", {"StallTime"});
    scenario.parameters.SetBeyond("file-size", A_SHORTER_JOB);
    scenario.parameters.SetShort("file-size", "size");
    scenario.parameters.SetShort("branch-access-rate", "rate");
    scenario.files = {"pcap", "segments", "waits", "wan-pcap"};
    scenario.results = {
        {"bytes", "B", "Octets of the file that have arrived, each counted once"},
        {"duration_s", "s", "From the workstation's first request to the end of the transfer"},
        {"throughput_Bps", "B/s", "Bytes over duration; none unless the transfer finished"},
        {"requests", "1", "Requests of the workstation, each counted once"},
        {"repeated_requests", "1", "Requests that the workstation sent again"},
        {"missing_lists", "1", "Lists of missing fragments that the workstation sent"},
        {"packets", "1", "Packets of the server, retransmissions included"},
        {"retransmissions", "1", "Packets that the server sent again"},
        {"needless_retransmissions", "1", "Packets that came and held nothing new"},
        {"line_busy_s", "s", "How long the branch's access line was sending towards the branch"},
        {"limits_s", "s", "The duration split by what the server waited for"},
    };
    FastForward::AddResultFields(scenario.results);
    FrameRelayWan::AddResultFields(scenario.results);
    scenario.limits = TellLimits(
        LIMITS,
        scenario.parameters,
        {{Limit::CPU, "the server's own time for a request, or the workstation's before the next"},
         {Limit::LINK, "the line is carrying packets, and can carry no more"},
         {Limit::LOSS_RECOVERY, "what was lost waits to be asked for again"}});
    scenario.run = RunOnceOrInFull<FileReadRun>;
    return scenario;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    return ns3::study::RunScenarioProgram(argc, argv, ns3::study::FileReadScenario());
}
