/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * The packet scripts of scripts/, each a claim; and that the runner sees where an exchange parts.
 */

#include "packet-script.h"
#include "tests/suite.h"

#include <fstream>
#include <set>

using namespace ns3;
using namespace ns3::study;
using namespace ns3::study::tcp;

namespace
{

/// @return the folder of the scripts, from wherever this program was compiled and is run
std::filesystem::path
GetFolder()
{
    const std::filesystem::path beside = std::filesystem::path(__FILE__).parent_path() / "scripts";
    const auto program = std::filesystem::canonical("/proc/self/exe").parent_path();
    return std::filesystem::exists(beside) ? beside : program / beside;
}

/// A script whose exchange is as it says.
class Holds : public Claim
{
  public:
    explicit Holds(const std::filesystem::path& file)
        : Claim(file.stem()),
          m_file(file)
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(RunScript(m_file), "", "parts");
        NS_TEST_EXPECT_MSG_EQ(RunScript(m_file, true), "", "parts where time is shifted");
    }

    std::filesystem::path m_file; //!< the script
};

/// An exchange that parts is told with its line, whatever it is that differs.
class TellsWhere : public Claim
{
    using Claim::Claim;

    /// @return what is told of a script with these lines behind a handshake
    std::string Tell(const std::string& lines)
    {
        const std::filesystem::path file = CreateTempDirFilename("wrong.pkt");
        std::ofstream(file) << "# A sentence.\n+0 connect\n+0 > S 0\n+10ms < S. 0 ack 1 win 8192\n"
                            << "+0 > . 1 ack 1\n"
                            << lines;
        return RunScript(file);
    }

    void DoRun() override
    {
        const std::string lines = "+0 write 100\n+0 > . 1:101 ack 1\n";
        NS_TEST_EXPECT_MSG_EQ(Tell(lines), "", "nothing is wrong");
        for (const auto& [wrong, place] : {
                 std::pair{"+0 write 100\n+0 > . 1:102 ack 1\n", "wrong.pkt:7: "},
                 {"+0 write 100\n+5us > . 1:101 ack 1\n", "wrong.pkt:7: "},
                 {"+0 write 100\n+0 > P. 1:101 ack 1\n", "wrong.pkt:7: "},
                 {"+0 write 100\n+1ms wait\n", "wrong.pkt:7: "},
                 {"+0 write 100\n", "wrong.pkt: after"},
                 {"+0 > . 1 ack 1\n", "wrong.pkt:6: "},
                 {"+0 state CLOSED\n", "wrong.pkt:6: "},
                 {"+0 fly\n", "wrong.pkt:6: "},
                 {"set Wings 2\n", "wrong.pkt:6: "},
                 {"+0 < X 1\n", "wrong.pkt:6: "},
             })
        {
            NS_TEST_EXPECT_MSG_EQ(Tell(wrong).substr(0, std::string(place).size()), place, wrong);
        }
    }
};

/// @return a claim for each script
std::vector<TestCase*>
GetCases()
{
    std::set<std::filesystem::path> files; // in order
    for (const auto& entry : std::filesystem::directory_iterator(GetFolder()))
    {
        files.insert(entry.path());
    }
    std::vector<TestCase*> cases{new TellsWhere("a script tells where its exchange parts")};
    for (const std::filesystem::path& file : files)
    {
        if (file.extension() == ".pkt")
        {
            cases.push_back(new Holds(file));
        }
    }
    return cases;
}

const Suite g_packetScriptsSuite("packet-scripts", GetCases()); //!< registers itself

} // namespace
