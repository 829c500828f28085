/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tap-device.h"

#include "frame-gate.h"

#include "ns3/mac48-address.h"
#include "ns3/realtime-simulator-impl.h"
#include "ns3/simulator.h"

#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace ns3::study
{

namespace
{

constexpr uint32_t LONGEST = 1522; // Ethernet's header, a VLAN's tag, and its MTU

/// @return the machine's clock, since 1970 [ns]
int64_t
GetClock()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

} // namespace

TapDevice::TapDevice(int descriptor)
{
    SetFileDescriptor(descriptor);
    SetEncapsulationMode(DIX);
    SetAddress(Mac48Address::Allocate());
}

std::vector<int64_t>
TapDevice::GetRead() const
{
    const std::unique_lock lock{m_mutex};
    return m_read;
}

const std::vector<int64_t>&
TapDevice::GetLate() const
{
    return m_late;
}

ssize_t
TapDevice::Write(uint8_t* buffer, size_t length)
{
    // Before it is written: the kernel handles it, and answers, before it returns.
    const auto simulator = DynamicCast<RealtimeSimulatorImpl>(Simulator::GetImplementation());
    m_late.push_back((simulator->RealtimeNow() - Simulator::Now()).GetNanoSeconds());
    return FdNetDevice::Write(buffer, length);
}

Ptr<FdReader>
TapDevice::DoCreateFdReader()
{
    return Create<Reader>(*this);
}

TapDevice::Reader::Reader(TapDevice& device)
    : m_device(device)
{
}

FdReader::Data
TapDevice::Reader::DoRead()
{
    // Freed by FdNetDevice, with free().
    auto* const buffer = static_cast<uint8_t*>(std::malloc(LONGEST));
    const ssize_t length = read(m_fd, buffer, LONGEST);
    if (length <= 0)
    {
        std::free(buffer);
        return Data(nullptr, length); // 0 ends the reading
    }
    {
        const std::unique_lock lock{m_device.m_mutex};
        m_device.m_read.push_back(GetClock());
    }
    if (!IsReadable(buffer, static_cast<std::size_t>(length)))
    {
        std::free(buffer);
        return Data(nullptr, -1); // ignored
    }
    return Data(buffer, length);
}

} // namespace ns3::study
