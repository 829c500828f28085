/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "file-server.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/socket.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::study
{

NS_LOG_COMPONENT_DEFINE("FileServer");

NS_OBJECT_ENSURE_REGISTERED(FileServer);

TypeId
FileServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::study::FileServer")
            .SetParent<ClientApplication>()
            .SetGroupName("Study")
            .AddConstructor<FileServer>()
            .AddAttribute("FileBuffer",
                          "Bytes of the file that the server reads and sends at a time [B]",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&FileServer::m_fileBuffer),
                          MakeUintegerChecker<uint32_t>(512, 16777216))
            .AddAttribute(
                "WriteReturns",
                "When the write of a buffer returns, and the next one is read: when its "
                "last byte has found room in the send buffer, or when the client has "
                "acknowledged that",
                EnumValue(WriteReturns::ALL_FITS),
                MakeEnumAccessor<WriteReturns>(&FileServer::m_writeReturns),
                MakeWriteReturnsChecker({WriteReturns::ALL_FITS, WriteReturns::ACKNOWLEDGED}))
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
    NS_LOG_FUNCTION(this << client << socket << size);
    SetConnection(client, socket, FTP_DATA_PORT);
    m_size = m_unread = size;
    m_writer = SocketWriter(socket, m_writeReturns);
}

void
FileServer::SetMachine(Ptr<Cpu> cpu, Ptr<Disk> disk)
{
    m_cpu = cpu;
    m_disk = disk;
}

void
FileServer::Describe(StateRecord& state) const
{
    state.Add(m_buffer);
    state.Add(m_written);
    state.Add(m_piece);
    state.Add(m_waiting);
    state.Add(IsOver());
    state.AddTimer(m_event);
    m_writer.Describe(state);
}

uint64_t
FileServer::GetUnread() const
{
    return m_unread;
}

uint32_t
FileServer::GetFileBuffer() const
{
    return m_fileBuffer;
}

uint64_t
FileServer::CountHalves() const
{
    return 2 * m_buffersWritten + (m_written > m_buffer / 2);
}

void
FileServer::Skip(uint64_t bytes)
{
    m_unread -= bytes;
    m_size -= bytes; // of which the socket tells what is acknowledged
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
    if (m_disk)
    {
        m_disk->Dispose();
    }
    m_disk = nullptr;
    m_cpu = nullptr;
    ClientApplication::DoDispose();
}

void
FileServer::Connected()
{
    NS_ABORT_MSG_UNLESS(m_cpu && m_disk, "a FileServer needs a machine: see SetMachine()");
    ReadNext();
}

void
FileServer::ReadNext()
{
    NS_LOG_FUNCTION(this << m_unread);
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
    if (IsOver())
    {
        return;
    }
    if (m_written == m_buffer)
    {
        ++m_buffersWritten;
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
    m_piece = size;
    const bool calls = m_sendfile ? m_written % Disk::PAGE == 0 : m_written == 0;
    m_cpu->Do({{CpuStage::SYSTEM_CALL, calls ? m_cpu->GetTime(m_callCycles) : Time()},
               {CpuStage::SOCKET_COPY, m_cpu->GetTime(size * m_socketCopyCycles)}},
              Cpu::Priority::PROCESS,
              [this, size]() { PieceCopied(size); });
}

void
FileServer::PieceCopied(uint32_t size)
{
    NS_LOG_FUNCTION(this << size);
    if (IsOver())
    {
        return;
    }
    m_written += size;
    m_piece = 0;
    if (m_unread == 0 && m_written == m_buffer)
    {
        Work(false);
    }
    if (m_written < m_buffer || m_writeReturns != WriteReturns::ACKNOWLEDGED)
    {
        m_writer.Write(size);
        WriteNext();
        return;
    }
    m_writer.Write(size, [this]() {
        Work(m_unread > 0);
        m_event = Simulator::ScheduleNow(&FileServer::WriteNext, this);
    });
    Work(false);
}

void
FileServer::RoomAvailable()
{
    if (m_waiting)
    {
        WriteNext();
    }
}

} // namespace ns3::study
