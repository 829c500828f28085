/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_RELAY_POLICER_H
#define FRAME_RELAY_POLICER_H

#include "model/proof/state-record.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::study
{

/// What a network promises to carry of one direction of a virtual circuit (I.370; Q.933).
///
/// Within any time Tc = Bc/CIR: Bc bits for sure, Be more if there is room. With a CIR of 0 nothing
/// is promised, Bc means nothing, and Tc is Be over the rate of the access line.
struct TrafficContract
{
    DataRate committedRate; //!< CIR
    double committedBurst;  //!< Bc [bit]
    double excessBurst;     //!< Be [bit]
};

/**
 * @brief Holds a circuit to its contract where it enters the network.
 *
 * Two token buckets: Bc bits deep, filled at CIR, and Be bits deep, filled at Be/Tc; both full at
 * first. A frame that the first has tokens for passes; else one that the second has tokens for
 * passes marked DE; any other is dropped and takes nothing. A frame whose sender has marked it DE
 * may take of the second only. The alternative, counting in fixed intervals of Tc, carries the same
 * in the long run, but what it does to a burst depends on where in an interval the burst
 * falls, up to twice Bc across a boundary: one more number that nobody knows. Counted are the bits
 * between address field and frame check sequence, the frame's information field.
 */
class FrameRelayPolicer
{
  public:
    /// Hold a circuit to its contract that enters on a line of this rate.
    FrameRelayPolicer(const TrafficContract& contract, DataRate accessRate);

    /// What becomes of a frame.
    enum class Verdict
    {
        PASS, //!< within Bc
        MARK, //!< within Bc + Be: eligible to be dropped
        DROP  //!< above both
    };

    /// Judge a frame that arrives now, its information field of a size [B], marked DE or not.
    Verdict Judge(uint32_t size, bool eligible);
    /// Add what decides what becomes of the frames to come.
    void Describe(StateRecord& state) const;

  private:
    /// Tokens of one bit that come at a rate, up to a depth.
    struct Bucket
    {
        double depth;  //!< [bit]
        double rate;   //!< [bit/s]
        double tokens; //!< now [bit]
    };

    /// Put in what has come since the last frame.
    void Fill();
    /// Take all the tokens a frame of so many bits needs, or none and return false.
    static bool Take(Bucket& bucket, double bits);

    Bucket m_committed; //!< Bc at CIR
    Bucket m_excess;    //!< Be at Be/Tc
    Time m_filled;      //!< when tokens were last put in
    uint64_t m_over{0}; //!< frames that the first bucket had no tokens for
};

} // namespace ns3::study

#endif /* FRAME_RELAY_POLICER_H */
