/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What the applications that connect have in common: they watch their own sockets, and stop.
 */

#include "file-send/file-server.h"
#include "model/tcp/server-application.h"
#include "print-job/print-job-client.h"
#include "print-job/print-server.h"
#include "request-reply/reply-server.h"
#include "request-reply/request-client.h"
#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// Two nodes on an Ethernet, a socket of the first that is not connected, and how much it sends.
class Machines : public TcpPair
{
  public:
    /// @param stock the first has ns-3's own socket
    explicit Machines(bool stock = false)
        : TcpPair(ObjectFactory("ns3::study::HostTcp"), ObjectFactory("ns3::study::HostTcp")),
          own(hostSocket->GetNode()),
          peer(listener->GetNode()),
          socket(stock ? Socket::CreateSocket(own, TcpSocketFactory::GetTypeId())
                       : CreateSocket(true))
    {
        listener->Close(); // its port is a server's
        socket->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
                [this](Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>) {
                    sent += packet->GetSize();
                }));
    }

    /// A file server with a machine that is slower than the line.
    Ptr<FileServer> AddFileServer(uint64_t size)
    {
        Ptr<Cpu> cpu = CreateObject<Cpu>();
        Ptr<Disk> disk = CreateObject<Disk>();
        disk->SetCpu(cpu);
        Ptr<FileServer> server = CreateObject<FileServer>();
        server->SetFile(GetDevice(FileServer::CLIENT_PORT), socket, size);
        server->SetMachine(cpu, disk);
        own->AddApplication(server);
        peer->AddApplication(CreateObject<ServerApplication>(std::vector{FileServer::CLIENT_PORT}));
        return server;
    }

    Ptr<Node> own;      //!< the end that connects
    Ptr<Node> peer;     //!< the other
    Ptr<Socket> socket; //!< of the first
    uint64_t sent{0};   //!< payload it has sent [B]
};

constexpr uint32_t SEND_BUFFER = 65536; //!< of a HostTcp, unless told otherwise [B]

/// Whatever a stopped application had still to write stays unwritten.
class NothingAfterItsStop : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const Time stop = MilliSeconds(30);
        {
            Machines pair;
            Ptr<PrintJobClient> client = CreateObject<PrintJobClient>();
            client->SetJob(pair.GetDevice(PrintServer::RAW_PORT),
                           pair.socket,
                           MakeRawScript(1000000));
            client->SetStopTime(stop);
            pair.own->AddApplication(client);
            pair.peer->AddApplication(CreateObject<PrintServer>());
            Expect(pair, stop, "PrintJobClient");
        }
        {
            Machines pair;
            pair.AddFileServer(1000000)->SetStopTime(stop);
            Expect(pair, stop, "FileServer");
        }
        Machines pair;
        Ptr<RequestClient> client = CreateObject<RequestClient>();
        Ptr<ReplyServer> server = CreateObject<ReplyServer>();
        server->SetCommand(client->GetTextSize(), client->GetCommandSize());
        client->SetServer(pair.GetDevice(ReplyServer::PORT), pair.socket, server->GetReplySize());
        client->SetStopTime(stop);
        pair.own->AddApplication(client);
        pair.peer->AddApplication(server);
        Expect(pair, stop, "RequestClient");
    }

    /// Expect that an application is silent from its stop on, but for what it has written.
    void Expect(Machines& pair, Time stop, const std::string& who)
    {
        pair.RunUntil(stop + NanoSeconds(1));
        const uint64_t inBuffer = SEND_BUFFER - pair.socket->GetTxAvailable();
        const uint64_t before = pair.sent;
        NS_TEST_EXPECT_MSG_GT(before, 0, "bytes that " << who << " has sent at its stop");
        pair.RunUntil(Seconds(60));
        NS_TEST_EXPECT_MSG_LT_OR_EQ(pair.sent,
                                    before + inBuffer,
                                    "bytes that " << who << " has sent a minute later");
        NS_TEST_EXPECT_MSG_EQ(pair.socket->Send(Create<Packet>(1), 0), -1, who << " has closed");
    }
};

/// Whoever starts an application need not tell it what its socket knows.
class WatchesItsOwnSocket : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const bool stock : {false, true})
        {
            int ended = 0;
            {
                Machines raw(stock);
                Ptr<PrintJobClient> client = CreateObject<PrintJobClient>();
                client->SetJob(raw.GetDevice(PrintServer::RAW_PORT),
                               raw.socket,
                               MakeRawScript(50000));
                client->SetEndCallback([&ended](PrintJobClient::End end) {
                    ended += end == PrintJobClient::End::FINISHED;
                });
                raw.own->AddApplication(client);
                raw.peer->AddApplication(CreateObject<PrintServer>());
                raw.RunUntil(Seconds(60));
                NS_TEST_EXPECT_MSG_EQ(ended, 1, "jobs that finished, stock " << stock);
            }
            Machines file(stock);
            file.AddFileServer(50000)->SetEndCallback(
                [&ended](FileServer::End end) { ended += end == FileServer::End::FINISHED; });
            file.RunUntil(Seconds(60));
            NS_TEST_EXPECT_MSG_EQ(ended, 2, "and files sent, stock " << stock);
            NS_TEST_EXPECT_MSG_EQ(file.sent, 50000, "bytes sent, stock " << stock);
        }
    }
};

const Suite g_clientApplicationSuite(
    "client-application",
    {new NothingAfterItsStop("an application that is stopped writes nothing more and closes"),
     new WatchesItsOwnSocket("a raw job and a file end with their last ACK, over any TCP")});

} // namespace
