/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "byte-queue.h"

#include <algorithm>

namespace ns3::study
{

void
ByteQueue::Append(Ptr<Packet> octets)
{
    m_pieces.push_back({m_end, octets});
    m_end = m_pieces.back().End();
}

void
ByteQueue::Insert(uint64_t begin, Ptr<Packet> octets)
{
    const uint64_t end = begin + octets->GetSize();
    if (m_pieces.empty() || m_pieces.back().End() <= begin)
    {
        m_pieces.push_back({begin, octets});
        return;
    }
    // Fill the holes between the pieces that are there.
    auto next = std::partition_point(m_pieces.begin(), m_pieces.end(), [begin](const Piece& piece) {
        return piece.End() <= begin;
    });
    for (uint64_t from = begin; from < end;)
    {
        const uint64_t hole = next == m_pieces.end() ? end : std::min(end, next->begin);
        if (from < hole)
        {
            const auto size = static_cast<uint32_t>(hole - from);
            const auto start = static_cast<uint32_t>(from - begin);
            next = std::next(m_pieces.insert(next, {from, octets->CreateFragment(start, size)}));
        }
        if (next == m_pieces.end())
        {
            break;
        }
        from = std::max(from, next->End());
        ++next;
    }
}

Ptr<Packet>
ByteQueue::Copy(uint64_t begin, uint32_t size) const
{
    auto piece = std::partition_point(m_pieces.begin(), m_pieces.end(), [begin](const Piece& each) {
        return each.End() <= begin;
    });
    Ptr<Packet> copy;
    while (size > 0 && piece != m_pieces.end())
    {
        const auto start = static_cast<uint32_t>(begin - piece->begin);
        const uint32_t part = std::min(size, piece->octets->GetSize() - start);
        const Ptr<Packet> octets = piece->octets->CreateFragment(start, part);
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
    const bool whole = first.begin == begin && first.octets->GetSize() == size;
    const Ptr<Packet> octets = whole ? first.octets : Copy(begin, size);
    DropBefore(begin + size);
    return octets;
}

void
ByteQueue::DropBefore(uint64_t offset)
{
    while (!m_pieces.empty() && m_pieces.front().End() <= offset)
    {
        m_pieces.pop_front();
    }
}

} // namespace ns3::study
