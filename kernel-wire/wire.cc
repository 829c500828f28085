// SPDX-License-Identifier: GPL-2.0-only
//
// A wire in user space: carries packets of IPv4, and TCP over IPv6, between two descriptors, each
// the inner side of a TUN interface, with a rate, a delay, a queue and a list of losses each way.
// The kernel at both ends knows nothing of it.
//
//     host A  --TUN--  [queue] --rate--> ... delay ...  --TUN--  host B
//     host A  --TUN--  ... delay ... <--rate-- [queue]  --TUN--  host B
//
//     wire --a=3 --b=4 --a-rate=10000000 --a-delay=20000000 --a-queue=100 --a-lose=5,9 ...
//
// "a" is the way from the first descriptor to the second, "b" the one back. Rates are in bit/s,
// delays in ns; 0 is none, and for a queue no bound. With --offload=1 both interfaces have
// IFF_VNET_HDR, and what a host hands down in one piece is cut here. It writes a line to standard
// output when it carries, and ends when standard input does, with the packets it saw in --capture.

#include "direction.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <map>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>

namespace
{

// A sleep ends late by some tens of microseconds; what is due sooner is waited for awake.
constexpr Instant AWAKE = 100'000;

using Flags = std::map<std::string, std::string>;

Flags
ReadFlags(int argc, char** argv)
{
    Flags flags{{"capture", ""}, {"framing", "0"}, {"offload", "0"}, {"a", ""}, {"b", ""}};
    for (const char* way : {"a-", "b-"})
    {
        for (const char* key : {"rate", "delay", "queue"})
        {
            flags[std::string(way) + key] = "0";
        }
        flags[std::string(way) + "lose"] = "";
    }
    for (int i = 1; i < argc; ++i)
    {
        const std::string flag = argv[i];
        const size_t equals = flag.find('=');
        const bool isFlag = flag.starts_with("--") && equals != std::string::npos;
        const std::string key = isFlag ? flag.substr(2, equals - 2) : "";
        if (!flags.contains(key))
        {
            throw std::invalid_argument(flag + " is no flag of the wire: --KEY=VALUE");
        }
        flags[key] = flag.substr(equals + 1);
    }
    return flags;
}

double
Number(const Flags& flags, const std::string& key)
{
    const std::string& text = flags.at(key);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !(value >= 0))
    {
        throw std::invalid_argument("--" + key + "=" + text + " is no number from 0");
    }
    return value;
}

std::set<uint64_t>
Numbers(const Flags& flags, const std::string& key)
{
    std::set<uint64_t> found;
    const std::string& text = flags.at(key);
    for (size_t begin = 0; begin < text.size();)
    {
        const size_t end = std::min(text.find(',', begin), text.size());
        const std::string number = text.substr(begin, end - begin);
        if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
        {
            throw std::invalid_argument("--" + key + "=" + text + " is no list of packet numbers");
        }
        found.insert(std::stoull(number));
        begin = end + 1;
    }
    return found;
}

Direction
MakeDirection(const Flags& flags, const std::string& way, int from, int to)
{
    Line line;
    line.rate = Number(flags, way + "-rate");
    line.delay = static_cast<Instant>(Number(flags, way + "-delay"));
    line.queuePackets = static_cast<size_t>(Number(flags, way + "-queue"));
    line.framing = static_cast<size_t>(Number(flags, "framing"));
    line.losses = Numbers(flags, way + "-lose");
    fcntl(from, F_SETFL, fcntl(from, F_GETFL) | O_NONBLOCK);
    return Direction(from, to, std::move(line), Number(flags, "offload") > 0);
}

/// Sleep until a packet comes, one is nearly due, or standard input ends.
/// \return whether to go on
bool
Wait(const Direction& there, const Direction& back)
{
    const Instant due = std::min(there.NextDue(), back.NextDue());
    const Instant left = due == NEVER ? NEVER : std::max<Instant>(0, due - Now() - AWAKE);
    const timespec time{left / 1'000'000'000, left % 1'000'000'000};
    pollfd ready[] = {{there.From(), POLLIN, 0},
                      {back.From(), POLLIN, 0},
                      {STDIN_FILENO, POLLIN, 0}};
    ppoll(ready, 3, due == NEVER ? nullptr : &time, nullptr);
    char octet;
    return !(ready[2].revents && read(STDIN_FILENO, &octet, 1) <= 0);
}

void
Carry(Direction& there, Direction& back)
{
    prctl(PR_SET_TIMERSLACK, 1);
    std::cout << "carries" << std::endl;
    while (Wait(there, back))
    {
        // One packet at a time, so that what a host answers to it is seen before the next.
        bool isBusy = true;
        while (isBusy)
        {
            const bool came = there.Take() | back.Take();
            isBusy = came || there.HandOver() || back.HandOver() ||
                     std::min(there.NextDue(), back.NextDue()) - AWAKE < Now();
        }
    }
    while (there.Take() | back.Take())
    {
        // What came before the end is in the capture.
    }
}

void
WriteCapture(const std::string& file, const Direction& there, const Direction& back)
{
    const Instant start = std::min(there.First(), back.First());
    std::string text = "way,number,fate,entered_ns,due_ns,handed_over_ns,size_B,headers\n";
    there.Write("a", start, text);
    back.Write("b", start, text);
    std::ofstream out(file);
    out << text;
    if (!out.flush())
    {
        throw std::runtime_error(file + " cannot be written");
    }
}

} // namespace

int
main(int argc, char** argv)
{
    try
    {
        const Flags flags = ReadFlags(argc, argv);
        const int a = static_cast<int>(Number(flags, "a"));
        const int b = static_cast<int>(Number(flags, "b"));
        Direction there = MakeDirection(flags, "a", a, b);
        Direction back = MakeDirection(flags, "b", b, a);
        Carry(there, back);
        if (!flags.at("capture").empty())
        {
            WriteCapture(flags.at("capture"), there, back);
        }
        return 0;
    }
    catch (const std::exception& error)
    {
        std::cerr << "wire: " << error.what() << std::endl;
        return 2;
    }
}
