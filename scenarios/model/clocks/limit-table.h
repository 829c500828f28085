/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIMIT_TABLE_H
#define LIMIT_TABLE_H

#include "share-clock.h"

#include <string>
#include <vector>

namespace ns3::study
{

/// What there is to say of a limit. Whatever names limits, draws or relieves them reads it, from
/// --describe.
struct LimitEntry
{
    Limit limit;        //!< which one
    std::string key;    //!< in results, receive_window
    std::string words;  //!< what it is a wait for, as a clause
    std::string plain;  //!< the same for a class
    std::string german; //!< and in German
    std::string who;    //!< at whose door it lies
    std::string unseen; //!< a sentence: which capture does not show it, and why; or empty
    std::string colour; //!< in figures
    std::string hatch;  //!< so that neighbours differ on a grey printer, too
    /// What relieves it, the usual first: one or several changes of parameters *together*, with
    /// blanks between.
    ///
    /// A change is `key*4`, `key/4`, `key*other` (so many times its value, or as many times as the
    /// other was), `key=value` or `key>=other` (at least as much); of a list of turns `key/c4` and
    /// `key/s4` shorten the waits of the client or the server. A key that begins with `R.` or `S.`
    /// is the receiver's or the sender's parameter of that name.
    std::vector<std::string> reliefs;
    std::vector<std::string> behind; //!< what else may make the sender wait for it, likewise
};

/// @return the entry of every limit, in the order in which figures draw them
const std::vector<LimitEntry>& GetLimitTable();

/// @return its name in results, e.g. receive_window
std::string LimitName(Limit limit);

} // namespace ns3::study

#endif /* LIMIT_TABLE_H */
