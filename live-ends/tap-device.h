/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TAP_DEVICE_H
#define TAP_DEVICE_H

#include "ns3/fd-net-device.h"
#include "ns3/fd-reader.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace ns3::study
{

/// The simulator's end of a TAP interface, of a descriptor that somebody else opened: frames of
/// Ethernet II, whole. Notes by the machine's clock when it read each, and how late it wrote each.
class TapDevice : public FdNetDevice
{
  public:
    /// @param descriptor of the TAP, without packet information
    explicit TapDevice(int descriptor);

    /// @return when each frame was read, since 1970 [ns]
    std::vector<int64_t> GetRead() const;
    /// @return by how much each frame was written after it was due [ns]
    const std::vector<int64_t>& GetLate() const;

    ssize_t Write(uint8_t* buffer, size_t length) override;

  private:
    Ptr<FdReader> DoCreateFdReader() override;

    /// Reads one frame at a time, and notes when.
    class Reader : public FdReader
    {
      public:
        explicit Reader(TapDevice& device);

      private:
        Data DoRead() override;

        TapDevice& m_device; //!< whose frames
    };

    mutable std::mutex m_mutex;  //!< the reader is a thread
    std::vector<int64_t> m_read; //!< since 1970 [ns]
    std::vector<int64_t> m_late; //!< after it was due [ns]
};

} // namespace ns3::study

#endif /* TAP_DEVICE_H */
