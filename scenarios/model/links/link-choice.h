/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_CHOICE_H
#define LINK_CHOICE_H

#include "model/ethernet/link.h"
#include "model/program/scenario.h"

#include <string>
#include <vector>

namespace ns3::study
{

/// What is between the two ends of a transfer: the choice that every TCP scenario has.
class LinkChoice : public Object
{
  public:
    /// What there is to choose from.
    enum Kind
    {
        ETHERNET,   //!< they share an Ethernet
        PATH,       //!< there is a path of any rate, delay, queue and losses
        FRAME_RELAY //!< the device is at a branch behind frame relay
    };

    static TypeId GetTypeId();

    /// Declare the parameters of every link, and the choice itself in a part of the scenario.
    static void AddParameters(ParameterSet& parameters, const std::string& group);
    /// Declare what a record tells of the links.
    static void AddResultFields(std::vector<ResultField>& results);

    /// @return the chosen link, not joined to anything yet
    /// @throw ParameterError if it does not carry segments of an MSS of this run
    Ptr<Link> MakeLink(const ParameterSet& parameters) const;
    /// @return the part of the scenario that the chosen link's parameters are in
    std::string GetGroup() const;
    /// Add what became of frames and packets, and which of the given parameters are without effect:
    /// another link's.
    /// @param idle others that can do nothing, of which a link knows nothing
    void AddResults(JsonObject& record,
                    const ParameterSet& parameters,
                    Ptr<const Link> link,
                    const std::vector<std::string>& idle) const;

  private:
    Kind m_kind; //!< the choice
};

} // namespace ns3::study

#endif /* LINK_CHOICE_H */
