/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TCP_OPTIONS_H
#define TCP_OPTIONS_H

#include "model/program/parameter-set.h"

#include "ns3/attribute.h"
#include "ns3/tcp-header.h"

#include <cstdint>

namespace ns3::study
{

/// What an Ethernet's 1500 octets leave beside 40 of headers [B].
constexpr uint32_t ETHERNET_MSS = 1460;
/// The largest window that 16 bits announce [B].
constexpr uint32_t LARGEST_UNSCALED_WINDOW = 65535;
/// The largest shift, and what a window can be with it (RFC 7323, 2.3) [B].
constexpr uint32_t LARGEST_SHIFT = 14;
constexpr uint32_t LARGEST_WINDOW = LARGEST_UNSCALED_WINDOW << LARGEST_SHIFT;
/// What timestamps take of every segment: ten octets, and two to align them (RFC 7323, App. A) [B].
constexpr uint32_t TIMESTAMPS_SIZE = 12;

/// The window scale option of an end: a shift from 0 to LARGEST_SHIFT, or one of these.
enum WindowScale : uint8_t
{
    NO_SCALE = LARGEST_SHIFT + 1, //!< the end does not offer the option
    AUTO_SCALE                    //!< the least shift that its window needs, as Linux chooses it
};

/// @return a checker of attributes that hold a WindowScale: none, auto, or the shift
Ptr<const AttributeChecker> MakeWindowScaleChecker();

/// The options that an end offers in its SYN, beside the MSS. Each is used only if both offer it.
struct TcpOffer
{
    WindowScale windowScale{NO_SCALE}; //!< RFC 7323, 2
    bool sack{false};                  //!< RFC 2018
    bool timestamps{false};            //!< RFC 7323, 3
    uint32_t window{0};                //!< what the shift is derived from [B]

    /// @return the shift offered
    uint8_t GetShift() const;
};

/// What a SYN's options ask for, in the order and with the alignment of Linux's.
struct SynOptions
{
    uint16_t mss;     //!< announced [B]
    bool sack;        //!< SACK permitted
    bool timestamps;  //!< with the two that follow
    uint32_t now;     //!< this end's clock
    uint32_t echo;    //!< the peer's
    bool windowScale; //!< with the one that follows
    uint8_t shift;    //!< of this end's windows

    /// Append them to a header.
    void AppendTo(TcpHeader& header) const;
};

/// Refuse windows that the two ends' options cannot announce. The sizes and options of an end are
/// those of its group of parameters.
/// @throw ParameterError if there is one
void CheckWindows(const ParameterSet& parameters, const std::string& one, const std::string& other);

} // namespace ns3::study

#endif /* TCP_OPTIONS_H */
