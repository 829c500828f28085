/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FILE_SERVER_H
#define FILE_SERVER_H

#include "model/machine/cpu.h"
#include "model/machine/disk.h"
#include "model/proof/state-record.h"
#include "model/tcp/client-application.h"

namespace ns3::study
{

/**
 * @brief Sends a file over one connection, and has its machine's processor do the copying.
 *
 * For each FileBuffer bytes: the disk delivers them into the page cache; without Sendfile a read
 * copies them into the application's buffer; then they are copied into the socket buffer, with the
 * checksum, as there is room. With Sendfile that last copy is made straight from the page cache,
 * and page by page: an interface without scatter-gather and checksums of its own, as any that the
 * processor fills word by word, cannot send from the page cache itself.
 */
class FileServer : public ClientApplication
{
  public:
    static TypeId GetTypeId();

    static constexpr uint16_t FTP_DATA_PORT = 20; //!< RFC 959, 3.2: the server's end
    static constexpr uint16_t CLIENT_PORT = 5001; //!< of the client, for the data

    /// Set whom to connect to, by a socket not connected yet, and how much to send [B].
    void SetFile(const Address& client, Ptr<Socket> socket, uint64_t size);
    /// Set the machine's processor, and its disk.
    void SetMachine(Ptr<Cpu> cpu, Ptr<Disk> disk);

    /// Add what decides the server's course, but for the bytes left to read.
    void Describe(StateRecord& state) const;
    /// @return bytes of the file that are not asked of the disk yet
    uint64_t GetUnread() const;
    /// @return bytes of it that are read at a time
    uint32_t GetFileBuffer() const;
    /// @return halves of buffers that were copied
    uint64_t CountHalves() const;
    /// Shorten the file, by less than is unread.
    void Skip(uint64_t bytes);

  protected:
    void DoDispose() override;

  private:
    void Connected() override;
    void RoomAvailable() override;
    void Acknowledged(uint64_t bytes) override;

    /// Have the disk deliver the next buffer, or close after the last.
    void ReadNext();
    /// The buffer is in the page cache.
    void BufferRead();
    /// Copy what the socket buffer has room for, or wait for room.
    void WriteNext();
    /// A piece has been copied into the socket buffer.
    void PieceCopied(uint32_t size);

    uint32_t m_fileBuffer;       //!< bytes read and sent at a time
    WriteReturns m_writeReturns; //!< when the write of a buffer does
    bool m_sendfile;             //!< sends from the page cache
    double m_callCycles;         //!< per system call, and per page of sendfile
    double m_userCopyCycles;     //!< per byte copied to the application
    double m_socketCopyCycles;   //!< per byte copied to the socket buffer, with the checksum

    Ptr<Cpu> m_cpu;               //!< does the work
    Ptr<Disk> m_disk;             //!< has the file
    uint64_t m_size{0};           //!< the file [B]
    uint64_t m_unread{0};         //!< of it, not read yet [B]
    uint32_t m_buffer{0};         //!< the buffer in hand [B]
    uint32_t m_written{0};        //!< of it, copied into the socket buffer [B]
    uint32_t m_piece{0};          //!< what is being copied there [B]
    bool m_waiting{false};        //!< for room in the socket buffer
    uint64_t m_buffersWritten{0}; //!< buffers copied, all of them
};

} // namespace ns3::study

#endif /* FILE_SERVER_H */
