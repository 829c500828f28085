/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Memory for small objects, of which a run makes and frees thousands: a block that is freed waits
// for the next object of its size, without a look at the heap. A seventh of a short run's time went
// into malloc() and free().
//
// A block comes from malloc() and can go back to free(): whoever frees one without telling its size
// does so. Each thread has lists of its own, and none is long, so that nothing piles up where one
// thread makes what another one frees.

#include <array>
#include <cstdlib>
#include <new>

// What looks for faults wants to see every block; the WebAssembly module has little memory.
#if !defined __SANITIZE_ADDRESS__ && !defined __EMSCRIPTEN__

namespace
{

constexpr std::size_t STEP_B = 16;
constexpr std::size_t LARGEST_B = 512;
constexpr std::size_t MOST_KEPT = 4096;

/// A block that waits.
struct Block
{
    Block* next; //!< of the same size
};

/// The blocks of one size that wait.
struct Waiting
{
    Block* first;      //!< the one freed last
    std::size_t count; //!< how many there are
};

thread_local std::array<Waiting, LARGEST_B / STEP_B + 1> g_waiting; //!< by size, in steps

} // namespace

void*
operator new(std::size_t size_B)
{
    const std::size_t steps = (size_B + STEP_B - 1) / STEP_B;
    if (steps < g_waiting.size())
    {
        Waiting& waiting = g_waiting[steps];
        if (Block* block = waiting.first)
        {
            waiting.first = block->next;
            --waiting.count;
            return block;
        }
    }
    if (void* made = std::malloc(steps * STEP_B + (steps == 0)))
    {
        return made;
    }
    throw std::bad_alloc();
}

void
operator delete(void* block) noexcept
{
    std::free(block);
}

void
operator delete(void* block, std::size_t size_B) noexcept
{
    const std::size_t steps = (size_B + STEP_B - 1) / STEP_B;
    if (block && steps > 0 && steps < g_waiting.size() && g_waiting[steps].count < MOST_KEPT)
    {
        Waiting& waiting = g_waiting[steps];
        waiting.first = new (block) Block{waiting.first};
        ++waiting.count;
        return;
    }
    std::free(block);
}

#endif
