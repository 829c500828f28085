/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A host prints to a constrained print server.
 *
 *        10.0.0.1                                        10.0.0.2
 *   +----------------+    Ethernet (CSMA)          +------------------+
 *   |      host      |    LinkRate, LinkDelay      |      device      |
 *   | PrintJobClient |-----------------------------|   PrintServer    |
 *   | HostTcpSocket  |    LossToDevice, LossToHost |  DeviceTcpSocket |
 *   +----------------+                             +------------------+
 *    Protocol lpr (port 515) or raw (port 9100); JobSize
 *
 * With Link=path a line of any rate, delay, queue and losses is between the two (PathLink). With
 * Link=frame-relay the host is at headquarters and the device at a branch; the parameters are
 * FrameRelayWan's:
 *
 *   10.0.0.1                                                                            10.0.2.2
 *   +------+  LAN   +--------+  1 Mbit/s  +-------------+  256 kbit/s  +--------+  LAN  +--------+
 *   | host |--------| router |------------| frame relay |--------------| router |-------| device |
 *   +------+        +--------+            +-------------+              +--------+       +--------+
 *
 * The job begins when the host sends its SYN, and ends with the last reply (lpr) or with the
 * acknowledgment of the last byte (raw). Times, captures and the segment table are the host's:
 * a frame counts as sent when it is handed to the interface, as the sniffer on the measured host
 * saw it.
 *
 *   print-job --describe                       every parameter, its unit, default and range
 *   print-job --system=hawking-hps1u           one run of a measured system
 *   print-job --system=hawking-hps1u --ack-latency=10ms --pcap=job.pcap --segments=job.csv
 *   print-job --system=hawking-hps1u --fast-forward=false   simulate every cycle
 */

#include "model/links/link-choice.h"
#include "model/machine/device-processor.h"
#include "model/program/scenario-program.h"
#include "model/program/transfer-run.h"
#include "model/records/transfer-observer.h"
#include "model/tcp/configured-tcp-factory.h"
#include "model/tcp/device-tcp-socket.h"
#include "model/tcp/host-tcp-socket.h"
#include "model/tcp/idle-settings.h"
#include "print-job-client.h"
#include "print-job-fast-forward.h"
#include "print-server.h"

#include "ns3/enum.h"
#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>
#include <memory>

namespace ns3::study
{

/// The job, as attributes.
class PrintJob : public Object
{
  public:
    /// How the job is sent.
    enum Protocol
    {
        LPR, //!< RFC 1179, port 515
        RAW  //!< the bytes alone, port 9100
    };

    static TypeId GetTypeId();

    Protocol m_protocol; //!< how the job is sent
    uint64_t m_jobSize;  //!< the file to print [B]
};

NS_OBJECT_ENSURE_REGISTERED(PrintJob);

TypeId
PrintJob::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::PrintJob")
            .SetParent<Object>()
            .SetGroupName("Study")
            .AddConstructor<PrintJob>()
            .AddAttribute("Protocol",
                          "How the job is sent: LPR (RFC 1179) or raw",
                          EnumValue(LPR),
                          MakeEnumAccessor<Protocol>(&PrintJob::m_protocol),
                          MakeEnumChecker(LPR, "lpr", RAW, "raw"))
            .AddAttribute("JobSize",
                          "Size of the file to print, without LPR's dialogue around it [B]",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&PrintJob::m_jobSize),
                          MakeUintegerChecker<uint64_t>(1, 2000000000));
    return tid;
}

namespace
{

/// What a host that prints can be waiting for.
constexpr std::array LIMITS{
    Limit::HANDSHAKE,
    Limit::APPLICATION,
    Limit::LAST_ACK,
    Limit::CPU,
    Limit::LINK,
    Limit::PATH_QUEUE,
    Limit::ROUND_TRIP,
    Limit::RECEIVE_WINDOW,
    Limit::DRAIN,
    Limit::WINDOW_UPDATE,
    Limit::DELAYED_ACK,
    Limit::CONGESTION_WINDOW,
    Limit::SEND_BUFFER,
    Limit::NAGLE,
    Limit::LOSS_RECOVERY,
};

} // namespace

/// One run of a print job: builds the topology, watches the job, tells the result.
class PrintJobRun : public TransferRun
{
  public:
    using TransferRun::TransferRun;

    /// @return true if cycles were taken off and the result is in doubt: nothing was told
    bool IsInDoubt() const;

  private:
    void Build() override;
    void Report(JsonObject& record) override;
    /// Put the device's side together.
    void BuildDevice(Ptr<Node> device);
    /// The host learnt that more is acknowledged.
    void Acknowledged(SequenceNumber32 oldAck, SequenceNumber32 newAck);
    /// Something has moved.
    void Moved();
    /// The client has ended.
    void ClientEnded(PrintJobClient::End end);
    bool IsAtWork() const override;
    std::string DescribeWait() const override;
    void Ended() override;

    /// The job's own parameters.
    Ptr<PrintJob> m_job{m_parameters.Create<PrintJob>("job")};
    /// What is between the two.
    Ptr<LinkChoice> m_choice{m_parameters.Create<LinkChoice>("job")};
    Ptr<HostTcpSocket> m_socket;  //!< the host's end
    Ptr<PrintJobClient> m_client; //!< the host's application
    Ptr<PrintServer> m_server;    //!< the device's application
    Ptr<Link> m_link;             //!< between the two
    uint32_t m_probesBefore{0};   //!< window probes sent before something last moved
    uint64_t m_numbers{0};        //!< sequence numbers acknowledged, of what was simulated
    uint64_t m_acknowledged{0};   //!< payload acknowledged [B]
    std::unique_ptr<TransferObserver> m_observer;       //!< counts, and writes the files
    std::unique_ptr<PrintJobFastForward> m_fastForward; //!< takes cycles off
};

bool
PrintJobRun::IsInDoubt() const
{
    return m_fastForward && m_fastForward->IsInDoubt();
}

void
PrintJobRun::Report(JsonObject& record)
{
    if (m_fastForward)
    {
        m_fastForward->CheckEnd(GetOutcome() == Outcome::STALLED);
    }
    if (IsInDoubt())
    {
        return;
    }
    if (m_fastForward)
    {
        m_acknowledged += m_fastForward->GetBytesSkipped();
    }
    const LimitClock& clock = m_socket->GetLimitClock();
    if (GetOutcome() == Outcome::FINISHED)
    {
        m_link->CheckEnd();
    }
    AddOutcome(record, m_acknowledged, clock.GetTotal());
    m_observer->AddCounts(record, "device", m_fastForward.get());
    record.Add("limits_s", clock.ToJson(LIMITS));
    m_choice->AddResults(record, m_parameters, m_link, GetIdleSettings(m_parameters));
    FastForward::AddResults(record, m_fastForward.get());
    m_observer->Publish();
}

void
PrintJobRun::Build()
{
    CheckWindows(m_parameters, "host", "device");
    CheckTimerWheels(m_parameters);
    Ptr<Node> host = CreateObject<Node>();
    Ptr<Node> device = CreateObject<Node>();
    m_link = m_choice->MakeLink(m_parameters);
    m_link->Join(host, device);
    Ptr<ConfiguredTcpFactory> hostTcp =
        ConfiguredTcpFactory::Install(host,
                                      m_parameters.GetFactory(HostTcpSocket::GetTypeId(), "host"));
    Ptr<ConfiguredTcpFactory> deviceTcp = ConfiguredTcpFactory::Install(
        device,
        m_parameters.GetFactory(DeviceTcpSocket::GetTypeId(), "device"));

    BuildDevice(device);
    int64_t stream = m_link->AssignStreams(0);
    stream += deviceTcp->AssignStreams(stream);
    stream += m_server->AssignStreams(stream);
    hostTcp->AssignStreams(stream);

    m_socket =
        DynamicCast<HostTcpSocket>(Socket::CreateSocket(host, ConfiguredTcpFactory::GetTypeId()));
    const bool lpr = m_job->m_protocol == PrintJob::LPR;
    const InetSocketAddress server(m_link->GetDeviceAddress(),
                                   lpr ? PrintServer::LPR_PORT : PrintServer::RAW_PORT);
    m_client = m_parameters.Create<PrintJobClient>("host");
    m_client->SetJob(server,
                     m_socket,
                     lpr ? MakeLprScript(m_job->m_jobSize) : MakeRawScript(m_job->m_jobSize));
    m_client->TraceConnectWithoutContext("Working", Callback<void, bool>([this](bool works) {
                                             m_socket->GetLimitClock().ApplicationWorks(works);
                                         }));
    m_client->SetEndCallback([this](PrintJobClient::End end) { ClientEnded(end); });
    host->AddApplication(m_client);
    // Before the client's own, which may end the run.
    m_socket->TraceConnectWithoutContext("HighestRxAck",
                                         MakeCallback(&PrintJobRun::Acknowledged, this));
    m_observer = std::make_unique<TransferObserver>(m_socket, m_link, m_files, "host", "device");
    m_observer->WatchWaits(m_socket->GetLimitClock(), {"host"});
    if (m_files.fastForward && m_files.IsEmpty())
    {
        m_fastForward =
            std::make_unique<PrintJobFastForward>(m_socket,
                                                  m_client,
                                                  m_server,
                                                  m_link,
                                                  m_limits->m_timeLimit,
                                                  [this](Time left) { SetTimeLeft(left); });
    }
    WatchForStall(m_limits->m_stallTime + m_server->GetLongestDrain() +
                  m_parameters.SumOfTimes({"host", "device", m_choice->GetGroup()}));
}

void
PrintJobRun::BuildDevice(Ptr<Node> device)
{
    m_server = m_parameters.Create<PrintServer>("device");
    m_server->TraceConnectWithoutContext(
        "Accepted",
        Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
            LimitClock& clock = m_socket->GetLimitClock();
            clock.PeerHolds(false);
            clock.AckWithheldAtMost(DynamicCast<DeviceTcpSocket>(socket)->GetDelayedAckTimeout());
            socket->TraceConnectWithoutContext(
                "AckWithheld",
                Callback<void, bool>([&clock](bool withheld) { clock.AckWithheld(withheld); }));
            socket->TraceConnectWithoutContext("DelayedAckExpired", Callback<void>([&clock]() {
                                                   clock.DelayedAckExpired();
                                               }));
            socket->TraceConnectWithoutContext(
                "Holding",
                Callback<void, bool>([&clock](bool holds) { clock.PeerHolds(holds); }));
        }));
    m_server->TraceConnectWithoutContext("Drained",
                                         Callback<void, uint32_t>([this](uint32_t) { Moved(); }));
    const auto processor = m_parameters.Create<DeviceProcessor>("device");
    if (processor->IsOn())
    {
        processor->Install(device);
        m_server->SetProcessor(processor);
    }
    device->AddApplication(m_server);
}

void
PrintJobRun::Acknowledged(SequenceNumber32 oldAck, SequenceNumber32 newAck)
{
    Moved();
    if (GetOutcome() == Outcome::NONE)
    {
        m_numbers += newAck - oldAck;
        m_acknowledged = m_numbers - 1; // the SYN takes the first number
    }
}

void
PrintJobRun::Moved()
{
    Progress();
    m_probesBefore = m_socket->GetWindowProbes();
}

bool
PrintJobRun::IsAtWork() const
{
    // A host that retransmits will get through or give up, and say so itself.
    // One that probes a closed window may only have lost the answers: a few more tell.
    constexpr uint32_t enoughProbes = 20;
    const uint32_t probes = m_socket->GetWindowProbes() - m_probesBefore;
    return m_socket->IsRetransmitting() || m_socket->GetLimitClock().HoldsFrames() ||
           (probes > 0 && probes < enoughProbes);
}

std::string
PrintJobRun::DescribeWait() const
{
    return m_socket->DescribeWait();
}

void
PrintJobRun::ClientEnded(PrintJobClient::End end)
{
    using How = PrintJobClient::End;
    const std::map<How, std::string> reasons{
        {How::FINISHED, ""},
        {How::NOT_CONNECTED, DescribeWait()},
        {How::CLOSED, "the device ended the connection before the job was done"},
        {How::GAVE_UP, "the host gave up retransmitting: " + DescribeWait()},
        {How::REFUSED, "the device refused the job"},
    };
    End(end == How::FINISHED ? Outcome::FINISHED : Outcome::STALLED, reasons.at(end));
}

void
PrintJobRun::Ended()
{
    m_socket->GetLimitClock().Stop();
    // A minute for the two ends to close: the source's traces show how they do.
    Simulator::Stop(GetOutcome() == Outcome::FINISHED ? Minutes(1) : Time(0));
}

/// @return the scenario: which parameters, which results
Scenario
PrintJobScenario()
{
    Scenario scenario;
    scenario.name = "print-job";
    scenario.help =
        "A host prints to a constrained print server over Ethernet, a path or frame relay.";
    scenario.parameters.AddType("device", DeviceTcpSocket::GetTypeId());
    scenario.parameters.AddType("device", PrintServer::GetTypeId());
    scenario.parameters.AddType("device", DeviceProcessor::GetTypeId());
    scenario.parameters.AddType("host", HostTcpSocket::GetTypeId());
    scenario.parameters.AddType("host", CorrectedTcpSocket::GetTypeId());
    scenario.parameters.AddType("host", PrintJobClient::GetTypeId());
    LinkChoice::AddParameters(scenario.parameters, "job");
    scenario.parameters.AddType("job", PrintJob::GetTypeId());
    scenario.parameters.AddType("job", RunLimits::GetTypeId());
    scenario.files = {"pcap", "segments", "waits", "wan-pcap"};
    scenario.results = {
        {"bytes", "B", "Payload the device has acknowledged, LPR's dialogue included"},
        {"duration_s", "s", "From the host's SYN to the end of the job"},
        {"throughput_Bps", "B/s", "Bytes over duration; none unless the job finished"},
        {"segments", "1", "Data segments the host sent, retransmissions included"},
        {"retransmissions", "1", "Data segments the host sent again"},
        TransferObserver::NeedlessField(),
        {"device_segments", "1", "Segments the host received from the device"},
        {"window_probes", "1", "Window probes the host sent"},
        {"limits_s", "s", "The duration split by what the host waited for"},
    };
    FastForward::AddResultFields(scenario.results);
    LinkChoice::AddResultFields(scenario.results);
    scenario.run = RunOnceOrInFull<PrintJobRun>;
    return scenario;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    return ns3::study::RunScenarioProgram(argc, argv, ns3::study::PrintJobScenario());
}
