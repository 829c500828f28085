/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARAMETER_SET_H
#define PARAMETER_SET_H

#include "parameter.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3::study
{

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

    /// Take in the attributes of several types of a part of the scenario, one after the other.
    template <class... Types>
    void AddTypes(const std::string& group, const std::string& prefix = "")
    {
        (AddType(group, Types::GetTypeId(), prefix), ...);
    }

    /// Give a parameter a value, or throw ParameterError if that is not allowed or there is none.
    void Set(const std::string& flag, const std::string& text);
    /// Let two parameters, by their flags, be two ways to say one thing.
    void SetAlternatives(const std::string& flag, const std::string& other);
    /// Before a parameter is given anew: what was said in the other way holds no more.
    void DropAlternative(const std::string& flag);
    /// Say what to do about a value above a parameter's largest; {twice} stands for twice that
    /// value.
    void SetBeyond(const std::string& flag, const std::string& way);
    /// Give a parameter a second, short flag, for the command line of a person: those that have
    /// one come first in a help.
    void SetShort(const std::string& flag, const std::string& name);
    /// @return the parameter of that flag, long or short; null without one
    const Parameter* Find(const std::string& flag) const;
    /// @return what a value is by the parameter of that flag, as Parameter::ToCanonical()
    JsonObject ToCanonical(const std::string& flag, const std::string& text) const;
    /// @return the number that a text is, whatever its range; not-a-number if it is none
    double ReadNumber(const std::string& flag, const std::string& text) const;
    /// @return the keys of those that were given, in a part of the scenario
    std::vector<std::string> GetGiven(const std::string& group) const;

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
    /// @return a parameter's value for the run
    Ptr<const AttributeValue> GetValue(const Parameter& parameter) const;
    /// @return the same in its canonical spelling
    std::string GetText(const Parameter& parameter) const;
    /// @return whether a value was given, be it the default
    bool IsGiven(const Parameter& parameter) const;
    /// @return the sum of all times of these parts of the scenario
    Time SumOfTimes(const std::vector<std::string>& groups) const;

  private:
    /// @return the same, to be changed
    Parameter* Find(const std::string& flag);
    /// @return the parameter of that flag, called as the flag is for what is said of its values
    /// @throw ParameterError without one
    Parameter FindAsTyped(const std::string& flag) const;

    std::vector<Parameter> m_parameters;                 //!< the declarations
    std::map<std::string, Ptr<AttributeValue>> m_values; //!< what was given, by flag
};

} // namespace ns3::study

#endif /* PARAMETER_SET_H */
