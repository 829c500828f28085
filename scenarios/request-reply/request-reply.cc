/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * A client sends commands to a server and waits for each reply: Nagle's algorithm at either end
 * against the delayed ACKs of the other.
 *
 *        10.0.0.1                                        10.0.0.2
 *   +----------------+    Ethernet (CSMA)          +------------------+
 *   |     client     |    LinkRate, LinkDelay      |      server      |
 *   | RequestClient  |-----------------------------|   ReplyServer    |
 *   | HostTcpSocket  |                             |  HostTcpSocket   |
 *   +----------------+                             +------------------+
 *    CommandText, CommandEnd:                       Echo, then ReplyWrites
 *    two writes a command, Commands times           of ReplyWrite bytes (port 23)
 *
 * With Link=path or Link=frame-relay that is between the two instead of the Ethernet.
 *
 * Both ends are ordinary hosts with parameters of their own: ClientNagle, ServerNagle,
 * ClientDelayedAck, ... An exchange begins with the client's SYN and ends with the last byte of the
 * last reply. Times, captures and the segment table are the client's: a frame counts as sent when
 * it is handed to the interface.
 *
 *   request-reply --describe                   every parameter, its unit, default and range
 *   request-reply --system=telnet-xp           one run of a measured system
 *   request-reply --system=telnet-xp --server-nagle=false --client-nagle=false
 *   request-reply --command-text=4096 --command-end=0 --echo=false --reply-writes=1
 *                                              blocks of data, each confirmed by the server
 */

#include "model/clocks/exchange-clock.h"
#include "model/links/link-choice.h"
#include "model/program/scenario-program.h"
#include "model/program/transfer-run.h"
#include "model/records/transfer-observer.h"
#include "model/tcp/configured-tcp-factory.h"
#include "model/tcp/host-tcp-socket.h"
#include "model/tcp/idle-settings.h"
#include "reply-server.h"
#include "request-client.h"
#include "request-reply-fast-forward.h"

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace ns3::study
{

namespace
{

/// What an exchange can be waiting for, in the order of the record.
constexpr std::array LIMITS{
    Limit::HANDSHAKE,
    Limit::CLIENT_APPLICATION,
    Limit::SERVER_APPLICATION,
    Limit::CPU,
    Limit::LINK,
    Limit::PATH_QUEUE,
    Limit::ROUND_TRIP,
    Limit::RECEIVE_WINDOW,
    Limit::CONGESTION_WINDOW,
    Limit::SEND_BUFFER,
    Limit::NAGLE,
    Limit::DELAYED_ACK,
    Limit::LOSS_RECOVERY,
};

} // namespace

/// One run of an exchange: builds the topology, watches it, tells the result.
class RequestReplyRun : public TransferRun
{
  public:
    using TransferRun::TransferRun;

    /// @return true if commands were taken off and the result is in doubt: nothing was told
    bool IsInDoubt() const;

  private:
    /// What is counted.
    enum Counter
    {
        STALLS,
        CLIENT_SEGMENTS,
        CLIENT_ACKS,
        SERVER_SEGMENTS,
        SERVER_ACKS,
        RETRANSMISSIONS,
        NEEDLESS,
        BYTES
    };

    /// What is counted of an end's segments while the exchange lasts.
    struct Counts
    {
        uint64_t data{0};            //!< segments with payload
        uint64_t acks{0};            //!< segments with nothing but an ACK
        uint64_t retransmissions{0}; //!< segments sent again
    };

    void Build() override;
    void Report(JsonObject& record) override;
    /// @return what is counted, as far as it was simulated
    std::vector<uint64_t> Count() const;
    /// Watch an end's socket.
    void WatchSocket(ExchangeClock::End end, Ptr<HostTcpSocket> socket);
    /// The client has ended.
    void ClientEnded(RequestClient::End end);
    bool IsAtWork() const override;
    std::string DescribeWait() const override;
    void Ended() override;

    /// What is between the two.
    Ptr<LinkChoice> m_choice{m_parameters.Create<LinkChoice>("job")};
    Ptr<HostTcpSocket> m_socket;                            //!< the client's end
    Ptr<HostTcpSocket> m_serverSocket;                      //!< the server's end, once connected
    Ptr<RequestClient> m_client;                            //!< the client's application
    Ptr<ReplyServer> m_server;                              //!< the server's application
    Ptr<Link> m_link;                                       //!< between the two
    ExchangeClock m_clock;                                  //!< splits the time
    std::array<Counts, 2> m_counts;                         //!< by end
    bool m_begun{false};                                    //!< the first command is being prepared
    std::unique_ptr<TransferObserver> m_observer;           //!< writes the files
    std::unique_ptr<RequestReplyFastForward> m_fastForward; //!< takes commands off
};

bool
RequestReplyRun::IsInDoubt() const
{
    return m_fastForward && m_fastForward->IsInDoubt();
}

std::vector<uint64_t>
RequestReplyRun::Count() const
{
    const Counts& client = m_counts[ExchangeClock::CLIENT];
    const Counts& server = m_counts[ExchangeClock::SERVER];
    return {m_clock.GetStalls(),
            client.data,
            client.acks,
            server.data,
            server.acks,
            client.retransmissions + server.retransmissions,
            m_observer->GetNeedless(true),
            m_client->GetReceived() + m_server->GetReceived()};
}

void
RequestReplyRun::Report(JsonObject& record)
{
    std::vector<uint64_t> counts = Count();
    uint64_t skipped = 0;
    if (m_fastForward)
    {
        m_fastForward->CheckEnd(GetOutcome() == Outcome::STALLED);
        skipped = m_fastForward->GetCommandsSkipped();
        for (std::size_t i = 0; i < counts.size(); ++i)
        {
            counts[i] += m_fastForward->GetCountSkipped(i);
        }
    }
    if (IsInDoubt())
    {
        return;
    }
    const double commandTime = (m_clock.GetTotal() - m_clock.Get(Limit::HANDSHAKE)).GetSeconds() /
                               (m_client->GetCommands() + skipped);
    const bool finished = GetOutcome() == Outcome::FINISHED;
    if (finished)
    {
        m_link->CheckEnd();
    }
    AddOutcome(record, counts[BYTES], m_clock.GetTotal());
    record.Add("command_s", finished ? std::optional<double>(commandTime) : std::nullopt);
    record.Add("answered", m_client->GetAnswered() + skipped);
    record.Add("stalls", counts[STALLS]);
    record.Add("client_segments", counts[CLIENT_SEGMENTS]);
    record.Add("client_acks", counts[CLIENT_ACKS]);
    record.Add("server_segments", counts[SERVER_SEGMENTS]);
    record.Add("server_acks", counts[SERVER_ACKS]);
    record.Add("retransmissions", counts[RETRANSMISSIONS]);
    record.Add("needless_retransmissions", counts[NEEDLESS]);
    record.Add("limits_s", m_clock.ToJson(LIMITS));
    m_choice->AddResults(record, m_parameters, m_link, GetIdleSettings(m_parameters));
    FastForward::AddResults(record, m_fastForward.get());
    m_observer->Publish();
}

void
RequestReplyRun::Build()
{
    CheckWindows(m_parameters, "client", "server");
    CheckTimerWheels(m_parameters);
    Ptr<Node> client = CreateObject<Node>();
    Ptr<Node> server = CreateObject<Node>();
    m_link = m_choice->MakeLink(m_parameters);
    m_link->Join(client, server);
    int64_t stream = m_link->AssignStreams(0);
    for (const auto& [node, group] : {std::pair{client, "client"}, {server, "server"}})
    {
        const auto tcp = ConfiguredTcpFactory::Install(
            node,
            m_parameters.GetFactory(HostTcpSocket::GetTypeId(), group));
        stream += tcp->AssignStreams(stream);
    }

    m_server = m_parameters.Create<ReplyServer>("exchange");
    m_client = m_parameters.Create<RequestClient>("exchange");
    m_server->SetCommand(m_client->GetTextSize(), m_client->GetCommandSize());
    m_socket =
        DynamicCast<HostTcpSocket>(Socket::CreateSocket(client, ConfiguredTcpFactory::GetTypeId()));
    m_client->SetServer(InetSocketAddress(m_link->GetDeviceAddress(), ReplyServer::PORT),
                        m_socket,
                        m_server->GetReplySize());
    m_client->SetEndCallback([this](RequestClient::End end) { ClientEnded(end); });
    client->AddApplication(m_client);
    server->AddApplication(m_server);

    WatchSocket(ExchangeClock::CLIENT, m_socket);
    m_server->TraceConnectWithoutContext("Accepted",
                                         Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
                                             m_serverSocket = DynamicCast<HostTcpSocket>(socket);
                                             WatchSocket(ExchangeClock::SERVER, m_serverSocket);
                                             m_observer->WatchPeerBuffer(m_serverSocket);
                                         }));
    m_client->TraceConnectWithoutContext("Working", Callback<void, bool>([this](bool working) {
                                             m_begun = true;
                                             Progress();
                                             m_clock.Working(ExchangeClock::CLIENT, working);
                                         }));
    m_server->TraceConnectWithoutContext("Working", Callback<void, bool>([this](bool working) {
                                             Progress();
                                             m_clock.Working(ExchangeClock::SERVER, working);
                                         }));
    m_link->WatchFrames([this](int by) { m_clock.Frames(ExchangeClock::CLIENT, by); },
                        [this](int by) { m_clock.Frames(ExchangeClock::SERVER, by); });
    m_clock.ExpectLosses();
    m_link->WatchLosses([this]() { m_clock.Lost(); });
    m_link->WatchPath([this](int by) { m_clock.PathQueue(by); },
                      [this](int by) { m_clock.PathLine(by); });
    m_observer = std::make_unique<TransferObserver>(m_socket, m_link, m_files, "client", "server");
    m_observer->WatchWaits(m_clock, {"client", "server"});
    if (m_files.fastForward && m_files.IsEmpty())
    {
        m_fastForward = std::make_unique<RequestReplyFastForward>(
            m_socket,
            m_client,
            m_server,
            m_link,
            m_clock,
            [this]() { return Count(); },
            m_limits->m_timeLimit,
            [this](Time left) { SetTimeLeft(left); });
    }
    WatchForStall(m_limits->m_stallTime +
                  m_parameters.SumOfTimes({"exchange", "client", "server", m_choice->GetGroup()}));
    m_clock.Start();
}

void
RequestReplyRun::WatchSocket(ExchangeClock::End end, Ptr<HostTcpSocket> socket)
{
    socket->TraceConnectWithoutContext("Limit", Callback<void, Limit>([this, end](Limit limit) {
                                           m_clock.SenderWaitsFor(end, limit);
                                       }));
    socket->TraceConnectWithoutContext(
        "AckWithheld",
        Callback<void, bool>([this, end](bool withheld) { m_clock.AckWithheld(end, withheld); }));
    socket->TraceConnectWithoutContext(
        "HighestRxAck",
        Callback<void, SequenceNumber32, SequenceNumber32>([this](auto...) {
            Progress();
            m_clock.Progress();
        }));
    socket->TraceConnectWithoutContext("DelayedAckExpired", Callback<void>([this, end]() {
                                           m_clock.DelayedAckExpired(end);
                                       }));
    socket->TraceConnectWithoutContext(
        "CongState",
        Callback<void, TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(
            [this, end](auto, TcpSocketState::TcpCongState_t now) {
                m_clock.Recovering(end, now >= TcpSocketState::CA_RECOVERY);
            }));
    socket->TraceConnectWithoutContext(
        "Tx",
        CorrectedTcpSocket::SegmentListener(
            [this, end](Ptr<const Packet> packet, const TcpHeader& header, auto) {
                if (m_begun && GetOutcome() == Outcome::NONE)
                {
                    const bool data = packet->GetSize() > 0;
                    m_counts[end].data += data;
                    m_counts[end].acks += !data && header.GetFlags() == TcpHeader::ACK;
                }
            }));
    socket->TraceConnectWithoutContext(
        "Retransmission",
        CorrectedTcpSocket::RetransmissionListener([this, end](auto...) {
            m_clock.RetransmissionTimeout();
            ++m_counts[end].retransmissions;
        }));
}

bool
RequestReplyRun::IsAtWork() const
{
    // A host that retransmits will get through or give up, and say so itself.
    return m_socket->IsRetransmitting() || (m_serverSocket && m_serverSocket->IsRetransmitting());
}

std::string
RequestReplyRun::DescribeWait() const
{
    return std::to_string(m_client->GetAnswered()) + " of " +
           std::to_string(m_client->GetCommands()) + " commands are answered; at the client " +
           m_socket->DescribeWait();
}

void
RequestReplyRun::ClientEnded(RequestClient::End end)
{
    using How = RequestClient::End;
    const std::map<How, std::string> reasons{
        {How::FINISHED, ""},
        {How::NOT_CONNECTED, m_socket->DescribeWait()},
        {How::CLOSED, "the server ended the connection; " + DescribeWait()},
        {How::GAVE_UP, "the client gave up retransmitting; " + DescribeWait()},
    };
    End(end == How::FINISHED ? Outcome::FINISHED : Outcome::STALLED, reasons.at(end));
}

void
RequestReplyRun::Ended()
{
    m_clock.Stop();
    // A minute for the two ends to close.
    Simulator::Stop(GetOutcome() == Outcome::FINISHED ? Minutes(1) : Time(0));
}

/// @return the scenario: which parameters, which results
Scenario
RequestReplyScenario()
{
    Scenario scenario;
    scenario.name = "request-reply";
    scenario.help = "A client sends commands and waits for each reply.";
    scenario.parameters.AddType("exchange", RequestClient::GetTypeId());
    scenario.parameters.AddType("exchange", ReplyServer::GetTypeId());
    scenario.parameters.AddType("client", HostTcpSocket::GetTypeId(), "Client");
    scenario.parameters.AddType("client", CorrectedTcpSocket::GetTypeId(), "Client");
    scenario.parameters.AddType("server", HostTcpSocket::GetTypeId(), "Server");
    scenario.parameters.AddType("server", CorrectedTcpSocket::GetTypeId(), "Server");
    LinkChoice::AddParameters(scenario.parameters, "job");
    scenario.parameters.AddType("job", RunLimits::GetTypeId());
    scenario.files = {"pcap", "segments", "waits", "wan-pcap"};
    scenario.results = {
        {"bytes", "B", "Payload both applications have received, echoes included"},
        {"duration_s", "s", "From the client's SYN to the last byte of the last reply"},
        {"throughput_Bps", "B/s", "Bytes over duration; none unless every command was answered"},
        {"command_s", "s", "Time per command, the handshake left out; none unless finished"},
        {"answered", "1", "Commands with a whole reply"},
        {"stalls", "1", "Times the exchange waited for an ACK until its timer expired"},
        {"client_segments", "1", "Data segments the client sent, from the first command on"},
        {"client_acks", "1", "Segments with nothing but an ACK the client sent"},
        {"server_segments", "1", "Data segments the server sent"},
        {"server_acks", "1", "Segments with nothing but an ACK the server sent"},
        {"retransmissions", "1", "Data segments either end sent again"},
        TransferObserver::NeedlessField(),
        {"limits_s", "s", "The duration split by what the exchange waited for"},
    };
    FastForward::AddResultFields(scenario.results);
    LinkChoice::AddResultFields(scenario.results);
    scenario.run = RunOnceOrInFull<RequestReplyRun>;
    return scenario;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    return ns3::study::RunScenarioProgram(argc, argv, ns3::study::RequestReplyScenario());
}
