/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Every byte arrives: under loss in either direction, with each congestion control, through windows
 * of many sizes. The scripts every-octet-* and window-of-one-octet show extreme ones.
 */

#include "tcp-pair.h"
#include "tests/suite.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::study;

namespace
{

/// 200 seeds a rate and direction: every job ends with every byte, and both ends learn of the end.
class EveryByteArrives : public TestCase
{
  public:
    EveryByteArrives(const std::string& direction, double rate)
        : TestCase(direction + "=" + std::to_string(rate) + ": every byte arrives, 200 seeds"),
          m_direction(direction),
          m_rate(rate)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 200; ++seed)
        {
            RngSeedManager::SetSeed(seed);
            const uint32_t window = 512 * (1 + seed % 12);
            ObjectFactory device("ns3::study::DeviceTcp", "ReceiveWindow", UintegerValue(window));
            device.Set("AckLatency", StringValue(seed % 2 ? "1ms" : "117ms"));
            device.Set("DeviceSack", BooleanValue(true));
            ObjectFactory host("ns3::study::HostTcp", "Nagle", BooleanValue(seed % 3 == 0));
            const std::vector<std::string> controls{"newreno", "reno", "cubic", "bbr"};
            host.Set("CongestionControl", StringValue(controls[seed % controls.size()]));
            host.Set("HostSack", BooleanValue(seed % 8 < 4));
            ObjectFactory link("ns3::study::EthernetLink", m_direction, DoubleValue(m_rate));
            TcpPair pair(host, device, link);
            constexpr uint64_t size = 30000;
            pair.Write(size, true);
            pair.RunUntil(Hours(1));
            NS_TEST_EXPECT_MSG_EQ(pair.received, size, "bytes read with seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(pair.deviceClosed, true, "FIN arrived with seed " << seed);
        }
        RngSeedManager::SetSeed(1);
    }

    std::string m_direction; //!< the link's attribute that loses
    double m_rate;           //!< the fraction of frames lost
};

const Suite g_robustnessSuite("robustness",
                              {new EveryByteArrives("LossToDevice", 0.01),
                               new EveryByteArrives("LossToDevice", 0.10),
                               new EveryByteArrives("LossToHost", 0.01),
                               new EveryByteArrives("LossToHost", 0.10)}); //!< registers

} // namespace
