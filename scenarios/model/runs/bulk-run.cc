/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bulk-run.h"

#include "model/clocks/limit-table.h"
#include "model/tcp/device-tcp.h"

#include <algorithm>

namespace ns3::study
{

std::vector<Limit>
BulkRun::GetLimits(bool hasMachine)
{
    std::vector limits{
        Limit::HANDSHAKE,
        Limit::APPLICATION,
        Limit::LAST_ACK,
        Limit::CPU,
        Limit::DISK,
        Limit::BUS,
        Limit::LINK,
        Limit::PATH_QUEUE,
        Limit::ROUND_TRIP,
        Limit::RECEIVE_WINDOW,
        Limit::DRAIN,
        Limit::WINDOW_UPDATE,
        Limit::DELAYED_ACK,
        Limit::CONGESTION_WINDOW,
        Limit::SEND_BUFFER,
        Limit::NAGLE,
        Limit::LOSS_RECOVERY,
    };
    std::erase_if(limits, [hasMachine](Limit each) {
        return !hasMachine && (each == Limit::DISK || each == Limit::BUS);
    });
    return limits;
}

BulkRun::BulkRun(const ParameterSet& parameters,
                 const RunFiles& files,
                 const std::string& peer,
                 bool hasMachine,
                 Time closing)
    : ConnectionRun(parameters,
                    files,
                    {"host", peer, DeviceTcp::GetTypeId(), GetLimits(hasMachine), closing})
{
}

std::vector<ResultField>
BulkRun::GetResultFields(const std::string& bytes,
                         const std::string& duration,
                         const std::string& transfer,
                         const std::string& peer)
{
    return {
        {"bytes", "B", bytes},
        {"duration_s", "s", duration},
        {"throughput_Bps", "B/s", "Bytes over duration; none unless the " + transfer + " finished"},
        {"segments", "1", "Data segments the host sent, retransmissions included"},
        {"retransmissions", "1", "Data segments the host sent again"},
        TransferObserver::NeedlessField(),
        {peer + "_segments", "1", "Segments the host received from the " + peer},
        {"window_probes", "1", "Window probes the host sent"},
        {"at_end_s",
         "s",
         "Of limits_s, the waits for the " + peer + "'s delayed-ACK timer at the end of all data"},
        {"limits_s",
         "s",
         "The duration split by what the host waited for; stock ns-3 does not tell"},
    };
}

void
BulkRun::Follow(Ptr<ClientApplication> client, Ptr<ServerApplication> server, uint64_t size)
{
    m_size = size;
    Listen(server, "Accepted", [this](Ptr<Socket> socket) { Accepted(socket); });
    Listen(client, "Working", [this](bool works) { GetLimitClock().ApplicationWorks(works); });
    // Before the client's own, which may end the run.
    m_sender->GetSocket()->TraceConnectWithoutContext("HighestRxAck",
                                                      MakeCallback(&BulkRun::Acknowledged, this));
    Install(client, server);
    Observe("host", "device", {"host"});
}

LimitClock&
BulkRun::GetLimitClock() const
{
    return m_sender->GetLimitClock();
}

bool
BulkRun::IsAtWork() const
{
    // A processor, a disk, a bus or a line that is at work will get there, and a host that
    // retransmits will get through or give up, and say so itself.
    const LimitClock& clock = GetLimitClock();
    return m_sender->IsRetransmitting() || clock.HoldsFrames() || clock.IsHostBusy();
}

void
BulkRun::Moved()
{
    Progress();
}

ShareClock&
BulkRun::GetClock()
{
    return GetLimitClock();
}

uint64_t
BulkRun::GetBytes() const
{
    // The SYN takes the first number, the FIN the last.
    const uint64_t numbers =
        m_numbers + (m_cycles ? m_cycles->GetSkipped(TcpFastForward::BYTES) : 0);
    return std::min(std::max<uint64_t>(numbers, 1) - 1, m_size);
}

void
BulkRun::TellCounts(JsonObject& record)
{
    m_observer->AddCounts(record, m_plan.peer, m_cycles);
    JsonObject atEnd;
    atEnd.Add(LimitName(Limit::DELAYED_ACK), GetLimitClock().GetWithheldAtEnd());
    record.Add("at_end_s", atEnd);
}

void
BulkRun::Accepted(Ptr<Socket> socket)
{
    LimitClock& clock = GetLimitClock();
    clock.PeerHolds(false);
    if (const auto device = DynamicCast<ConnectionSocket>(socket))
    {
        TimeValue timeout;
        device->GetAttribute("DelAckTimeout", timeout);
        clock.AckWithheldAtMost(timeout.Get());
    }
    Listen(socket, "AckWithheld", [&clock](bool withheld) { clock.AckWithheld(withheld); });
    Listen(socket, "DelayedAckExpired", [&clock]() { clock.DelayedAckExpired(); });
    Listen(socket, "Holding", [&clock](bool holds) { clock.PeerHolds(holds); });
}

void
BulkRun::Acknowledged(SequenceNumber32 before, SequenceNumber32 now)
{
    Moved();
    if (GetOutcome() == Outcome::NONE)
    {
        m_numbers += now - before;
    }
}

} // namespace ns3::study
