/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-server.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FileServer);

TypeId
FileServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FileServer")
            .SetParent<Application>()
            .SetGroupName("Study")
            .AddConstructor<FileServer>()
            .AddAttribute("FileBuffer",
                          "Bytes of the file that the server reads and sends at a time [B]",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&FileServer::m_fileBuffer),
                          MakeUintegerChecker<uint32_t>(512, 16777216))
            .AddAttribute("Sendfile",
                          "Whether the server sends from the page cache (sendfile) instead of "
                          "reading into a buffer of its own and writing from there",
                          BooleanValue(true),
                          MakeBooleanAccessor(&FileServer::m_sendfile),
                          MakeBooleanChecker())
            .AddAttribute("CallCycles",
                          "Processor cycles for each system call, and for each page of 4096 bytes "
                          "that sendfile hands down [1]",
                          DoubleValue(2000),
                          MakeDoubleAccessor(&FileServer::m_callCycles),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("UserCopyCycles",
                          "Processor cycles for each byte copied from the page cache to the "
                          "server's buffer [1]",
                          DoubleValue(4),
                          MakeDoubleAccessor(&FileServer::m_userCopyCycles),
                          MakeDoubleChecker<double>(0, 10000))
            .AddAttribute("SocketCopyCycles",
                          "Processor cycles for each byte copied to the socket buffer, its "
                          "checksum included [1]",
                          DoubleValue(5),
                          MakeDoubleAccessor(&FileServer::m_socketCopyCycles),
                          MakeDoubleChecker<double>(0, 10000));
    return tid;
}

void
FileServer::SetFile(const Address& client, Ptr<Socket> socket, uint64_t size)
{
    m_client = client;
    m_socket = socket;
    m_size = m_unread = size;
}

void
FileServer::SetMachine(Ptr<Cpu> cpu, Ptr<Disk> disk)
{
    m_cpu = cpu;
    m_disk = disk;
}

void
FileServer::SetEndCallback(std::function<void(End)> callback)
{
    m_end = std::move(callback);
}

void
FileServer::Acknowledged(uint64_t bytes)
{
    if (bytes >= m_size)
    {
        Finish(End::FINISHED);
    }
}

void
FileServer::DoDispose()
{
    m_socket = nullptr;
    m_cpu = nullptr;
    m_disk->Dispose();
    m_disk = nullptr;
    m_end = nullptr;
    Application::DoDispose();
}

void
FileServer::StartApplication()
{
    const Callback<void, Ptr<Socket>> failed([this](Ptr<Socket>) { Finish(End::NOT_CONNECTED); });
    const Callback<void, Ptr<Socket>> closed([this](Ptr<Socket>) { Finish(End::CLOSED); });
    m_socket->SetConnectCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket>) { ReadNext(); }),
                                 failed);
    m_socket->SetCloseCallbacks(closed, closed);
    m_socket->SetSendCallback(MakeCallback(&FileServer::RoomAvailable, this));
    m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), FTP_DATA_PORT));
    m_socket->Connect(m_client);
}

void
FileServer::StopApplication()
{
}

void
FileServer::ReadNext()
{
    m_written = 0;
    m_buffer = static_cast<uint32_t>(std::min<uint64_t>(m_fileBuffer, m_unread));
    if (m_buffer == 0)
    {
        m_socket->Close();
        return;
    }
    m_unread -= m_buffer;
    m_disk->Read(m_buffer, [this]() { BufferRead(); });
}

void
FileServer::BufferRead()
{
    if (m_sendfile)
    {
        WriteNext();
        return;
    }
    m_cpu->Do({{CpuStage::SYSTEM_CALL, m_cpu->GetTime(m_callCycles)},
               {CpuStage::USER_COPY, m_cpu->GetTime(m_buffer * m_userCopyCycles)}},
              Cpu::Priority::PROCESS,
              [this]() { WriteNext(); });
}

void
FileServer::WriteNext()
{
    if (m_done)
    {
        return;
    }
    if (m_written == m_buffer)
    {
        ReadNext();
        return;
    }
    const uint32_t leftOfPage = Disk::PAGE - m_written % Disk::PAGE;
    const uint32_t size = std::min({m_buffer - m_written, leftOfPage, m_socket->GetTxAvailable()});
    m_waiting = size == 0;
    if (m_waiting)
    {
        return;
    }
    const bool calls = m_sendfile ? m_written % Disk::PAGE == 0 : m_written == 0;
    m_cpu->Do({{CpuStage::SYSTEM_CALL, calls ? m_cpu->GetTime(m_callCycles) : Time()},
               {CpuStage::SOCKET_COPY, m_cpu->GetTime(size * m_socketCopyCycles)}},
              Cpu::Priority::PROCESS,
              [this, size]() { PieceCopied(size); });
}

void
FileServer::PieceCopied(uint32_t size)
{
    m_written += size;
    if (m_unread == 0 && m_written == m_buffer)
    {
        // Linux closes with what Nagle's algorithm holds, instead of waiting for an ACK.
        m_socket->SetAttribute("Nagle", BooleanValue(false));
    }
    m_socket->Send(Create<Packet>(size));
    WriteNext();
}

void
FileServer::RoomAvailable(Ptr<Socket> /* socket */, uint32_t /* available */)
{
    if (m_waiting)
    {
        WriteNext();
    }
}

void
FileServer::Finish(End end)
{
    if (!m_done)
    {
        m_done = true;
        m_end(end);
    }
}

} // namespace ns3
