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
 *   |    HostTcp     |                             |     HostTcp      |
 *   +----------------+                             +------------------+
 *    CommandText, CommandEnd:                       Echo, then ReplyWrites
 *    two writes a command, Commands times           of ReplyWrite bytes (port 23)
 *
 * With Link=path or Link=frame-relay that is between the two instead of the Ethernet.
 *
 * Both ends are ordinary hosts with parameters of their own: ClientNagle, ServerNagle,
 * ClientDelayedAck, ... An exchange begins with the client's SYN and ends with the last byte of the
 * last reply; a list of turns that the client ends, with the ACK of its last byte. Times, captures
 * and the segment table are the client's: a frame counts as sent when it is handed to the
 * interface.
 *
 *   request-reply --describe                   every parameter, its unit, default and range
 *   request-reply --system=telnet-xp           one run of a measured system
 *   request-reply --system=telnet-xp --server-nagle=false --client-nagle=false
 *   request-reply --command-text=4096 --command-end=0 --echo=false --reply-writes=1
 *                                              blocks of data, each confirmed by the server
 */

#include "model/clocks/exchange-clock.h"
#include "model/clocks/tell-limits.h"
#include "model/program/scenario-program.h"
#include "model/runs/connection-run.h"
#include "model/tcp/host-tcp.h"
#include "reply-server.h"
#include "request-client.h"
#include "request-reply-fast-forward.h"

#include <algorithm>
#include <array>

namespace ns3::study
{

/// What an exchange can wait for, in the order of the record.
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

/// One run of an exchange: a client and a server, and what is counted of both ends.
class RequestReplyRun : public ConnectionRun
{
  public:
    RequestReplyRun(const ParameterSet& parameters, const RunFiles& files)
        : ConnectionRun(parameters,
                        files,
                        {"client", "server", HostTcp::GetTypeId(), {LIMITS.begin(), LIMITS.end()}}),
          m_client(parameters.Create<RequestClient>("exchange")),
          m_server(parameters.Create<ReplyServer>("exchange"))
    {
    }

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

    void Build() override
    {
        JoinEnds();
        MakeSender(m_hostTcp, m_peerTcp);
        m_server->SetCommand(m_client->GetTextSize(), m_client->GetCommandSize());
        m_client->SetServer(GetPeerAddress(ReplyServer::PORT),
                            m_sender->GetSocket(),
                            m_server->GetReplySize());
        const std::vector<Turn> turns = m_client->GetTurns();
        m_isList = !turns.empty();
        if (m_isList)
        {
            m_client->SetTurns(TurnTaker(turns, false));
            m_server->SetTurns(TurnTaker(turns, true));
        }
        Install(m_client, m_server);
        WatchSocket(ExchangeClock::CLIENT, m_sender->GetSocket());
        WatchExchange();
        Observe("client", "server", {"client", "server"});
        m_observer->CountAtHost(m_host);
        if (!m_isList) // which does not repeat
        {
            m_commands = TakeCyclesOff<RequestReplyFastForward>(m_client,
                                                                m_server,
                                                                m_link,
                                                                m_clock,
                                                                [this]() { return Count(); });
        }
        Time longest; // of the waits in a list
        for (const Turn& turn : turns)
        {
            longest = std::max(longest, turn.wait);
        }
        EndWhenStalled(longest, {"exchange"});
        m_clock.Start();
    }

    ShareClock& GetClock() override
    {
        return m_clock;
    }

    uint64_t GetBytes() const override
    {
        return GetCount(BYTES);
    }

    void TellCounts(JsonObject& record) override
    {
        const uint64_t skipped = m_commands ? m_commands->GetCommandsSkipped() : 0;
        const Time connected = m_clock.GetTotal() - m_clock.Get(Limit::HANDSHAKE);
        const double commandTime = connected.GetSeconds() / (m_client->GetCommands() + skipped);
        const bool finished = GetOutcome() == Outcome::FINISHED;
        record.Add("command_s", finished ? std::optional<double>(commandTime) : std::nullopt);
        record.Add("answered", m_client->GetAnswered() + skipped);
        const bool tells = m_sender->GetOwnSocket() != nullptr;
        record.Add("stalls", tells ? std::optional<double>(GetCount(STALLS)) : std::nullopt);
        record.Add("client_segments", GetCount(CLIENT_SEGMENTS));
        record.Add("client_acks", GetCount(CLIENT_ACKS));
        record.Add("server_segments", GetCount(SERVER_SEGMENTS));
        record.Add("server_acks", GetCount(SERVER_ACKS));
        record.Add("retransmissions", GetCount(RETRANSMISSIONS));
        record.Add("needless_retransmissions", GetCount(NEEDLESS));
    }

    bool IsAtWork() const override
    {
        // A host that retransmits will get through or give up, and say so itself.
        return m_sender->IsRetransmitting() || (m_serverEnd && m_serverEnd->IsRetransmitting());
    }

    void Ended() override
    {
        m_needless = m_observer->GetNeedless();
        ConnectionRun::Ended();
    }

    std::string DescribeWait() const override
    {
        return std::to_string(m_client->GetAnswered()) + " of " +
               std::to_string(m_client->GetCommands()) +
               (m_isList ? " of the client's turns are written; at the client "
                         : " commands are answered; at the client ") +
               m_sender->DescribeWait();
    }

    std::string DescribeEnd(ClientApplication::End end) const override
    {
        const bool closed = end == ClientApplication::End::CLOSED;
        return (closed ? "the server ended the connection; "
                       : "the client gave up retransmitting; ") +
               DescribeWait();
    }

    /// @return what is counted, as far as it was simulated
    std::vector<uint64_t> Count() const
    {
        const Counts& client = m_counts[ExchangeClock::CLIENT];
        const Counts& server = m_counts[ExchangeClock::SERVER];
        return {m_clock.GetStalls(),
                client.data,
                client.acks,
                server.data,
                server.acks,
                client.retransmissions + server.retransmissions,
                GetOutcome() == Outcome::NONE ? m_observer->GetNeedless() : m_needless,
                m_client->GetReceived() + m_server->GetReceived()};
    }

    /// @return how much that is, with what was not simulated
    uint64_t GetCount(Counter counter) const
    {
        return (m_commands ? m_commands->GetCounts() : Count())[counter];
    }

    /// Watch what the two applications do, and the frames between them.
    void WatchExchange()
    {
        Listen(m_server, "Accepted", [this](Ptr<Socket> socket) {
            m_serverEnd = Create<SendingEnd>(socket);
            WatchSocket(ExchangeClock::SERVER, socket);
            m_observer->WatchBuffer(socket, 1);
        });
        Listen(m_client, "Working", [this](bool working) {
            m_begun = true;
            m_sender->EndHandshake(m_clock);
            Progress();
            m_clock.Change(ExchangeClock::CLIENT).working = working;
            m_clock.Change(ExchangeClock::CLIENT).awaitsAck = !working && m_client->WaitsForAck();
        });
        Listen(m_server, "Working", [this](bool working) {
            Progress();
            m_clock.Change(ExchangeClock::SERVER).working = working;
        });
        const auto tell = [this](ExchangeClock::End end) {
            return [this, end](Link::FrameEvent event) {
                m_clock.Change(end).frames += event == Link::FrameEvent::SENT ? +1 : -1;
                if (event == Link::FrameEvent::LOST)
                {
                    m_clock.Lost();
                }
            };
        };
        m_link->WatchFrames(tell(ExchangeClock::CLIENT), tell(ExchangeClock::SERVER));
        TransferObserver::WatchPath(m_link, m_clock);
    }

    /// Watch an end's socket.
    void WatchSocket(ExchangeClock::End end, Ptr<Socket> socket)
    {
        Listen(socket, "Limit", [this, end](Limit limit) { m_clock.Change(end).limit = limit; });
        Listen(socket, "AckWithheld", [this, end](bool on) {
            m_clock.Change(end).ackWithheld = on;
        });
        Listen(socket, "HighestRxAck", [this](SequenceNumber32, SequenceNumber32) {
            Progress();
            m_clock.Progress();
        });
        Listen(socket, "DelayedAckExpired", [this, end]() { m_clock.DelayedAckExpired(end); });
        using State = TcpSocketState::TcpCongState_t;
        Listen(socket, "CongState", [this, end](State, State now) {
            m_clock.Change(end).recovering = now >= TcpSocketState::CA_RECOVERY;
        });
        Listen<ConnectionSocket::SegmentListener>(
            socket,
            "Tx",
            [this, end](Ptr<const Packet> packet, const TcpHeader& header, auto) {
                if (m_begun && GetOutcome() == Outcome::NONE)
                {
                    const bool data = packet->GetSize() > 0;
                    m_counts[end].data += data;
                    m_counts[end].acks += !data && header.GetFlags() == TcpHeader::ACK;
                }
            });
        Listen<ConnectionSocket::RetransmissionListener>(
            socket,
            "Retransmission",
            [this, end](Ptr<const Packet> packet, auto...) {
                m_clock.RetransmissionTimeout();
                m_counts[end].retransmissions +=
                    packet->GetSize() > 0 && GetOutcome() == Outcome::NONE;
            });
    }

    const Ptr<RequestClient> m_client;                  //!< the client's application
    const Ptr<ReplyServer> m_server;                    //!< the server's application
    Ptr<SendingEnd> m_serverEnd;                        //!< the server's end, once connected
    ExchangeClock m_clock;                              //!< splits the time
    std::array<Counts, 2> m_counts;                     //!< by end
    bool m_begun{false};                                //!< the first command is being prepared
    bool m_isList{false};                               //!< turns in the place of commands
    uint64_t m_needless{0};                             //!< received twice, once it has ended
    const RequestReplyFastForward* m_commands{nullptr}; //!< takes commands off
};

/// @return the scenario: which parameters, which results
Scenario
RequestReplyScenario()
{
    Scenario scenario;
    scenario.name = "request-reply";
    scenario.help = "A client sends commands and waits for each reply.";
    scenario.parameters.AddTypes<RequestClient, ReplyServer>("exchange");
    scenario.parameters.AddTypes<HostTcp, TcpEnd>("client", "Client");
    scenario.parameters.AddTypes<HostTcp, TcpEnd>("server", "Server");
    scenario.results = {
        {"bytes", "B", "Payload both applications have received, echoes included"},
        {"duration_s",
         "s",
         "From the client's SYN to the last byte of the last reply, or to the ACK of the client's "
         "last turn"},
        {"throughput_Bps", "B/s", "Bytes over duration; none unless every command was answered"},
        {"command_s", "s", "Time per command, the handshake left out; none unless finished"},
        {"answered", "1", "Commands with a whole reply; of a list of turns, what the client wrote"},
        {"stalls", "1", "Times the exchange waited for an ACK until its timer expired"},
        {"client_segments", "1", "Data segments the client sent, from the first command on"},
        {"client_acks", "1", "Segments with nothing but an ACK the client sent"},
        {"server_segments", "1", "Data segments the server sent"},
        {"server_acks", "1", "Segments with nothing but an ACK the server sent"},
        {"retransmissions", "1", "Data segments either end sent again"},
        TransferObserver::NeedlessField(),
        {"limits_s",
         "s",
         "The duration split by what the exchange waited for; stock ns-3 does not tell"},
    };
    ConnectionRun::Complete(scenario);
    scenario.parameters.SetShort("client-window", "window");
    scenario.parameters.SetShort("reply-write", "size");
    scenario.limits = TellLimits(LIMITS, scenario.parameters);
    scenario.run = RunOnceOrInFull<RequestReplyRun>;
    return scenario;
}

} // namespace ns3::study

int
main(int argc, char* argv[])
{
    return ns3::study::RunScenarioProgram(argc, argv, ns3::study::RequestReplyScenario());
}
