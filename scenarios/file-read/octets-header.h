/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OCTETS_HEADER_H
#define OCTETS_HEADER_H

#include "ns3/header.h"

#include <cstdint>

namespace ns3::study
{

/**
 * @brief What the headers of IPX and NCP have in common: a type, a size, and a place for each
 * field.
 *
 * A packet too short for a header holds none: Packet::RemoveHeader() then gives 0.
 *
 * @tparam T the header, which has a NAME and a SIZE, that of its fixed part [B]
 */
template <class T>
class OctetsHeader : public Header
{
  public:
    /// @return the object TypeId
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

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        if (start.GetRemainingSize() < T::SIZE)
        {
            return 0;
        }
        Read(start);
        return GetSerializedSize();
    }

  private:
    /**
     * @brief Read the fixed part.
     * @param start its first octet, and all of it is there
     */
    virtual void Read(Buffer::Iterator start) = 0;
};

} // namespace ns3::study

#endif /* OCTETS_HEADER_H */
