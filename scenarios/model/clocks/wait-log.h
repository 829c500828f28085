/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAIT_LOG_H
#define WAIT_LOG_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::study
{

enum class Limit : uint8_t;

/**
 * @brief Keeps what a ShareClock charges, instant by instant: who waited for what, and when.
 *
 * The spans of each limit add up to what the clock says of it, also where a loss takes back what
 * was charged before. Beside them stands what the ends' send buffers held.
 */
class WaitLog
{
  public:
    /// Begin a log of a transfer whose ends are called so.
    explicit WaitLog(std::vector<std::string> ends);

    /// A span was charged to a limit, which an end waited for, or none.
    void Charged(Limit limit, std::optional<std::size_t> end, Time from, Time until);
    /// What was charged up to here is charged for good.
    void Progress();
    /// What was charged to a limit since an instant turned out to be another one's.
    void Recharged(Limit from, Limit to, Time since);
    /// All that was charged since the last progress was lost to loss recovery.
    void Lost();
    /// From now on an end's send buffer holds so much [B]
    void SendBuffer(std::size_t end, uint32_t held);
    /// Write it as comma-separated values, one row from which on it was so: from_s, waits_for,
    /// end, and ..._buffer_B of each end whose send buffer is known. The last row is the end of the
    /// transfer, and waits for nothing.
    /// @param origin where time begins
    void Write(std::ostream& out, Time origin) const;

  private:
    /// What was waited for.
    struct Span
    {
        Time from;                      //!< since when
        Time until;                     //!< and how long
        Limit limit;                    //!< for what
        std::optional<std::size_t> end; //!< who did, by its place among the ends
    };

    /// What a send buffer held.
    struct Level
    {
        Time from;       //!< since when
        std::size_t end; //!< whose it is
        uint32_t held;   //!< [B]
    };

    std::vector<std::string> m_ends; //!< their names
    std::vector<Span> m_spans;       //!< in order, without gaps
    std::vector<Level> m_levels;     //!< in order
    std::size_t m_settled{0};        //!< how many spans were charged for good
};

} // namespace ns3::study

#endif /* WAIT_LOG_H */
