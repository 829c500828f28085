/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Segments as packet scripts have them.
 */

#include "packet-script.h"

#include <functional>
#include <map>
#include <regex>
#include <stdexcept>

namespace ns3::study::tcp
{

namespace
{

const std::string LETTERS = "FSRP.U"; //!< of flags, in the order of the header's bits

} // namespace

std::string
ToText(const Segment& segment, const std::string& line)
{
    const auto number = [](auto value) { return " " + std::to_string(value); };
    std::string text;
    for (std::size_t bit = 0; bit < LETTERS.size(); ++bit)
    {
        text += segment.flags >> bit & 1 ? LETTERS.substr(bit, 1) : "";
    }
    text += number(segment.sequence.number);
    text +=
        segment.payload > 0 ? ":" + std::to_string(segment.sequence.number + segment.payload) : "";
    text += segment.Has(ACK) ? " ack" + number(segment.acknowledgment.number) : "";
    text += line.find(" win ") != std::string::npos ? " win" + number(segment.window) : "";
    if (line.find('<') == std::string::npos)
    {
        return text;
    }
    std::string options = segment.mss ? ", mss" + number(*segment.mss) : "";
    options += segment.sackPermitted ? ", sackOK" : "";
    options += segment.timestamps ? ", TS" : "";
    if (line.find("TS ") != std::string::npos && segment.timestamps)
    {
        options += number(segment.timestamps->value) + number(segment.timestamps->echo);
    }
    options += segment.windowScale ? ", wscale" + number(*segment.windowScale) : "";
    options += segment.sack.count > 0 ? ", sack" : "";
    for (const auto& [begin, end] : segment.sack)
    {
        options += number(begin.number) + ":" + std::to_string(end.number);
    }
    return text + " <" + (options.empty() ? "" : options.substr(2)) + ">";
}

Segment
ToSegment(const std::string& text)
{
    static const std::regex word("[^ :,<>]+");
    std::sregex_iterator next(text.begin(), text.end(), word);
    const auto take = [&next]() { return next == std::sregex_iterator() ? "" : (next++)->str(); };
    const auto isNumber = [&next]() {
        return next != std::sregex_iterator() && std::isdigit(next->str()[0]);
    };
    const auto number = [&take]() { return static_cast<uint32_t>(std::stoul(take())); };
    Segment segment;
    for (const char letter : take())
    {
        const std::size_t bit = LETTERS.find(letter);
        if (bit == std::string::npos)
        {
            throw std::invalid_argument("flags are of " + LETTERS);
        }
        segment.flags |= 1 << bit;
    }
    segment.sequence = {number()};
    segment.payload = isNumber() ? number() - segment.sequence.number : 0;
    const std::map<std::string, std::function<void()>> fields{
        {"ack", [&]() { segment.acknowledgment = {number()}; }},
        {"win", [&]() { segment.window = static_cast<uint16_t>(number()); }},
        {"mss", [&]() { segment.mss = static_cast<uint16_t>(number()); }},
        {"wscale", [&]() { segment.windowScale = static_cast<uint8_t>(number()); }},
        {"sackOK", [&]() { segment.sackPermitted = true; }},
        {"TS",
         [&]() {
             const uint32_t value = isNumber() ? number() : 0;
             segment.timestamps = Timestamps{.value = value, .echo = isNumber() ? number() : 0};
         }},
        {"sack", [&]() {
             while (isNumber())
             {
                 segment.sack.Add({.begin = {number()}, .end = {number()}});
             }
         }}};
    for (std::string name = take(); !name.empty(); name = take())
    {
        if (!fields.contains(name))
        {
            throw std::invalid_argument("what is '" + name + "'");
        }
        fields.at(name)();
    }
    return segment;
}

} // namespace ns3::study::tcp
