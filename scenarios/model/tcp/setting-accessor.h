/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SETTING_ACCESSOR_H
#define SETTING_ACCESSOR_H

#include "model/connection/nanos.h"

#include "ns3/attribute.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <type_traits>

namespace ns3::study
{

/// The attribute value that holds a setting.
template <typename T>
using ValueOf = std::conditional_t<
    std::is_same_v<T, Nanos>,
    TimeValue,
    std::conditional_t<
        std::is_same_v<T, bool>,
        BooleanValue,
        std::conditional_t<std::is_same_v<T, double>,
                           DoubleValue,
                           std::conditional_t<std::is_enum_v<T>, EnumValue<T>, UintegerValue>>>>;

/// Lets an attribute of an end be a setting of its connections.
/// @tparam End has m_settings, @tparam Find returns one of them, @tparam Value holds it
template <typename End, typename Find, typename Value>
class SettingAccessor : public AttributeAccessor
{
  public:
    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto* const end = dynamic_cast<End*>(object);
        const auto* const given = dynamic_cast<const Value*>(&value);
        if (!end || !given)
        {
            return false;
        }
        auto& setting = Find()(end->m_settings);
        if constexpr (std::is_same_v<Value, TimeValue>)
        {
            setting = Nanos(given->Get().GetNanoSeconds());
        }
        else
        {
            setting = static_cast<std::decay_t<decltype(setting)>>(given->Get());
        }
        return true;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto* const end = dynamic_cast<const End*>(object);
        auto* const told = dynamic_cast<Value*>(&value);
        if (!end || !told)
        {
            return false;
        }
        const auto& setting = Find()(end->m_settings);
        if constexpr (std::is_same_v<Value, TimeValue>)
        {
            told->Set(NanoSeconds(setting.count()));
        }
        else
        {
            told->Set(setting);
        }
        return true;
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }
};

/// @tparam Value void for the usual one. @return an accessor of what a function finds
template <typename End, typename Value, typename Find>
Ptr<const AttributeAccessor>
MakeSettingAccessor(Find)
{
    using Setting = std::decay_t<decltype(Find()(std::declval<End&>().m_settings))>;
    using Holder = std::conditional_t<std::is_void_v<Value>, ValueOf<Setting>, Value>;
    return Create<SettingAccessor<End, Find, Holder>>();
}

/// The accessor of an attribute that is one of tcp::ConnectionSettings.
#define SETTING(path)                                                                              \
    MakeSettingAccessor<TcpEnd, void>([](auto& settings) -> auto& { return settings.path; })
/// The initial value, accessor and checker of one that is a count or a size from least to most,
#define NUMBER_SETTING(path, initial, least, most)                                                 \
    UintegerValue(initial), SETTING(path), MakeUintegerChecker<uint32_t>(least, most)
/// an interval from least to most,
#define TIME_SETTING(path, initial, least, most)                                                   \
    TimeValue(initial), SETTING(path), MakeTimeChecker(least, most)
/// on or off,
#define SWITCH_SETTING(path, initial) BooleanValue(initial), SETTING(path), MakeBooleanChecker()
/// on or off, under names of which the first means off,
#define NAMED_SETTING(path, off, on)                                                               \
    EnumValue(false), MakeSettingAccessor<TcpEnd, EnumValue<bool>>([](auto& settings) -> auto& {   \
        return settings.path;                                                                      \
    }),                                                                                            \
        MakeEnumChecker(false, off, true, on)
/// or one of several rules, each with its name.
#define CHOICE_SETTING(path, initial, ...)                                                         \
    EnumValue(initial), SETTING(path), MakeEnumChecker(initial, __VA_ARGS__)

} // namespace ns3::study

#endif /* SETTING_ACCESSOR_H */
