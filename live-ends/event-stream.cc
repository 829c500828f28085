/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "event-stream.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace ns3::study
{

namespace
{

/// Write all of it to standard output, or end.
void
WriteAll(const void* octets, std::size_t size)
{
    const auto* at = static_cast<const char*>(octets);
    while (size > 0)
    {
        const ssize_t written = write(STDOUT_FILENO, at, size);
        if (written < 0 && errno == EINTR)
        {
            continue;
        }
        if (written <= 0)
        {
            std::_Exit(1); // the reader is gone, and the interface goes with us
        }
        at += written;
        size -= written;
    }
}

} // namespace

JsonObject
EventStream::MakeEvent(const std::string& name, uint64_t connection)
{
    JsonObject event;
    event.Add("event", name);
    event.Add("connection", connection);
    return event;
}

void
EventStream::Tell(const JsonObject& event)
{
    const std::string line = event.ToString() + '\n';
    WriteAll(line.data(), line.size());
}

void
EventStream::Tell(JsonObject event, Ptr<const Packet> octets)
{
    std::vector<uint8_t> content(octets->GetSize());
    octets->CopyData(content.data(), octets->GetSize());
    event.Add("octets", uint64_t{content.size()});
    Tell(event);
    WriteAll(content.data(), content.size());
}

void
EventStream::Tell(JsonObject event, const std::vector<int64_t>& numbers)
{
    const std::size_t size = numbers.size() * sizeof(int64_t);
    event.Add("octets", uint64_t{size});
    Tell(event);
    WriteAll(numbers.data(), size);
}

} // namespace ns3::study
