/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAR_END_H
#define FAR_END_H

#include "model/ethernet/link.h"
#include "path-direction.h"

namespace ns3::study
{

/// Tell a listener what becomes of the packets of a path where its host does not see it: at the
/// device, in the queues and on the lines.
void WatchFarEndOfPath(Ptr<NetDevice> device,
                       const PathDirection& toDevice,
                       const PathDirection& toHost,
                       const Link::FarEndListener& listener);

} // namespace ns3::study

#endif /* FAR_END_H */
