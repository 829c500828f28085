/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIVE_END_H
#define LIVE_END_H

#include "model/program/parameter-set.h"

#include "ns3/node.h"
#include "ns3/simple-ref-count.h"

#include <memory>
#include <string>

namespace ns3::study
{

/// The simulated end of a live transfer: a device that takes jobs, or a server that replies.
///
/// It is made of the classes that a simulated transfer has, and told as events.
class LiveEnd
{
  public:
    virtual ~LiveEnd() = default;

    /// Declare what such an end is made of.
    virtual void AddParameters(ParameterSet& parameters) const = 0;
    /// Put it on a node that has IPv4.
    virtual void Install(const ParameterSet& parameters, Ptr<Node> node) = 0;
    /// @return ports, and what is at them, as the first event tells
    virtual JsonObject Describe() const = 0;
    /// Fix the streams of its random numbers, once it is installed.
    virtual int64_t AssignStreams(int64_t stream) = 0;
};

/// @return the end of a scenario; null for a scenario that cannot be live
std::unique_ptr<LiveEnd> MakeLiveEnd(const std::string& scenario);

} // namespace ns3::study

#endif /* LIVE_END_H */
