/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OCTETS_HEADER_H
#define OCTETS_HEADER_H

#include "ns3/header.h"
#include "ns3/mac48-address.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <span>

namespace ns3::study
{

/// A place in a header's octets that all its fields pass in turn, either to be written there
///        or to be read.
class OctetCursor
{
  public:
    /// @param start the first octet
    /// @param reads false to write the fields
    OctetCursor(Buffer::Iterator start, bool reads)
        : m_place(start),
          m_reads(reads)
    {
    }

    /// Pass a number of as many octets as its type has.
    template <std::unsigned_integral N>
    void Pass(N& number, std::endian order = std::endian::big)
    {
        auto octets = std::bit_cast<std::array<uint8_t, sizeof(N)>>(number);
        const auto turn = [&]() {
            if (order != std::endian::native)
            {
                std::reverse(octets.begin(), octets.end());
            }
        };
        turn();
        PassOctets(octets);
        turn();
        number = std::bit_cast<N>(octets);
    }

    /// Pass a number that is always the same, and passed over when read.
    template <std::unsigned_integral N>
    void PassConstant(N number, std::endian order = std::endian::big)
    {
        Pass(number, order);
    }

    /// Pass the address of an interface.
    void Pass(Mac48Address& address)
    {
        std::array<uint8_t, 6> octets;
        address.CopyTo(octets.data());
        PassOctets(octets);
        address.CopyFrom(octets.data());
    }

    /// @return true if more was to be read than is there; it was left as it was
    bool HasOverrun() const
    {
        return m_overrun;
    }

  private:
    /// Write octets, or replace them by what is there.
    void PassOctets(std::span<uint8_t> octets)
    {
        m_overrun |= m_place.GetRemainingSize() < octets.size();
        if (!m_reads)
        {
            m_place.Write(octets.data(), octets.size());
        }
        else if (!m_overrun)
        {
            m_place.Read(octets.data(), octets.size());
        }
    }

    Buffer::Iterator m_place; //!< of the next field
    bool m_reads;             //!< fields are read, not written
    bool m_overrun{false};    //!< a field to be read was not there
};

/**
 * @brief What this study's headers have in common: a type, a size, and a place for each field.
 *
 * A packet too short for a header holds none: Packet::RemoveHeader() then gives 0.
 *
 * @tparam T the header, which has a NAME, a SIZE, that of its fixed part [B], and a Pass() that
 *         lets all its fields pass an OctetCursor
 */
template <class T>
class OctetsHeader : public Header
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId(T::NAME).SetParent<Header>().SetGroupName("Study").template AddConstructor<T>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return T::SIZE;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        OctetCursor octets(start, false);
        T(static_cast<const T&>(*this)).Pass(octets);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        if (start.GetRemainingSize() < T::SIZE)
        {
            return 0;
        }
        OctetCursor octets(start, true);
        static_cast<T&>(*this).Pass(octets);
        return octets.HasOverrun() ? 0 : GetSerializedSize();
    }
};

} // namespace ns3::study

#endif /* OCTETS_HEADER_H */
