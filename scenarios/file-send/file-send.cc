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
 *   |   \________ Cpu ________/    |     LinkRate, LinkDelay     |     DeviceTcp      |
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
#include "model/clocks/tell-limits.h"
#include "model/machine/ethernet-driver.h"
#include "model/program/scenario-program.h"
#include "model/runs/bulk-run.h"
#include "model/tcp/device-tcp.h"
#include "model/tcp/host-tcp.h"

#include "ns3/uinteger.h"

#include <optional>

namespace ns3::study
{

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

/// One transfer: a file server with the machine that moves the file.
class FileSendRun : public BulkRun
{
  public:
    FileSendRun(const ParameterSet& parameters, const RunFiles& files)
        : BulkRun(parameters, files, "client", true, Seconds(1)),
          m_job(parameters.Create<FileSend>("job"))
    {
    }

  private:
    void Build() override
    {
        JoinEnds();
        MakeSender(m_peerTcp, m_hostTcp);
        BuildMachine();
        const auto server = m_parameters.Create<FileServer>("server");
        server->SetMachine(m_machine.cpu, m_machine.disk);
        server->SetFile(GetPeerAddress(FileServer::CLIENT_PORT),
                        m_sender->GetSocket(),
                        m_job->m_jobSize);
        const auto receiver = CreateObject<ServerApplication>(std::vector{FileServer::CLIENT_PORT});
        Follow(server, receiver, m_job->m_jobSize);
        m_cycles = TakeCyclesOff<FileSendFastForward>(server, receiver, m_machine, m_link);
        EndWhenStalled(Time(), {"server"});
    }

    std::string DescribeEnd(ClientApplication::End /* end */) const override
    {
        return "the connection ended before the file was sent";
    }

    void Ended() override
    {
        BulkRun::Ended();
        const Time duration = GetLimitClock().GetTotal();
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
    }

    void TellMore(JsonObject& record) override
    {
        record.Add("cpu_busy", std::optional<double>(m_cpuBusy));
        record.Add("cpu_s", m_cpuTime);
    }

    /// Put the host's machine together: processor, disk, driver.
    void BuildMachine()
    {
        LimitClock& clock = GetLimitClock();
        m_machine.cpu = m_parameters.Create<Cpu>("server");
        Listen(m_machine.cpu, "Stage", [this](CpuStage stage) { StageChanged(stage); });
        m_machine.disk = m_parameters.Create<Disk>("server");
        m_machine.disk->SetCpu(m_machine.cpu);
        Listen(m_machine.disk, "Waited", [&clock](bool waited) { clock.ApplicationReads(waited); });
        const auto driver = m_parameters.Create<EthernetDriver>("server");
        m_machine.driver = driver;
        driver->Install(m_host, m_machine.cpu);
        Listen(driver, "Frames", [&clock](int change) { clock.BusFrames(change); });
    }

    /// The processor does something else.
    void StageChanged(CpuStage stage)
    {
        std::optional<Limit> work;
        if (stage != CpuStage::IDLE)
        {
            work = stage == CpuStage::DISK ? Limit::DISK : Limit::CPU;
            Moved();
        }
        GetLimitClock().ProcessorWorks(work);
    }

    const Ptr<FileSend> m_job;              //!< the transfer's own parameters
    FileSendFastForward::Machine m_machine; //!< the host's
    JsonObject m_cpuTime;                   //!< the processor's time, by stage
    double m_cpuBusy{0};                    //!< fraction of the time it was busy
};

/// @return the scenario: which parameters, which results
Scenario
FileSendScenario()
{
    Scenario scenario;
    scenario.name = "file-send";
    scenario.help = "A host sends a file from its disk, and its processor moves every byte.";
    scenario.parameters.AddTypes<Cpu, Disk, FileServer, EthernetDriver>("server");
    scenario.parameters.AddTypes<HostTcp, TcpEnd>("host");
    scenario.parameters.AddTypes<DeviceTcp>("client");
    scenario.results =
        BulkRun::GetResultFields("Bytes of the file that the client has acknowledged",
                                 "From the host's SYN to the ACK of the last byte",
                                 "transfer",
                                 "client");
    scenario.results.insert(
        scenario.results.end(),
        {{"cpu_busy", "1", "Fraction of the duration in which the host's processor was busy"},
         {"cpu_s", "s", "The duration split by what the host's processor did"}});
    ConnectionRun::Complete(scenario, FileSend::GetTypeId());
    scenario.parameters.SetBeyond("job-size", A_SHORTER_JOB);
    scenario.parameters.SetShort("receive-window", "window");
    scenario.parameters.SetShort("job-size", "size");
    scenario.limits = TellLimits(
        BulkRun::GetLimits(true),
        scenario.parameters,
        {{Limit::CPU,
          "the processor is at work: copies, packets, and words to the Ethernet controller"}});
    scenario.run = RunOnceOrInFull<FileSendRun>;
    return scenario;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    return ns3::study::RunScenarioProgram(argc, argv, ns3::study::FileSendScenario());
}
