/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIMIT_RELIEFS_H
#define LIMIT_RELIEFS_H

#include <initializer_list>
#include <string>
#include <vector>

/// What several limits are relieved by, in the notation of LimitEntry.
namespace ns3::study::reliefs
{

using Texts = std::vector<std::string>;

// A window beyond 65,535 B needs a scale in both SYNs (RFC 7323, 2.2), a sender that holds as much,
// and selective ACKs for what its queue loses (RFC 2018); what of them does nothing, a trial finds.
inline const std::string LARGER_WINDOW =
    "R.window*4 R.first_window=0 R.window_scale=auto S.window_scale=auto R.sack=true "
    "S.sack=true S.send_buffer>=R.window";
inline const std::string LARGER_BUFFER = "S.send_buffer*4";
inline const std::string LARGER_START = "S.initial_window*4";
inline const std::string ONE_WRITE = "reply_writes=1 reply_write*reply_writes";
inline const std::string LARGER_WRITES = "write_size*4 first_write*4";

// Whichever end lacks it.
inline const Texts SACK{"R.sack=true S.sack=true", "S.sack=true R.sack=true"};
inline const Texts NEARER{"rtt/2", "path_delay/2", "cloud_delay/2"};
inline const Texts FASTER_LINE{"link_rate*10",
                               "path_rate*10",
                               "path_access_rate*10",
                               "branch_access_rate*10",
                               "headquarters_access_rate*10",
                               "path_rate_back*10",
                               "committed_rate*2",
                               "stuffed_bits=0"};
inline const Texts NO_LOSSES{"path_loss=0",
                             "path_lost_packets=",
                             "loss_to_device=0",
                             "loss_to_host=0",
                             "path_loss_back=0",
                             "path_lost_packets_back=",
                             "loss_to_branch=0",
                             "loss_to_headquarters=0"};
inline const Texts ACKS_AT_ONCE{"ack_threshold=0",
                                "ack_frequency=0",
                                "R.ack_frequency=1",
                                "delayed_ack_timeout/4",
                                "R.delayed_ack/4"};
inline const Texts FASTER_DEVICE{"ack_latency/2",
                                 "ack_latency_per_byte/2",
                                 "interactive_ack_latency/2"};
inline const Texts FASTER_READER{"port_rate*4",
                                 "drain_latency/4",
                                 "drain_pause/4",
                                 "device_clock*4",
                                 "device_drain_cycles/4",
                                 "device_byte_cycles/4",
                                 "device_packet_cycles/4"};
inline const Texts LARGER_QUEUE{"path_queue*4"};

/// @return them one after the other
inline Texts
All(std::initializer_list<Texts> parts)
{
    Texts all;
    for (const Texts& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

} // namespace ns3::study::reliefs

#endif /* LIMIT_RELIEFS_H */
