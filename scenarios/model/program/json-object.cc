/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "json-object.h"

#include "model/core/notation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace ns3::study
{

namespace
{

/// @return whether it stands in a JSON string as it is
bool
IsPlain(char c)
{
    return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
}

/// @return it as a JSON string
std::string
Quote(const std::string& text)
{
    std::string quoted = "\"";
    if (std::all_of(text.begin(), text.end(), IsPlain))
    {
        return quoted.append(text).append("\"");
    }
    for (const char c : text)
    {
        if (c == '"' || c == '\\')
        {
            quoted += '\\';
            quoted += c;
        }
        else if (static_cast<unsigned char>(c) < 0x20)
        {
            std::array<char, 7> escape;
            std::snprintf(escape.data(), escape.size(), "\\u%04x", c);
            quoted += escape.data();
        }
        else
        {
            quoted += c;
        }
    }
    return quoted + "\"";
}

} // namespace

void
JsonObject::Add(const std::string& key, const std::string& value)
{
    AddJson(key, Quote(value));
}

void
JsonObject::Add(const std::string& key, uint64_t value)
{
    AddJson(key, std::to_string(value));
}

void
JsonObject::Add(const std::string& key, Time value)
{
    AddJson(key, FormatSeconds(value));
}

void
JsonObject::Add(const std::string& key, std::optional<double> value)
{
    if (!value || !std::isfinite(*value))
    {
        AddJson(key, "null");
        return;
    }
    AddJson(key, FormatNumber(*value));
}

void
JsonObject::Add(const std::string& key, const JsonObject& value)
{
    AddJson(key, value.ToString());
}

void
JsonObject::Add(const std::string& key, const std::vector<std::string>& values)
{
    std::string list;
    for (const auto& value : values)
    {
        list += (list.empty() ? "" : ",") + Quote(value);
    }
    AddJson(key, "[" + list + "]");
}

void
JsonObject::Add(const std::string& key, const std::vector<JsonObject>& values)
{
    std::string list;
    for (const auto& value : values)
    {
        list += (list.empty() ? "" : ",") + value.ToString();
    }
    AddJson(key, "[" + list + "]");
}

std::string
JsonObject::ToString() const
{
    return "{" + m_members + "}";
}

void
JsonObject::AddJson(const std::string& key, const std::string& json)
{
    if (!m_members.empty())
    {
        m_members += ',';
    }
    m_members.append(Quote(key)).append(":").append(json);
}

} // namespace ns3::study
