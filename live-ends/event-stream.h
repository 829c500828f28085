/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EVENT_STREAM_H
#define EVENT_STREAM_H

#include "model/program/json-object.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::study
{

/// What a live run tells while it runs, on standard output: a line of JSON an event. Where one has
/// a member `octets`, so many follow the line's end. Nobody who reads ends the process.
class EventStream
{
  public:
    /// @return an event of a connection, to be told
    static JsonObject MakeEvent(const std::string& name, uint64_t connection);
    /// Tell an event.
    static void Tell(const JsonObject& event);
    /// Tell an event with what a packet holds behind it.
    static void Tell(JsonObject event, Ptr<const Packet> octets);
    /// Tell an event with numbers behind it, of 8 octets each in the machine's own order.
    static void Tell(JsonObject event, const std::vector<int64_t>& numbers);
};

} // namespace ns3::study

#endif /* EVENT_STREAM_H */
