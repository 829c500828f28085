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
constexpr std::size_t SIZES = LARGEST_B / STEP_B;
constexpr std::size_t MOST_KEPT = 4096;

/// A block that waits.
struct Block
{
    Block* next;       //!< of the same size
    std::size_t count; //!< how many wait in the list from this one on, itself included
};

static_assert(sizeof(Block) <= STEP_B);

thread_local std::array<Block*, SIZES> g_waiting; //!< by size, in steps: the one freed last

/// @return the place of a size's list; that of size 0 is beyond the last
constexpr std::size_t
GetPlace(std::size_t size_B)
{
    return (size_B - 1) / STEP_B;
}

} // namespace

void*
operator new(std::size_t size_B)
{
    const std::size_t place = GetPlace(size_B);
    if (place < SIZES)
    {
        if (Block* block = g_waiting[place])
        {
            g_waiting[place] = block->next;
            return block;
        }
    }
    if (void* made = std::malloc(place < SIZES ? (place + 1) * STEP_B : size_B + (size_B == 0)))
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
    const std::size_t place = GetPlace(size_B);
    if (block && place < SIZES)
    {
        Block* const next = g_waiting[place];
        const std::size_t count = next ? next->count : 0;
        if (count < MOST_KEPT)
        {
            g_waiting[place] = new (block) Block{next, count + 1};
            return;
        }
    }
    std::free(block);
}

#endif
