/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Memory of small objects: each block is whole and its own, and one that is freed serves again.

#include "tests/suite.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A block and what was written into it.
struct Written
{
    unsigned char* block; //!< its first byte
    std::size_t size_B;   //!< how many there are
    unsigned char mark;   //!< what each of them is
};

/// @return a new block, full of a mark
Written
Write(std::size_t size_B, unsigned char mark)
{
    auto* block = static_cast<unsigned char*>(::operator new(size_B));
    std::memset(block, mark, size_B);
    return {block, size_B, mark};
}

/// Blocks of all sizes, freed with and without their size, among others that stay.
class EachIsWholeTest : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        std::vector<Written> kept;
        for (unsigned turn = 0; turn < 20000; ++turn)
        {
            kept.push_back(Write(turn * 7 % 700, turn % 251));
            if (turn % 3 == 2)
            {
                const Written gone = kept[turn * 31 % kept.size()];
                kept[turn * 31 % kept.size()] = kept.back();
                kept.pop_back();
                turn % 2 ? ::operator delete(gone.block)
                         : ::operator delete(gone.block, gone.size_B);
            }
        }
        for (const Written& each : kept)
        {
            const bool whole =
                std::all_of(each.block, each.block + each.size_B, [&each](unsigned char byte) {
                    return byte == each.mark;
                });
            NS_TEST_ASSERT_MSG_EQ(whole, true, "a block of " << each.size_B << " B has changed");
            ::operator delete(each.block, each.size_B);
        }
        ::operator delete(nullptr, 16);
    }
};

/// A block that is freed, with and without another thread in between.
class ServesAgainTest : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        void* first = ::operator new(40);
        ::operator delete(first, 40);
        void* elsewhere = nullptr;
        std::thread([&elsewhere]() { elsewhere = ::operator new(40); }).join();
        NS_TEST_EXPECT_MSG_NE(elsewhere, first, "another thread has been given it");
        void* larger = ::operator new(60);
        NS_TEST_EXPECT_MSG_NE(larger, first, "it has been given for another size");
        void* again = ::operator new(45);
        NS_TEST_EXPECT_MSG_EQ(again, first, "it has not been given again");
        ::operator delete(elsewhere, 40);
        ::operator delete(larger, 60);
        ::operator delete(again, 45);
    }
};

/// More blocks than a list keeps are freed.
class KeepsSomeTest : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        constexpr std::size_t most = 4096;
        std::vector<void*> made(most + 1000);
        void* again = nullptr;
        std::thread([&]() { // whose lists are empty
            std::generate(made.begin(), made.end(), []() { return ::operator new(40); });
            for (void* each : made)
            {
                ::operator delete(each, 40);
            }
            again = ::operator new(40);
            ::operator delete(again, 40);
        })
            .join();
        NS_TEST_EXPECT_MSG_EQ(again, made[most - 1], "not the last one that was kept");
    }
};

/// @return what can be seen of it: what looks for faults has memory of its own
std::vector<TestCase*>
MakeCases()
{
#ifdef __SANITIZE_ADDRESS__
    return {new EachIsWholeTest(
        "a block keeps what was written, whatever is made and freed beside it")};
#else
    return {
        new EachIsWholeTest("a block keeps what was written, whatever is made and freed beside it"),
        new ServesAgainTest("a block that is freed is the next one of its size, in its thread"),
        new KeepsSomeTest("a list keeps some thousand blocks, and the heap has the others")};
#endif
}

const Suite g_smallBlocksSuite("small-blocks", MakeCases());

} // namespace
