/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A host sends a file from its disk, and its processor moves every byte.
 *
 *              10.0.0.1                                                  10.0.0.2
 *   +------------------------------+                             +--------------------+
 *   |            host              |     Ethernet (CSMA)         |       client       |
 *   | Disk -> FileServer -> HostTcp|-----------------------------| ServerApplication  |
 *   |   \________ Cpu ________/    |     LinkRate, LinkDelay     |  DeviceTcpSocket   |
 *   |      EthernetDriver, bus     |                             +--------------------+
 *   +------------------------------+
 *    FTP's data connection, made by the host (active mode, RFC 959, 3.2); JobSize
 *
 *   disk -> page cache -> (server's buffer ->) socket buffer -> TCP, IP, driver -> bus -> Ethernet
 *
 * With Link=path or Link=frame-relay that is between the two instead of the Ethernet.
 *
 * The transfer begins when the server makes the connection, and ends with the acknowledgment of the
 * last byte; FTP's commands are not modelled. Times, captures and the segment table are those
 * of the host's interface: a frame counts as sent when the processor has put it there. In the
 * segment table the client is called "device".
 *
 *   file-send --describe                       every parameter, its unit, default and range
 *   file-send --system=relook-400s             the measured download
 *   file-send --system=relook-400s --interface-transfer=dma
 *   file-send --system=relook-400s --fast-forward=false   simulate every cycle
 */

#include "file-send-fast-forward.h"
#include "file-server.h"
#include "model/links/link-choice.h"
#include "model/machine/ethernet-driver.h"
#include "model/program/scenario-program.h"
#include "model/program/transfer-run.h"
#include "model/records/transfer-observer.h"
#include "model/tcp/configured-tcp-factory.h"
#include "model/tcp/device-tcp-socket.h"
#include "model/tcp/host-tcp-socket.h"
#include "model/tcp/idle-settings.h"
#include "model/tcp/server-application.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>

namespace ns3::study
{

namespace
{

/// What the server can wait for, in the order of the record.
constexpr std::array LIMITS{
    Limit::HANDSHAKE,
    Limit::APPLICATION,
    Limit::LAST_ACK,
    Limit::CPU,
    Limit::DISK,
    Limit::BUS,
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

/// The file, as an attribute.
class FileSend : public Object
{
  public:
    static TypeId GetTypeId();

    uint64_t m_jobSize; //!< the file [B]
};

NS_OBJECT_ENSURE_REGISTERED(FileSend);

TypeId
FileSend::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::FileSend")
                            .SetParent<Object>()
                            .SetGroupName("Study")
                            .AddConstructor<FileSend>()
                            .AddAttribute("JobSize",
                                          "Size of the file [B]",
                                          UintegerValue(20000000),
                                          MakeUintegerAccessor(&FileSend::m_jobSize),
                                          MakeUintegerChecker<uint64_t>(1, 2000000000));
    return tid;
}

/// One transfer: builds the topology, watches, tells the result.
class FileSendRun : public TransferRun
{
  public:
    using TransferRun::TransferRun;

    /// @return true if cycles were taken off and the result is in doubt: nothing was told
    bool IsInDoubt() const;

  private:
    void Build() override;
    void Report(JsonObject& record) override;
    /// Put the host's machine together: processor, disk, driver.
    void BuildMachine();
    /// The host learnt that more is acknowledged.
    void Acknowledged(SequenceNumber32 oldAck, SequenceNumber32 newAck);
    /// The processor does something else.
    void StageChanged(CpuStage stage);
    /// The server has ended.
    void ServerEnded(FileServer::End end);
    bool IsAtWork() const override;
    std::string DescribeWait() const override;
    void Ended() override;

    /// The transfer's own parameters.
    Ptr<FileSend> m_job{m_parameters.Create<FileSend>("job")};
    /// What is between the two.
    Ptr<LinkChoice> m_choice{m_parameters.Create<LinkChoice>("job")};
    Ptr<Node> m_host;                                   //!< the host
    Ptr<Link> m_link;                                   //!< between host and client
    Ptr<HostTcpSocket> m_socket;                        //!< the host's end
    FileSendFastForward::Machine m_machine;             //!< the host's
    Ptr<FileServer> m_server;                           //!< the host's application
    std::unique_ptr<TransferObserver> m_observer;       //!< counts, and writes the files
    std::unique_ptr<FileSendFastForward> m_fastForward; //!< takes cycles off
    uint64_t m_numbers{0};                              //!< sequence numbers acknowledged
    JsonObject m_cpuTime;                               //!< the processor's time, by stage
    double m_cpuBusy{0};                                //!< share of the time it was busy
};

bool
FileSendRun::IsInDoubt() const
{
    return m_fastForward && m_fastForward->IsInDoubt();
}

void
FileSendRun::Report(JsonObject& record)
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
        m_numbers += m_fastForward->GetBytesSkipped();
    }
    if (GetOutcome() == Outcome::FINISHED)
    {
        m_link->CheckEnd();
    }
    // The SYN takes the first number, the FIN the last.
    const uint64_t numbers = std::max<uint64_t>(m_numbers, 1);
    AddOutcome(record,
               std::min(numbers - 1, m_job->m_jobSize),
               m_socket->GetLimitClock().GetTotal());
    m_observer->AddCounts(record, "client", m_fastForward.get());
    record.Add("limits_s", m_socket->GetLimitClock().ToJson(LIMITS));
    m_choice->AddResults(record, m_parameters, m_link, GetIdleSettings(m_parameters));
    FastForward::AddResults(record, m_fastForward.get());
    record.Add("cpu_busy", std::optional<double>(m_cpuBusy));
    record.Add("cpu_s", m_cpuTime);
    m_observer->Publish();
}

void
FileSendRun::Build()
{
    CheckWindows(m_parameters, "host", "client");
    CheckTimerWheels(m_parameters);
    m_host = CreateObject<Node>();
    Ptr<Node> client = CreateObject<Node>();
    m_link = m_choice->MakeLink(m_parameters);
    m_link->Join(m_host, client);
    Ptr<ConfiguredTcpFactory> hostTcp =
        ConfiguredTcpFactory::Install(m_host,
                                      m_parameters.GetFactory(HostTcpSocket::GetTypeId(), "host"));
    Ptr<ConfiguredTcpFactory> clientTcp = ConfiguredTcpFactory::Install(
        client,
        m_parameters.GetFactory(DeviceTcpSocket::GetTypeId(), "client"));
    int64_t stream = m_link->AssignStreams(0);
    stream += clientTcp->AssignStreams(stream);
    hostTcp->AssignStreams(stream);

    const auto receiver = CreateObject<ServerApplication>(std::vector{FileServer::CLIENT_PORT});
    receiver->TraceConnectWithoutContext(
        "Accepted",
        Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
            if (m_fastForward)
            {
                m_fastForward->SetPeer(DynamicCast<CorrectedTcpSocket>(socket));
            }
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
    client->AddApplication(receiver);

    m_socket =
        DynamicCast<HostTcpSocket>(Socket::CreateSocket(m_host, ConfiguredTcpFactory::GetTypeId()));
    m_socket->TraceConnectWithoutContext("HighestRxAck",
                                         MakeCallback(&FileSendRun::Acknowledged, this));
    m_server = m_parameters.Create<FileServer>("server");
    m_server->SetFile(InetSocketAddress(m_link->GetDeviceAddress(), FileServer::CLIENT_PORT),
                      m_socket,
                      m_job->m_jobSize);
    m_server->TraceConnectWithoutContext("Working", Callback<void, bool>([this](bool works) {
                                             m_socket->GetLimitClock().ApplicationWorks(works);
                                         }));
    m_server->SetEndCallback([this](FileServer::End end) { ServerEnded(end); });
    BuildMachine();
    m_host->AddApplication(m_server);
    m_observer = std::make_unique<TransferObserver>(m_socket, m_link, m_files, "host", "device");
    m_observer->WatchWaits(m_socket->GetLimitClock(), {"host"});
    if (m_files.fastForward && m_files.IsEmpty())
    {
        m_fastForward =
            std::make_unique<FileSendFastForward>(m_socket,
                                                  m_server,
                                                  m_machine,
                                                  m_link,
                                                  m_limits->m_timeLimit,
                                                  [this](Time left) { SetTimeLeft(left); });
    }
    WatchForStall(m_limits->m_stallTime +
                  m_parameters.SumOfTimes({"server", "host", "client", m_choice->GetGroup()}));
}

void
FileSendRun::BuildMachine()
{
    const auto cpu = m_machine.cpu = m_parameters.Create<Cpu>("server");
    cpu->TraceConnectWithoutContext("Stage", MakeCallback(&FileSendRun::StageChanged, this));
    const auto disk = m_machine.disk = m_parameters.Create<Disk>("server");
    disk->SetCpu(cpu);
    disk->TraceConnectWithoutContext("Waited", Callback<void, bool>([this](bool waited) {
                                         m_socket->GetLimitClock().ApplicationReads(waited);
                                     }));
    m_server->SetMachine(cpu, disk);
    const auto driver = m_parameters.Create<EthernetDriver>("server");
    m_machine.driver = driver;
    driver->Install(m_host, cpu);
    driver->TraceConnectWithoutContext("Frames", Callback<void, int>([this](int change) {
                                           m_socket->GetLimitClock().BusFrames(change);
                                       }));
}

void
FileSendRun::Acknowledged(SequenceNumber32 oldAck, SequenceNumber32 newAck)
{
    Progress();
    if (GetOutcome() == Outcome::NONE)
    {
        m_numbers += newAck - oldAck;
    }
}

void
FileSendRun::StageChanged(CpuStage stage)
{
    std::optional<Limit> work;
    if (stage != CpuStage::IDLE)
    {
        work = stage == CpuStage::DISK ? Limit::DISK : Limit::CPU;
        Progress();
    }
    m_socket->GetLimitClock().ProcessorWorks(work);
}

bool
FileSendRun::IsAtWork() const
{
    // A processor, a disk, a bus or a line that is at work will get there, and a host that
    // retransmits will get through or give up, and say so itself.
    const LimitClock& clock = m_socket->GetLimitClock();
    return m_socket->IsRetransmitting() || clock.HoldsFrames() || clock.IsHostBusy();
}

std::string
FileSendRun::DescribeWait() const
{
    return m_socket->DescribeWait();
}

void
FileSendRun::ServerEnded(FileServer::End end)
{
    using How = FileServer::End;
    const std::map<How, std::string> reasons{
        {How::FINISHED, ""},
        {How::NOT_CONNECTED, DescribeWait()},
        {How::CLOSED, "the connection ended before the file was sent"},
        {How::GAVE_UP, "the connection ended before the file was sent"},
    };
    End(end == How::FINISHED ? Outcome::FINISHED : Outcome::STALLED, reasons.at(end));
}

void
FileSendRun::Ended()
{
    m_socket->GetLimitClock().Stop();
    const Time duration = m_socket->GetLimitClock().GetTotal();
    Time idle = duration;
    for (std::size_t i = 0; i < static_cast<std::size_t>(CpuStage::IDLE); ++i)
    {
        const auto stage = static_cast<CpuStage>(i);
        if (stage != CpuStage::DRAIN) // there is no printer
        {
            const Time busy = m_machine.cpu->GetBusy(stage);
            m_cpuTime.Add(CpuStageName(stage), busy);
            idle -= busy;
        }
    }
    m_cpuTime.Add(CpuStageName(CpuStage::IDLE), idle);
    m_cpuBusy = duration.IsZero() ? 0 : 1 - idle.GetSeconds() / duration.GetSeconds();
    // Time for the two ends to close.
    Simulator::Stop(GetOutcome() == Outcome::FINISHED ? Seconds(1) : Time(0));
}

/// @return the scenario: which parameters, which results
Scenario
FileSendScenario()
{
    Scenario scenario;
    scenario.name = "file-send";
    scenario.help = "A host sends a file from its disk, and its processor moves every byte.";
    scenario.parameters.AddType("server", Cpu::GetTypeId());
    scenario.parameters.AddType("server", Disk::GetTypeId());
    scenario.parameters.AddType("server", FileServer::GetTypeId());
    scenario.parameters.AddType("server", EthernetDriver::GetTypeId());
    scenario.parameters.AddType("host", HostTcpSocket::GetTypeId());
    scenario.parameters.AddType("host", CorrectedTcpSocket::GetTypeId());
    scenario.parameters.AddType("client", DeviceTcpSocket::GetTypeId());
    LinkChoice::AddParameters(scenario.parameters, "job");
    scenario.parameters.AddType("job", FileSend::GetTypeId());
    scenario.parameters.AddType("job", RunLimits::GetTypeId());
    scenario.files = {"pcap", "segments", "waits", "wan-pcap"};
    scenario.results = {
        {"bytes", "B", "Bytes of the file that the client has acknowledged"},
        {"duration_s", "s", "From the host's SYN to the ACK of the last byte"},
        {"throughput_Bps", "B/s", "Bytes over duration; none unless the transfer finished"},
        {"segments", "1", "Data segments the host sent, retransmissions included"},
        {"retransmissions", "1", "Data segments the host sent again"},
        TransferObserver::NeedlessField(),
        {"client_segments", "1", "Segments the host received from the client"},
        {"window_probes", "1", "Window probes the host sent"},
        {"limits_s", "s", "The duration split by what the host waited for"},
        {"cpu_busy", "1", "Share of the duration in which the host's processor was busy"},
        {"cpu_s", "s", "The duration split by what the host's processor did"},
    };
    FastForward::AddResultFields(scenario.results);
    LinkChoice::AddResultFields(scenario.results);
    scenario.run = RunOnceOrInFull<FileSendRun>;
    return scenario;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    return ns3::study::RunScenarioProgram(argc, argv, ns3::study::FileSendScenario());
}
