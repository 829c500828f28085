/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PRINT_JOB_CLIENT_H
#define PRINT_JOB_CLIENT_H

#include "model/proof/state-record.h"
#include "print-job-script.h"

#include "ns3/address.h"
#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <functional>

namespace ns3
{

class Socket;

/**
 * @brief The host's spooler: connects to a device, writes a job and closes.
 *
 * A part of the job larger than FirstWrite is written as the measured host did: FirstWrite bytes,
 * then WriteSize bytes every WriteTime, until the send buffer is full; from then on as much as
 * fits whenever there is room. A job with replies is done when the last reply is in, one without
 * when all of it is acknowledged.
 */
class PrintJobClient : public Application
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PrintJobClient();

    /**
     * @brief Set the job.
     * @param device address and port to connect to
     * @param socket the socket to use, not connected yet
     * @param script what to write
     */
    void SetJob(const Address& device, Ptr<Socket> socket, const PrintJobScript& script);

    /// How the job ended.
    enum class End
    {
        FINISHED,      //!< every byte acknowledged, every reply positive
        NOT_CONNECTED, //!< the device never answered
        CLOSED,        //!< the device closed or reset the connection before the job was done
        GAVE_UP,       //!< the host retransmitted in vain until it gave up
        REFUSED        //!< the device's reply was negative
    };

    /**
     * @brief Set what to call when the job ends.
     * @param callback called once with the way it ended
     */
    void SetEndCallback(std::function<void(End)> callback);
    /**
     * @brief Tell the client how much of the job is acknowledged.
     * @param bytes payload acknowledged since the connection was made
     */
    void Acknowledged(uint64_t bytes);

    /**
     * @brief Add what decides the client's course, but for the bytes left to write.
     * @param state where to add it
     */
    void Describe(StateRecord& state) const;
    /**
     * @return bytes of the current part of the job that are not written yet
     */
    uint64_t GetUnwritten() const;
    /**
     * @brief Shorten the current part of the job.
     * @param bytes how much; less than is unwritten of the file
     */
    void Skip(uint64_t bytes);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /// Go on with the step that is due, after the time the application takes.
    void Think();
    /// Write the next piece of the current step.
    void Write();
    /// Write whatever fits, once the writer has been ahead of the connection.
    void WriteWhatFits();
    /**
     * @brief Write octets of the current step.
     * @param size how many, all of which fit the send buffer
     */
    void WriteOctets(uint64_t size);
    /**
     * @brief The end of the job: tell, and close.
     * @param end how it ended
     */
    void Finish(End end);

    /**
     * @brief The connection is made.
     * @param socket the socket
     */
    void ConnectionSucceeded(Ptr<Socket> socket);
    /**
     * @brief The device did not answer.
     * @param socket the socket
     */
    void ConnectionFailed(Ptr<Socket> socket);
    /**
     * @brief The device closed or reset the connection.
     * @param socket the socket
     */
    void ConnectionClosed(Ptr<Socket> socket);
    /**
     * @brief The host's TCP gave up.
     * @param socket the socket
     */
    void ConnectionGivenUp(Ptr<Socket> socket);
    /**
     * @brief A reply has come.
     * @param socket the socket
     */
    void ReplyReceived(Ptr<Socket> socket);
    /**
     * @brief There is room in the send buffer.
     * @param socket the socket
     * @param available the room in bytes
     */
    void RoomAvailable(Ptr<Socket> socket, uint32_t available);

    Time m_thinkTime;      //!< from a reply to the write it leads to
    uint32_t m_firstWrite; //!< first write of a large part [B]
    uint32_t m_writeSize;  //!< later writes [B]
    Time m_writeTime;      //!< between two writes

    Address m_device;               //!< where to connect
    Ptr<Socket> m_socket;           //!< the connection
    PrintJobScript m_script;        //!< what to write
    std::size_t m_step{0};          //!< index of the current step
    uint64_t m_written{0};          //!< octets of the current step already written
    bool m_ahead{false};            //!< the send buffer has been full in this step
    bool m_done{false};             //!< the job has ended
    EventId m_writeEvent;           //!< the next write
    std::function<void(End)> m_end; //!< whom to tell
};

} // namespace ns3

#endif /* PRINT_JOB_CLIENT_H */
