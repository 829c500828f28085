/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRACE_LISTENER_H
#define TRACE_LISTENER_H

#include "ns3/callback.h"
#include "ns3/packet.h"

#include <initializer_list>
#include <string>
#include <type_traits>

namespace ns3::study
{

/// The callback that a function object can be, by the type of its call operator.
template <class Operator>
struct ListenerOf;

template <class Function, class... Arguments>
struct ListenerOf<void (Function::*)(Arguments...) const>
{
    using Type = Callback<void, Arguments...>; //!< the callback
};

/// Call a function object at every event of a trace source. An object without that source has no
/// such events: stock ns-3's sockets lack some that this study's have.
/// @tparam Given the callback's type; without one, that of the function's own arguments
/// @param object an ns3::Object
/// @param source the name of the trace source
/// @param function takes what the trace source tells
template <class Given = void, class Pointer, class Function>
void
Listen(const Pointer& object, const std::string& source, const Function& function)
{
    if constexpr (std::is_void_v<Given>)
    {
        using Listener = typename ListenerOf<decltype(&Function::operator())>::Type;
        object->TraceConnectWithoutContext(source, Listener(function));
    }
    else
    {
        object->TraceConnectWithoutContext(source, Given(function));
    }
}

/// Call a function object at every packet of some trace sources of an object, whatever the packet.
template <class Pointer, class Function>
void
ListenToPackets(const Pointer& object,
                std::initializer_list<const char*> sources,
                const Function& function)
{
    for (const char* source : sources)
    {
        Listen<Callback<void, Ptr<const Packet>>>(
            object,
            source,
            [function](const Ptr<const Packet>&) { function(); });
    }
}

} // namespace ns3::study

#endif /* TRACE_LISTENER_H */
