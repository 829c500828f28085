/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tell-limits.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace ns3::study
{

namespace
{

using Texts = std::vector<std::string>;

/// Puts the names of a scenario's parameters for the two roles.
class Roles
{
  public:
    explicit Roles(const ParameterSet& parameters)
    {
        for (const Parameter& parameter : parameters.GetParameters())
        {
            m_keys.insert(parameter.key);
        }
    }

    /// @return each relief for each way that data can go; without what the scenario has not, and
    ///         none whose first parameter it has not
    Texts Expand(const Texts& reliefs) const
    {
        Texts found;
        for (const std::string& relief : reliefs)
        {
            for (const auto& [receiver, sender] : {std::pair{"device", "host"},
                                                   std::pair{"client", "server"},
                                                   std::pair{"server", "client"}})
            {
                const std::string text = Spell(relief, receiver, sender);
                if (!text.empty() && std::find(found.begin(), found.end(), text) == found.end())
                {
                    found.push_back(text);
                }
            }
        }
        return found;
    }

  private:
    /// @return the relief in the parameters of that way
    std::string Spell(const std::string& relief,
                      const std::string& receiver,
                      const std::string& sender) const
    {
        std::istringstream changes(relief);
        std::string text;
        for (std::string change; changes >> change;)
        {
            const auto end = std::min(change.find_first_of("*/=>"), change.size());
            const std::string key = Resolve(change.substr(0, end), receiver, sender);
            const bool compares = change.compare(end, 2, ">=") == 0;
            const std::string value = compares
                                          ? ">=" + Resolve(change.substr(end + 2), receiver, sender)
                                          : change.substr(end);
            if (key.empty() || value == ">=")
            {
                if (text.empty())
                {
                    return ""; // the first is what it is about
                }
                continue;
            }
            text += (text.empty() ? "" : " ") + key + value;
        }
        return text;
    }

    /// @return the parameter's key in this scenario; empty where it has none
    std::string Resolve(const std::string& key,
                        const std::string& receiver,
                        const std::string& sender) const
    {
        const bool hasRole = key.rfind("R.", 0) == 0 || key.rfind("S.", 0) == 0;
        if (!hasRole)
        {
            return m_keys.contains(key) ? key : "";
        }
        const bool receives = key.front() == 'R';
        const std::string name = key.substr(2);
        if (const auto own = (receives ? receiver : sender) + "_" + name; m_keys.contains(own))
        {
            return own;
        }
        if (receives)
        {
            const bool isWindow = receiver == "device" && name == "window";
            return isWindow && m_keys.contains("receive_window") ? "receive_window" : "";
        }
        return sender == "host" && m_keys.contains(name) ? name : "";
    }

    std::set<std::string> m_keys; //!< of all parameters
};

/// @return true if a sender can wait for it only once all is sent
bool
IsOfEnd(Limit limit)
{
    return limit == Limit::LAST_ACK || limit == Limit::PATH_QUEUE || limit == Limit::ROUND_TRIP;
}

} // namespace

std::vector<JsonObject>
TellLimits(std::span<const Limit> limits,
           const ParameterSet& parameters,
           const std::map<Limit, std::string>& words)
{
    const Roles roles(parameters);
    std::vector<JsonObject> told;
    for (uint64_t place = 0; const LimitEntry& entry : GetLimitTable())
    {
        ++place;
        if (std::find(limits.begin(), limits.end(), entry.limit) == limits.end())
        {
            continue;
        }
        const auto own = words.find(entry.limit);
        JsonObject json;
        json.Add("key", entry.key);
        json.Add("place", place);
        json.Add("words", own == words.end() ? entry.words : own->second);
        json.Add("plain", entry.plain);
        json.Add("german", entry.german);
        json.Add("who", entry.who);
        json.Add("unseen", entry.unseen);
        json.Add("colour", entry.colour);
        json.Add("hatch", entry.hatch);
        json.Add("at_end", uint64_t{IsOfEnd(entry.limit)});
        json.Add("reliefs", roles.Expand(entry.reliefs));
        json.Add("behind", roles.Expand(entry.behind));
        told.push_back(json);
    }
    return told;
}

JsonObject
TellShares(const ShareClock& clock, std::span<const Limit> limits)
{
    JsonObject json;
    for (const Limit limit : limits)
    {
        json.Add(LimitName(limit), clock.Get(limit));
    }
    return json;
}

} // namespace ns3::study
