/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_TAKER_H
#define TURN_TAKER_H

#include "model/program/turn-notation.h"

#include <optional>

namespace ns3::study
{

/// Where one end is in a conversation whose writes are given one by one: what it writes next, or
/// what it has to hear before that.
class TurnTaker
{
  public:
    /// @param turns all writes of both ends, in their order
    /// @param ofServer which end this is
    explicit TurnTaker(std::vector<Turn> turns = {}, bool ofServer = false);

    /// @return the next write of this end, if all was heard that comes before it
    std::optional<Turn> Take();
    /// So many bytes have been heard in all.
    void Heard(uint64_t bytes);
    /// @return true when nothing is left to write or to hear
    bool IsOver() const;
    /// @return what this end writes in all [B]
    uint64_t GetToSay() const;
    /// @return how many writes are this end's
    uint32_t CountOwn() const;
    /// @return how many of them were taken
    uint32_t CountOwnOver() const;

  private:
    /// Pass over what was heard.
    void PassHeard();
    /// @return how many of the first turns are this end's
    uint32_t CountOwn(std::size_t first) const;

    std::vector<Turn> m_turns; //!< of both ends
    bool m_ofServer;           //!< which end this is
    std::size_t m_next{0};     //!< the turn that is not over
    uint64_t m_heard{0};       //!< in all [B]
    uint64_t m_heardBefore{0}; //!< of these, in turns that are over [B]
};

} // namespace ns3::study

#endif /* TURN_TAKER_H */
