/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARAMETER_H
#define PARAMETER_H

#include "json-object.h"

#include "ns3/attribute.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

#include <map>
#include <set>
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
    std::string key;       //!< in files and tables, receive_window
    std::string group;     //!< the part of the scenario it belongs to
    std::string kind;      //!< time, data-rate, integer, real, boolean or choice
    std::string unit;      //!< s, bit/s, B, ...; empty for boolean and choice
    std::string help;      //!< one sentence
    std::string minimum;   //!< smallest value, as one would write it; empty if there is none
    std::string maximum;   //!< largest value
    std::vector<std::string> choices;    //!< the values of a choice
    Ptr<const AttributeChecker> checker; //!< the attribute's checker
    Ptr<const AttributeValue> initial;   //!< its default

    /// Read a value.
    /// @param text a value as one would write it: 2920, 117ms, 10Mbps, true, lpr
    /// @return the value, checked
    /// @throw ParameterError if it is not such a value or out of range
    Ptr<AttributeValue> Parse(const std::string& text) const;
    /// @return a value in its one canonical spelling, which Parse() reads
    std::string Format(const AttributeValue& value) const;
    /// @return this description, for --describe
    JsonObject ToJson() const;
    /// @return what may be given, e.g. "1 to 65535 B"
    std::string GetAllowed() const;

  private:
    /// @return the words that may be given, none for a number
    std::vector<std::string> GetWords() const;
};

/// The parameters of a scenario with their values for one run.
class ParameterSet
{
  public:
    /**
     * @brief Take in all attributes that a type itself declares.
     *
     * Where two parts of a scenario are of one type, a prefix tells their parameters apart: Nagle
     * becomes ClientNagle. It takes the place of a leading Host: HostWindow becomes ClientWindow.
     * @param group the part of the scenario they belong to
     * @param type the type
     * @param prefix what their names begin with in this part, or empty
     * @param without attributes that mean nothing in this scenario
     */
    void AddType(const std::string& group,
                 TypeId type,
                 const std::string& prefix = "",
                 const std::set<std::string>& without = {});

    /// Give a parameter a value, or throw ParameterError if that is not allowed or there is none.
    void Set(const std::string& flag, const std::string& text);

    /// @param type a type
    /// @param group the part of the scenario it is for
    /// @return a factory of that type, set to what was given for its and its parents' parameters in
    ///         that part
    ObjectFactory GetFactory(TypeId type, const std::string& group) const;

    /// @return an object made by GetFactory()
    template <typename T>
    Ptr<T> Create(const std::string& group) const
    {
        return GetFactory(T::GetTypeId(), group).template Create<T>();
    }

    /// @return all parameters, in the order of their declaration
    const std::vector<Parameter>& GetParameters() const;
    /// @return every parameter's value, by key
    JsonObject ToJson() const;
    /// @return the sum of all times of these parts of the scenario
    Time SumOfTimes(const std::vector<std::string>& groups) const;
    /// @return its value for the run
    Ptr<const AttributeValue> GetValue(const Parameter& parameter) const;

  private:
    std::vector<Parameter> m_parameters;                 //!< the declarations
    std::map<std::string, Ptr<AttributeValue>> m_values; //!< what was given, by flag
};

} // namespace ns3::study

#endif /* PARAMETER_H */
