/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "byte-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::study
{

void
ByteQueue::Append(uint32_t size, Ptr<Packet> octets)
{
    const uint64_t begin = std::exchange(m_end, m_end + size);
    const bool zerosGrow = !octets && !m_pieces.empty() && !m_pieces.back().octets;
    if (zerosGrow)
    {
        m_pieces.back().end = m_end;
    }
    else
    {
        m_pieces.push_back({begin, m_end, octets});
    }
}

void
ByteQueue::Insert(uint64_t begin, Ptr<Packet> octets)
{
    const uint64_t end = begin + octets->GetSize();
    if (m_pieces.empty() || m_pieces.back().end <= begin)
    {
        m_pieces.push_back({begin, end, octets});
        return;
    }
    // Fill the holes between the pieces that are there.
    auto next = m_pieces.begin() + Find(begin);
    for (uint64_t from = begin; from < end;)
    {
        const uint64_t hole = next == m_pieces.end() ? end : std::min(end, next->begin);
        if (from < hole)
        {
            const auto size = static_cast<uint32_t>(hole - from);
            const auto start = static_cast<uint32_t>(from - begin);
            next =
                std::next(m_pieces.insert(next, {from, hole, octets->CreateFragment(start, size)}));
        }
        if (next == m_pieces.end())
        {
            break;
        }
        from = std::max(from, next->end);
        ++next;
    }
}

Ptr<Packet>
ByteQueue::Copy(uint64_t begin, uint32_t size) const
{
    auto piece = m_pieces.begin() + Find(begin);
    Ptr<Packet> copy;
    while (size > 0 && piece != m_pieces.end())
    {
        const auto part = static_cast<uint32_t>(std::min<uint64_t>(size, piece->end - begin));
        const auto start = static_cast<uint32_t>(begin - piece->begin);
        const Ptr<Packet> octets =
            piece->octets ? piece->octets->CreateFragment(start, part) : Create<Packet>(part);
        if (copy)
        {
            copy->AddAtEnd(octets);
        }
        else
        {
            copy = octets;
        }
        begin += part;
        size -= part;
        ++piece;
    }
    return copy ? copy : Create<Packet>();
}

Ptr<Packet>
ByteQueue::Take(uint64_t begin, uint32_t size)
{
    const Piece& first = m_pieces.front();
    const bool whole = first.octets && first.begin == begin && first.end == begin + size;
    const Ptr<Packet> octets = whole ? first.octets : Copy(begin, size);
    DropBefore(begin + size);
    return octets;
}

std::ptrdiff_t
ByteQueue::Find(uint64_t offset) const
{
    const auto ends = [offset](const Piece& piece) { return piece.end <= offset; };
    return std::partition_point(m_pieces.begin(), m_pieces.end(), ends) - m_pieces.begin();
}

void
ByteQueue::DropBefore(uint64_t offset)
{
    while (!m_pieces.empty() && m_pieces.front().end <= offset)
    {
        m_pieces.pop_front();
    }
}

uint64_t
ByteQueue::CountZeros() const
{
    const bool zeros = !m_pieces.empty() && !m_pieces.back().octets;
    return zeros ? m_pieces.back().end - m_pieces.back().begin : 0;
}

void
ByteQueue::DropZeros(uint64_t size)
{
    m_pieces.back().end -= size;
    m_end -= size;
}

} // namespace ns3::study
