/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARAMETER_H
#define PARAMETER_H

#include "json-object.h"

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::study
{

/// A value that cannot be used: one sentence on what, given and allowed.
class ParameterError : public std::runtime_error
{
  public:
    /// Begin the sentence with the parameter's flag, unless that is empty.
    ParameterError(const std::string& parameter, const std::string& message);

    std::string parameter; //!< the parameter's flag, or empty
};

/// A parameter of a scenario: an ns-3 attribute, described for everything outside.
///
/// The attribute's help ends with its unit in brackets, "[B]". Command-line flag, TOML key and
/// every other spelling of the name are made here and nowhere else.
struct Parameter
{
    TypeId type;           //!< the type that declares the attribute
    std::string attribute; //!< the attribute, ReceiveWindow
    std::string name;      //!< the same behind the prefix of its group, if that has one
    std::string flag;      //!< on a command line, receive-window
    std::string shortFlag; //!< the same, shorter, for a person: window; or empty
    std::string key;       //!< in files and tables, receive_window
    std::string group;     //!< the part of the scenario it belongs to
    std::string kind;      //!< time, data-rate, integer, real, boolean, choice, queue-size,
                           //!< packet-list or turn-list
    std::string unit;      //!< s, bit/s, B, ...; empty for boolean and choice
    std::string help;      //!< one sentence
    std::string minimum;   //!< smallest value, as one would write it; empty if there is none
    std::string maximum;   //!< largest value
    std::string word;      //!< in the place of a data rate, for no limit; or empty
    std::vector<std::string> choices; //!< the values of a choice
    std::string insteadOf;            //!< flag of the parameter that says the same otherwise
    std::string beyond; //!< behind the refusal of a value above the largest; {twice} is twice that
    Ptr<const AttributeChecker> checker; //!< the attribute's checker
    Ptr<const AttributeValue> initial;   //!< its default

    /// Read a value.
    /// @param given a value as one would write it: 2920, 300kB, 45 ms, 8 Mbit/s, 0.1%, true, lpr
    /// @return the value, checked
    /// @throw ParameterError if it is not such a value or out of range
    Ptr<AttributeValue> Parse(const std::string& given) const;
    /// @return a value in its one canonical spelling, which Parse() reads
    std::string Format(const AttributeValue& value) const;
    /// @return the number that a text is in the smallest unit, as ReadNumber()
    double Read(const std::string& text) const;
    /// Read a value for --canonical.
    /// @return its canonical text; for a number also that in the smallest unit, and the text in the
    ///         largest unit that makes it no longer
    /// @throw ParameterError as Parse()
    JsonObject ToCanonical(const std::string& text) const;
    /// @return this description, for --describe
    JsonObject ToJson() const;
    /// @return what may be given, e.g. "1 to 65535 B"
    std::string GetAllowed() const;

  private:
    /// @return whether it is a fraction of a whole
    bool IsFraction() const;
    /// @return the words that may be given, none for a number
    std::vector<std::string> GetWords() const;
    /// @return what to do about a number that is out of range
    std::string GetWayOut(double number) const;
};

} // namespace ns3::study

#endif /* PARAMETER_H */
