/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link.h"

namespace ns3::study
{

NS_OBJECT_ENSURE_REGISTERED(Link);

TypeId
Link::GetTypeId()
{
    static TypeId tid = TypeId("ns3::study::Link").SetParent<Object>().SetGroupName("Study");
    return tid;
}

} // namespace ns3::study
