/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAST_FORWARD_H
#define FAST_FORWARD_H

#include "model/ethernet/link.h"
#include "model/proof/cycle-detector.h"
#include "model/tcp/device-tcp-socket.h"
#include "model/tcp/host-tcp-socket.h"
#include "print-job-client.h"
#include "print-server.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/tcp-header.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::study
{

/**
 * @brief Takes whole cycles off a print job instead of simulating them, and loses nothing by it.
 *
 * It watches a job that is being simulated. Once CycleDetector has proven a cycle, the file is
 * shortened, at its unwritten end, by as many cycles as fit, and the simulation goes on from the
 * state it is in: where the full run would be that many cycles later, with the same bytes to go.
 * So the end is simulated, whatever it holds. What the cycles taken off would have added is added:
 * time, bytes, counts, the limit clock's shares, the sockets' clock, the round-trip estimate.
 *
 * The congestion window alone is not carried on. It is larger than anything can use when a cycle is
 * proven, and so is the full run's, which is larger still; should that end, by a retransmission or
 * by a larger window of the device, the run is in doubt, and to be repeated in full.
 */
class FastForward
{
  public:
    /// What was taken off.
    struct Skipped
    {
        uint64_t cycles{0};         //!< whole cycles
        Time time;                  //!< their time
        uint64_t bytes{0};          //!< payload acknowledged
        uint64_t segments{0};       //!< data segments of the host
        uint64_t deviceSegments{0}; //!< segments of the device
        uint64_t windowProbes{0};   //!< window probes
    };

    /// Watch a job that is cut off at some instant. When cycles were taken off, skipped is called
    /// with the time left to that.
    FastForward(Ptr<HostTcpSocket> host,
                Ptr<PrintJobClient> client,
                Ptr<PrintServer> server,
                Ptr<Link> link,
                Time timeLimit,
                std::function<void(Time)> skipped);
    FastForward(const FastForward&) = delete;
    FastForward& operator=(const FastForward&) = delete;

    /// @return what was taken off so far
    const Skipped& GetSkipped() const;
    /// @return true if the full run might differ
    bool IsInDoubt() const;

  private:
    /// Who has seen a segment.
    enum Event : int64_t
    {
        HOST_SENT,
        DEVICE_HANDLED,
        DEVICE_SENT,
        HOST_HANDLED,
        RTT_SAMPLE,
        N_EVENTS
    };

    /// Watch an end's segments: what its sending one is, and its handling one.
    void Watch(Ptr<CorrectedTcpSocket> socket, Event sent, Event handled);
    /// A segment with a payload of so many bytes was sent or handled.
    void Seen(Event event, uint32_t size, const TcpHeader& header);
    /// New data are acknowledged.
    void Acknowledged();
    /// The ACK is handled: see whether a cycle ends here.
    void Mark();
    /// @return how many of them can be taken off
    uint64_t CountToSkip(const CycleDetector::Cycle& cycle) const;
    /// Take so many cycles off.
    void Skip(const CycleDetector::Cycle& cycle, uint64_t count);
    /// @return all that grows by the same in every cycle, in the order of Total
    std::vector<int64_t> GetTotals() const;

    /// What grows by the same in every cycle; the shares of the limit clock come behind.
    enum Total
    {
        BYTES,
        WRITTEN,
        SINCE_PAUSE,
        SEGMENTS,
        WINDOW_PROBES,
        RTT_SAMPLES,
        DEVICE_SEGMENTS,
        FIRST_SHARE
    };

    Ptr<HostTcpSocket> m_host;                   //!< the host's end
    Ptr<DeviceTcpSocket> m_device;               //!< the device's, once connected
    Ptr<PrintJobClient> m_client;                //!< what writes the job
    Ptr<PrintServer> m_server;                   //!< what takes it
    Ptr<Link> m_link;                            //!< between the two
    Time m_timeLimit;                            //!< when the job is cut off
    std::function<void(Time)> m_skippedCallback; //!< whom to tell
    CycleDetector m_detector;                    //!< proves a cycle
    Skipped m_skipped;                           //!< taken off so far
    bool m_markDue{false};                       //!< Mark() is scheduled
    bool m_inDoubt{false};                       //!< the full run might differ
    Time m_lastMark;                             //!< when Mark() last ran
    uint64_t m_segments{0};                      //!< data segments of the host
    std::array<uint64_t, N_EVENTS> m_seen{};     //!< how often each has been seen
    std::vector<Time> m_rttSamples;              //!< round-trip times measured
};

} // namespace ns3::study

#endif /* FAST_FORWARD_H */
