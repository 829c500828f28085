/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_OBJECT_H
#define JSON_OBJECT_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::study
{

/// Builds one line of JSON, members in the order they are added.
///
/// The same values give the same bytes: doubles are written as the shortest text that reads back
/// to the same number, times in seconds with all nine decimals.
class JsonObject
{
  public:
    /// Add a text.
    void Add(const std::string& key, const std::string& value);
    /// Add a whole number.
    void Add(const std::string& key, uint64_t value);
    /// Add a time, in seconds.
    void Add(const std::string& key, Time value);
    /// Add a number, or null where there is none.
    void Add(const std::string& key, std::optional<double> value);
    /// Add an object.
    void Add(const std::string& key, const JsonObject& value);
    /// Add a list of texts.
    void Add(const std::string& key, const std::vector<std::string>& values);
    /// Add a list of objects.
    void Add(const std::string& key, const std::vector<JsonObject>& values);

    /// @return the object, on one line
    std::string ToString() const;

  private:
    /// Add a member whose value is JSON already.
    void AddJson(const std::string& key, const std::string& json);

    std::string m_members; //!< the members so far
};

} // namespace ns3::study

#endif /* JSON_OBJECT_H */
