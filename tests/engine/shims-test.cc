/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What Emscripten's library lacks is what this machine's has, to the character: a record made in a
 * browser would differ in a digit.
 */

#include "tests/suite.h"
#include "webassembly/shims.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return the text of a number, as a library writes it
template <class Write>
std::string
Written(Write write, double number)
{
    std::array<char, 32> text;
    return {text.data(), write(text.data(), text.data() + text.size(), number).ptr};
}

/// @return what a library reads of a text: the number's bits, how far it read, and its error
template <class Read>
std::string
ReadOf(Read read, const std::string& text)
{
    double number = -1;
    const auto [end, error] = read(text.data(), text.data() + text.size(), number);
    return std::to_string(std::bit_cast<uint64_t>(number)) + " " +
           std::to_string(end - text.data()) + " " + std::to_string(static_cast<int>(error));
}

const auto ours = [](char* first, char* last, double number) {
    return ::study::shims::to_chars(first, last, number);
};
const auto theirs = [](char* first, char* last, double number) {
    return std::to_chars(first, last, number);
};
const auto oursRead = [](const char* first, const char* last, double& number) {
    return ::study::shims::from_chars(first, last, number);
};
const auto theirsRead = [](const char* first, const char* last, double& number) {
    return std::from_chars(first, last, number);
};

/// Numbers of every size, and those beside a power of two, where the shortest digits are not the
/// nearest.
class NumbersAreWrittenAlike : public Claim
{
  public:
    NumbersAreWrittenAlike()
        : Claim("a number is written with the same digits, and read back")
    {
    }

  private:
    void Check(double number)
    {
        const std::string text = Written(theirs, number);
        NS_TEST_EXPECT_MSG_EQ(Written(ours, number), text, "written");
        NS_TEST_EXPECT_MSG_EQ(ReadOf(oursRead, text), ReadOf(theirsRead, text), "read " << text);
    }

    void DoRun() override
    {
        std::mt19937_64 random(1);
        for (int i = 0; i < 5000; ++i)
        {
            const uint64_t bits = random();
            if (const auto any = std::bit_cast<double>(bits); std::isfinite(any))
            {
                Check(any);
            }
            Check(static_cast<double>(bits >> (bits % 60)));
            Check(static_cast<double>(bits % 2000000) / 1000);
            Check(static_cast<double>(bits % 200000) / static_cast<double>(1 + (bits >> 40)));
        }
        for (int exponent = -1074; exponent < 1024; ++exponent)
        {
            Check(std::ldexp(1, exponent));
            Check(std::nextafter(std::ldexp(1, exponent), 0));
        }
    }
};

/// What a user may type.
class TextsAreReadAlike : public Claim
{
  public:
    TextsAreReadAlike()
        : Claim("a text is read as far, and refused alike")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string text :
             {"0x10",  "1e5",  "1e",     ".5",       "5.",  ".",    " 1",    "+1",    "-1",
              "-",     "--1",  "1e400",  "1e-400",   "inf", "nan",  "1e+5",  "1E5",   "1.5ms",
              "117ms", "5p",   "1e-310", "infinity", "-0",  "0012", "1..2",  "e5",    "0x",
              "-0x1",  "nanx", "info",   "-inf",     "abc", "",     "1_000", "0e-400"})
        {
            NS_TEST_EXPECT_MSG_EQ(ReadOf(oursRead, text), ReadOf(theirsRead, text), text);
        }
    }
};

/// Addresses of ns-3 3.45 and later are kept in maps by it.
class ArraysAreInOneOrder : public Claim
{
  public:
    ArraysAreInOneOrder()
        : Claim("two arrays come in the order that this machine's library gives them")
    {
    }

  private:
    void DoRun() override
    {
        using Bytes = std::array<uint8_t, 3>;
        const Bytes all[] = {{0, 0, 0}, {0, 0, 1}, {0, 255, 0}, {1, 0, 0}, {255, 255, 255}};
        for (const Bytes& one : all)
        {
            for (const Bytes& other : all)
            {
                const bool alike = ::study::shims::order(one, other) == (one <=> other);
                NS_TEST_EXPECT_MSG_EQ(alike, true, int(one[1]) << " against " << int(other[1]));
            }
        }
        const std::array<double, 1> number{1.0};
        const std::array<double, 1> none{std::nan("")};
        const bool isNeither =
            ::study::shims::order(number, none) == std::partial_ordering::unordered;
        NS_TEST_EXPECT_MSG_EQ(isNeither, true, "what is no number has no place");
    }
};

Suite g_suite("browser-shims",
              {new NumbersAreWrittenAlike, new TextsAreReadAlike, new ArraysAreInOneOrder});

} // namespace
