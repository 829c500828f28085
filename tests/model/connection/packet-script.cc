/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-script.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ns3::study::tcp
{

namespace
{

/// @return a text without blanks at its ends
std::string
Trim(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    const std::size_t end = text.find_last_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// @return a number. @throw std::invalid_argument if there is none
uint32_t
ToNumber(const std::string& text)
{
    return static_cast<uint32_t>(std::stoul(text));
}

} // namespace

PacketScript::PacketScript(const std::filesystem::path& file)
    : m_name(file.filename())
{
    Read(file, true);
    if (m_claim.empty())
    {
        throw std::invalid_argument(m_name + ":1: it begins with no sentence behind a #");
    }
}

const std::string&
PacketScript::GetClaim() const
{
    return m_claim;
}

void
PacketScript::Read(const std::filesystem::path& file, bool isScript)
{
    std::ifstream input(file);
    int number = 0;
    bool sentence = isScript;
    for (std::string text; std::getline(input, text);)
    {
        ++number;
        try
        {
            const std::size_t comment = text.find('#');
            if (sentence && comment == 0)
            {
                m_claim += (m_claim.empty() ? "" : " ") + Trim(text.substr(1));
                continue;
            }
            sentence = false;
            const std::string code = Trim(text.substr(0, comment));
            std::istringstream words(code);
            std::string first;
            std::string name;
            std::string value;
            words >> first >> name >> value;
            if (first == "use")
            {
                Read(file.parent_path() / (name + ".settings"), false);
            }
            else if (first == "set" && name == "Reads")
            {
                m_reads = value == "all";
            }
            else if (first == "set" && name == "Push")
            {
                m_push = value != "any";
            }
            else if (first == "set" && name == "Tolerance")
            {
                m_tolerance = ToNanos(value);
            }
            else if (first == "set")
            {
                SetByName(m_settings, name, value);
            }
            else if (!code.empty())
            {
                ReadLine(code, number);
            }
        }
        catch (const std::logic_error& error) // what std::stod and its like throw, too
        {
            const std::string place =
                file.filename().string() + ":" + std::to_string(number) + ": ";
            throw std::invalid_argument(place + "'" + text + "' cannot be read: " + error.what());
        }
    }
    if (number == 0)
    {
        throw std::invalid_argument(file.string() + ": no such file");
    }
}

void
PacketScript::ReadLine(const std::string& text, int number)
{
    std::istringstream words(text);
    std::string time;
    Line line{.number = number};
    words >> time >> line.word;
    if (time[0] != '+')
    {
        throw std::invalid_argument("a line of an exchange begins with +TIME");
    }
    line.after = ToNanos(time.substr(1));
    line.text = Trim(text.substr(time.size()));
    if (line.word == "<" || line.word == ">")
    {
        ReadSegment(words, line);
    }
    else
    {
        words >> line.object;
    }
    m_lines.push_back(line);
}

void
PacketScript::ReadSegment(std::istream& text, Line& line)
{
    static const std::string letters = "FSRP.U"; // in the order of the header's bits
    std::string word;
    text >> word;
    for (const char letter : word)
    {
        const std::size_t bit = letters.find(letter);
        if (bit == std::string::npos)
        {
            throw std::invalid_argument("flags are of " + letters);
        }
        line.segment.flags |= 1 << bit;
    }
    text >> word;
    const std::size_t colon = word.find(':');
    line.segment.sequence = {ToNumber(word)};
    if (colon != std::string::npos)
    {
        line.segment.payload = ToNumber(word.substr(colon + 1)) - line.segment.sequence.number;
    }
    while (text >> word)
    {
        if (word == "ack")
        {
            text >> word;
            line.segment.acknowledgment = {ToNumber(word)};
        }
        else if (word == "win")
        {
            text >> word;
            line.window = true;
            line.segment.window = static_cast<uint16_t>(ToNumber(word));
        }
        else if (word[0] == '<')
        {
            std::string rest;
            std::getline(text, rest, '>');
            line.options = true;
            ReadOptions(word.substr(1) + rest, line.segment);
        }
        else
        {
            throw std::invalid_argument("what is '" + word + "'");
        }
    }
}

void
PacketScript::ReadOptions(const std::string& text, Segment& segment)
{
    std::string options = text.substr(0, text.find('>'));
    std::istringstream list(options);
    for (std::string option; std::getline(list, option, ',');)
    {
        std::istringstream words(option);
        std::string name;
        std::string value;
        words >> name >> value;
        if (name == "mss")
        {
            segment.mss = static_cast<uint16_t>(ToNumber(value));
        }
        else if (name == "wscale")
        {
            segment.windowScale = static_cast<uint8_t>(ToNumber(value));
        }
        else if (name == "sackOK")
        {
            segment.sackPermitted = true;
        }
        else if (name == "TS")
        {
            segment.timestamps = Timestamps{};
        }
        else if (name == "sack")
        {
            do
            {
                const std::size_t colon = value.find(':');
                segment.sack.Add({{ToNumber(value)}, {ToNumber(value.substr(colon + 1))}});
            } while (words >> value);
        }
        else
        {
            throw std::invalid_argument("options are mss, wscale, sackOK, TS and sack");
        }
    }
}

} // namespace ns3::study::tcp
