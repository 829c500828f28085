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
 *   |    HostTcp     |    LossToDevice, LossToHost |    DeviceTcp     |
 *   +----------------+                             +------------------+
 *    Protocol lpr (port 515) or raw (port 9100); JobSize
 *
 * With Link=path a line of any rate, delay, queue and losses is between the two (PathLink). With
 * Link=frame-relay the host is at headquarters and the device at a branch (FrameRelayWan).
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

#include "model/clocks/tell-limits.h"
#include "model/machine/device-processor.h"
#include "model/program/scenario-program.h"
#include "model/runs/bulk-run.h"
#include "model/tcp/device-tcp.h"
#include "model/tcp/host-tcp.h"
#include "print-job-client.h"
#include "print-job-fast-forward.h"
#include "print-server.h"

namespace ns3::study
{

/// One run of a print job: a spooler and a device with a printer's port.
class PrintJobRun : public BulkRun
{
  public:
    PrintJobRun(const ParameterSet& parameters, const RunFiles& files)
        : BulkRun(parameters, files, "device"),
          m_job(parameters.Create<PrintJob>("job"))
    {
    }

  private:
    void Build() override
    {
        JoinEnds();
        const auto server = MakeServer();
        MakeSender(m_peerTcp, server, m_hostTcp);
        const bool lpr = m_job->m_protocol == PrintJob::LPR;
        const PrintJobScript script =
            lpr ? MakeLprScript(m_job->m_jobSize) : MakeRawScript(m_job->m_jobSize);
        const auto client = m_parameters.Create<PrintJobClient>("host");
        client->SetJob(GetPeerAddress(lpr ? PrintServer::LPR_PORT : PrintServer::RAW_PORT),
                       m_sender->GetSocket(),
                       script);
        Follow(client, server, GetSize(script));
        m_cycles = TakeCyclesOff<PrintJobFastForward>(client, server, m_link);
        EndWhenStalled(server->GetLongestDrain());
    }

    void Moved() override
    {
        BulkRun::Moved();
        m_probesBefore = m_sender->GetCounts().probes;
    }

    bool IsAtWork() const override
    {
        // One that probes a closed window may only have lost the answers: a few more tell.
        constexpr uint32_t enoughProbes = 20;
        const uint32_t probes = m_sender->GetCounts().probes - m_probesBefore;
        return BulkRun::IsAtWork() || (probes > 0 && probes < enoughProbes);
    }

    std::string DescribeEnd(ClientApplication::End end) const override
    {
        switch (end)
        {
        case ClientApplication::End::CLOSED:
            return "the device ended the connection before the job was done";
        case ClientApplication::End::GAVE_UP:
            return "the host gave up retransmitting: " + DescribeWait();
        default:
            return "the device refused the job";
        }
    }

    /// @return the device's application, with the device's processor if there is one
    Ptr<PrintServer> MakeServer()
    {
        const auto server = m_parameters.Create<PrintServer>("device");
        Listen(server, "Drained", [this](uint32_t) { Moved(); });
        const auto processor = m_parameters.Create<DeviceProcessor>("device");
        if (processor->IsOn())
        {
            processor->Install(m_peer);
            server->SetProcessor(processor);
        }
        return server;
    }

    const Ptr<PrintJob> m_job;  //!< the job's own parameters
    uint32_t m_probesBefore{0}; //!< window probes sent before something last moved
};

/// @return the scenario: which parameters, which results
Scenario
PrintJobScenario()
{
    Scenario scenario;
    scenario.name = "print-job";
    scenario.help =
        "A host prints to a constrained print server over Ethernet, a path or frame relay.";
    scenario.parameters.AddTypes<DeviceTcp, PrintServer, DeviceProcessor>("device");
    scenario.parameters.AddTypes<HostTcp, TcpEnd, PrintJobClient>("host");
    scenario.results =
        BulkRun::GetResultFields("Payload the device has acknowledged, LPR's dialogue included",
                                 "From the host's SYN to the end of the job",
                                 "job",
                                 "device");
    ConnectionRun::Complete(scenario, PrintJob::GetTypeId());
    scenario.parameters.SetBeyond("job-size", A_SHORTER_JOB);
    scenario.parameters.SetShort("receive-window", "window");
    scenario.parameters.SetShort("job-size", "size");
    scenario.limits = TellLimits(BulkRun::GetLimits(), scenario.parameters);
    scenario.run = RunOnceOrInFull<PrintJobRun>;
    return scenario;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    return ns3::study::RunScenarioProgram(argc, argv, ns3::study::PrintJobScenario());
}
