/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What the applications that connect have in common: they watch their own sockets, and stop.
 */

#include "file-send/file-server.h"
#include "model/ethernet/ethernet-link.h"
#include "model/tcp/configured-tcp-factory.h"
#include "model/tcp/server-application.h"
#include "print-job/print-job-client.h"
#include "print-job/print-server.h"
#include "request-reply/reply-server.h"
#include "request-reply/request-client.h"

#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/test.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// Two nodes on an Ethernet, a socket of the first, and how much it sends.
class Pair
{
  public:
    /**
     * @param sockets the type of both ends' sockets
     */
    explicit Pair(const std::string& sockets = "ns3::study::HostTcpSocket")
    {
        link->Join(own, peer);
        ConfiguredTcpFactory::Install(own, ObjectFactory(sockets));
        ConfiguredTcpFactory::Install(peer, ObjectFactory(sockets));
        socket = Socket::CreateSocket(own, ConfiguredTcpFactory::GetTypeId());
        socket->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
                [this](Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>) {
                    sent += packet->GetSize();
                }));
    }

    ~Pair()
    {
        Simulator::Destroy();
    }

    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    /**
     * @param port a port of the peer
     * @return the address to connect to
     */
    Address At(uint16_t port) const
    {
        return InetSocketAddress(link->GetDeviceAddress(), port);
    }

    /**
     * @brief Run.
     * @param until when to stop
     */
    void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    /// A file server with a machine that is slower than the line.
    Ptr<FileServer> AddFileServer(uint64_t size)
    {
        Ptr<Cpu> cpu = CreateObject<Cpu>();
        Ptr<Disk> disk = CreateObject<Disk>();
        disk->SetCpu(cpu);
        Ptr<FileServer> server = CreateObject<FileServer>();
        server->SetFile(At(FileServer::CLIENT_PORT), socket, size);
        server->SetMachine(cpu, disk);
        own->AddApplication(server);
        peer->AddApplication(CreateObject<ServerApplication>(std::vector{FileServer::CLIENT_PORT}));
        return server;
    }

    Ptr<Node> own{CreateObject<Node>()};                  //!< the end that connects
    Ptr<Node> peer{CreateObject<Node>()};                 //!< the other
    Ptr<EthernetLink> link{CreateObject<EthernetLink>()}; //!< between them
    Ptr<Socket> socket;                                   //!< of the first
    uint64_t sent{0};                                     //!< payload it has sent [B]
};

constexpr uint32_t SEND_BUFFER = 65536; //!< of a HostTcpSocket, unless told otherwise [B]

/// Whatever a stopped application had still to write stays unwritten.
class NothingAfterItsStop : public TestCase
{
  public:
    NothingAfterItsStop()
        : TestCase("an application that is stopped writes nothing more and closes")
    {
    }

  private:
    void DoRun() override
    {
        const Time stop = MilliSeconds(30);
        {
            Pair pair;
            Ptr<PrintJobClient> client = CreateObject<PrintJobClient>();
            client->SetJob(pair.At(PrintServer::RAW_PORT), pair.socket, MakeRawScript(1000000));
            client->SetStopTime(stop);
            pair.own->AddApplication(client);
            pair.peer->AddApplication(CreateObject<PrintServer>());
            Expect(pair, stop, "PrintJobClient");
        }
        {
            Pair pair;
            pair.AddFileServer(1000000)->SetStopTime(stop);
            Expect(pair, stop, "FileServer");
        }
        Pair pair;
        Ptr<RequestClient> client = CreateObject<RequestClient>();
        Ptr<ReplyServer> server = CreateObject<ReplyServer>();
        server->SetCommand(client->GetTextSize(), client->GetCommandSize());
        client->SetServer(pair.At(ReplyServer::PORT), pair.socket, server->GetReplySize());
        client->SetStopTime(stop);
        pair.own->AddApplication(client);
        pair.peer->AddApplication(server);
        Expect(pair, stop, "RequestClient");
    }

    /**
     * @param pair where it runs
     * @param stop when it is stopped
     * @param who the application
     */
    void Expect(Pair& pair, Time stop, const std::string& who)
    {
        pair.Run(stop + NanoSeconds(1));
        const uint64_t inBuffer = SEND_BUFFER - pair.socket->GetTxAvailable();
        const uint64_t before = pair.sent;
        NS_TEST_EXPECT_MSG_GT(before, 0, "bytes that " << who << " has sent at its stop");
        pair.Run(Seconds(60));
        NS_TEST_EXPECT_MSG_LT_OR_EQ(pair.sent,
                                    before + inBuffer,
                                    "bytes that " << who << " has sent a minute later");
        const auto tcp = DynamicCast<TcpSocketBase>(pair.socket);
        NS_TEST_EXPECT_MSG_EQ(tcp->Send(Create<Packet>(1), 0), -1, who << " has closed");
    }
};

/// Whoever starts an application need not tell it what its socket knows.
class WatchesItsOwnSocket : public TestCase
{
  public:
    WatchesItsOwnSocket()
        : TestCase("a raw job and a file end with their last ACK, over any TCP")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string sockets : {"ns3::study::HostTcpSocket", "ns3::TcpSocketBase"})
        {
            int ended = 0;
            Pair raw(sockets);
            Ptr<PrintJobClient> client = CreateObject<PrintJobClient>();
            client->SetJob(raw.At(PrintServer::RAW_PORT), raw.socket, MakeRawScript(50000));
            client->SetEndCallback([&ended](PrintJobClient::End end) {
                ended += end == PrintJobClient::End::FINISHED;
            });
            raw.own->AddApplication(client);
            raw.peer->AddApplication(CreateObject<PrintServer>());
            raw.Run(Seconds(60));
            NS_TEST_EXPECT_MSG_EQ(ended, 1, "jobs that finished over " << sockets);
        }
        for (const std::string sockets : {"ns3::study::HostTcpSocket", "ns3::TcpSocketBase"})
        {
            int ended = 0;
            Pair pair(sockets);
            pair.AddFileServer(50000)->SetEndCallback(
                [&ended](FileServer::End end) { ended += end == FileServer::End::FINISHED; });
            pair.Run(Seconds(60));
            NS_TEST_EXPECT_MSG_EQ(ended, 1, "files sent over " << sockets);
            NS_TEST_EXPECT_MSG_EQ(pair.sent, 50000, "bytes sent over " << sockets);
        }
    }
};

/// The suite.
class ClientApplicationSuite : public TestSuite
{
  public:
    ClientApplicationSuite()
        : TestSuite("client-application", Type::UNIT)
    {
        AddTestCase(new NothingAfterItsStop, Duration::QUICK);
        AddTestCase(new WatchesItsOwnSocket, Duration::QUICK);
    }
};

ClientApplicationSuite g_clientApplicationSuite; //!< registers itself

} // namespace
