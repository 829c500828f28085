/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What every class of the study's must bear, whoever uses it.
 */

#include "tests/suite.h"

#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <vector>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// @return the study's types that objects can be made of
std::vector<TypeId>
TypesOfTheStudy()
{
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetGroupName() == "Study" && type.HasConstructor() &&
            type.IsChildOf(Object::GetTypeId()))
        {
            types.push_back(type);
        }
    }
    return types;
}

/// An object that nothing was set up for goes as it came.
class UnusedIsDisposedOf : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const auto types = TypesOfTheStudy();
        NS_TEST_ASSERT_MSG_GT(types.size(), 10, "types of the study");
        for (const TypeId& type : types)
        {
            Ptr<Object> object = ObjectFactory(type.GetName()).Create();
            object->Dispose();
            object = nullptr;
        }
        Simulator::Destroy();
    }
};

/// What an attribute says it begins with can be set.
class InitialValuesCanBeSet : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        for (const TypeId& type : TypesOfTheStudy())
        {
            Ptr<Object> object = ObjectFactory(type.GetName()).Create();
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const TypeId::AttributeInformation attribute = type.GetAttribute(i);
                const bool settable =
                    (attribute.flags & TypeId::ATTR_SET) && attribute.accessor->HasSetter() &&
                    attribute.checker->GetValueTypeName() != "ns3::PointerValue"; // none is empty
                NS_TEST_EXPECT_MSG_EQ(
                    (!settable ||
                     object->SetAttributeFailSafe(attribute.name, *attribute.initialValue)),
                    true,
                    type.GetName() << "::" << attribute.name);
            }
            object->Dispose();
        }
        Simulator::Destroy();
    }
};

const Suite g_everyTypeSuite(
    "every-type",
    {new UnusedIsDisposedOf("an object of every type can be disposed of, nothing configured"),
     new InitialValuesCanBeSet("every attribute of every type takes the value it begins with")});

} // namespace
