/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "share-clock.h"

namespace ns3::study
{

std::string
LimitName(Limit limit)
{
    static const std::array<std::string, static_cast<std::size_t>(Limit::N_LIMITS)> names{
        "handshake",
        "application",
        "last_ack",
        "cpu",
        "link",
        "path_queue",
        "round_trip",
        "receive_window",
        "drain",
        "window_update",
        "delayed_ack",
        "congestion_window",
        "send_buffer",
        "nagle",
        "loss_recovery",
        "request",
        "burst_gap",
        "disk",
        "bus",
        "client_application",
        "server_application",
    };
    return names.at(static_cast<std::size_t>(limit));
}

} // namespace ns3::study
