/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The smallest scenario, for the tests of how one is added: a sender that waits for the answer to
 * each datagram before it sends the next, over UDP.
 *
 *   sender 10.0.0.1 ------ LinkRate, LinkDelay ------ 10.0.0.2 receiver, answers after ReplyTime
 */

#include "model/core/rate-checker.h"
#include "model/program/scenario-program.h"
#include "model/program/transfer-run.h"

#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::study
{

/**
 * @brief The parameters of the job.
 */
class StopAndWait : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t m_jobSize;   //!< what is sent in all [B]
    uint32_t m_blockSize; //!< payload of a datagram [B]
    Time m_replyTime;     //!< from a datagram to its answer
    DataRate m_linkRate;  //!< of the line, both ways
    Time m_linkDelay;     //!< one way
};

NS_OBJECT_ENSURE_REGISTERED(StopAndWait);

TypeId
StopAndWait::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::StopAndWait")
                            .SetParent<Object>()
                            .SetGroupName("Study")
                            .AddConstructor<StopAndWait>()
                            .AddAttribute("JobSize",
                                          "Payload of the whole job [B]",
                                          UintegerValue(51200),
                                          MakeUintegerAccessor(&StopAndWait::m_jobSize),
                                          MakeUintegerChecker<uint64_t>(1, 1000000000))
                            .AddAttribute("BlockSize",
                                          "Payload of a datagram [B]",
                                          UintegerValue(512),
                                          MakeUintegerAccessor(&StopAndWait::m_blockSize),
                                          MakeUintegerChecker<uint32_t>(1, 1472))
                            .AddAttribute("ReplyTime",
                                          "Time from a datagram to its answer [s]",
                                          TimeValue(MilliSeconds(5)),
                                          MakeTimeAccessor(&StopAndWait::m_replyTime),
                                          MakeTimeChecker(Time(0), Seconds(10)))
                            .AddAttribute("LinkRate",
                                          "Bit rate of the line [bit/s]",
                                          DataRateValue(DataRate("1Mbps")),
                                          MakeDataRateAccessor(&StopAndWait::m_linkRate),
                                          MakeRateChecker(DataRate("1kbps"), DataRate("10Gbps")))
                            .AddAttribute("LinkDelay",
                                          "One-way delay of the line [s]",
                                          TimeValue(MilliSeconds(1)),
                                          MakeTimeAccessor(&StopAndWait::m_linkDelay),
                                          MakeTimeChecker(Time(0), Seconds(10)));
    return tid;
}

/**
 * @brief One job.
 */
class StopAndWaitRun : public TransferRun
{
  public:
    /**
     * @param parameters the point
     * @param files what to write beside the record: none
     */
    StopAndWaitRun(const ParameterSet& parameters, const RunFiles& files)
        : TransferRun(parameters, files, "job"),
          m_job(parameters.GetFactory(StopAndWait::GetTypeId(), "job").Create<StopAndWait>())
    {
    }

  private:
    void Build() override;
    void Report(JsonObject& record) override;
    /**
     * @param node where
     * @param received what it does with a datagram
     * @return a socket
     */
    Ptr<Socket> MakeSocket(Ptr<Node> node, Callback<void, Ptr<Socket>> received);
    /// Send the next datagram, or end.
    void SendNext();

    std::string DescribeWait() const override
    {
        return "the sender waits for an answer";
    }

    void Ended() override
    {
        Simulator::Stop();
    }

    Ptr<StopAndWait> m_job; //!< the parameters
    Ptr<Socket> m_sender;   //!< one end
    Ptr<Socket> m_receiver; //!< the other
    uint64_t m_answered{0}; //!< [B]
    Time m_line;            //!< how long the line carried datagrams
};

void
StopAndWaitRun::Build()
{
    NodeContainer nodes(2);
    PointToPointHelper line;
    line.SetDeviceAttribute("DataRate", DataRateValue(m_job->m_linkRate));
    line.SetChannelAttribute("Delay", TimeValue(m_job->m_linkDelay));
    NetDeviceContainer devices = line.Install(nodes);
    InternetStackHelper().Install(nodes);
    Ipv4InterfaceContainer addresses =
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    m_sender = MakeSocket(nodes.Get(0), Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
                              socket->Recv();
                              SendNext();
                          }));
    m_receiver = MakeSocket(nodes.Get(1), Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
                                m_answered += socket->Recv()->GetSize();
                                Simulator::Schedule(m_job->m_replyTime, [socket]() {
                                    socket->Send(Create<Packet>(1));
                                });
                            }));
    m_sender->Connect(InetSocketAddress(addresses.GetAddress(1), 9));
    m_receiver->Connect(InetSocketAddress(addresses.GetAddress(0), 9));
    Simulator::ScheduleNow(&StopAndWaitRun::SendNext, this);
}

void
StopAndWaitRun::Report(JsonObject& record)
{
    const Time duration = Simulator::Now();
    AddOutcome(record, m_answered, duration);
    JsonObject limits;
    limits.Add("link", m_line);
    limits.Add("reply", duration - m_line);
    record.Add("limits_s", limits);
}

Ptr<Socket>
StopAndWaitRun::MakeSocket(Ptr<Node> node, Callback<void, Ptr<Socket>> received)
{
    Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
    socket->SetRecvCallback(received);
    return socket;
}

void
StopAndWaitRun::SendNext()
{
    const uint64_t left = m_job->m_jobSize - m_answered;
    if (left == 0)
    {
        End(Outcome::FINISHED);
        return;
    }
    const auto size = static_cast<uint32_t>(std::min<uint64_t>(m_job->m_blockSize, left));
    // UDP, IPv4 and PPP headers.
    m_line += m_job->m_linkRate.CalculateBytesTxTime(size + 8 + 20 + 2);
    m_sender->Send(Create<Packet>(size));
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    ns3::study::Scenario scenario;
    scenario.name = "stop-and-wait";
    scenario.help = "A sender waits for the answer to each datagram before it sends the next.";
    scenario.parameters.AddType("job", ns3::study::StopAndWait::GetTypeId());
    scenario.parameters.AddType("job", ns3::study::RunLimits::GetTypeId());
    scenario.results = {
        {"bytes", "B", "Payload that was answered"},
        {"duration_s", "s", "From the first datagram to the last answer"},
        {"throughput_Bps", "B/s", "Bytes over duration"},
        {"limits_s", "s", "The duration split by what the sender waited for"},
    };
    scenario.run = [](const ns3::study::ParameterSet& parameters,
                      const ns3::study::RunFiles& files,
                      ns3::study::JsonObject& record) {
        ns3::study::StopAndWaitRun(parameters, files).Run(record);
    };
    return ns3::study::RunScenarioProgram(argc, argv, scenario);
}
