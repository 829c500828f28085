/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * What every scenario's program says to flags it cannot use.
 */

#include "model/program/scenario-program.h"
#include "model/program/transfer-run.h"
#include "tests/suite.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::study;

namespace
{

/// A scenario that counts its runs, and what its program said.
class Program
{
  public:
    /**
     * @param files what a run of it can leave
     */
    explicit Program(const std::vector<std::string>& files)
    {
        scenario.name = "nothing";
        scenario.files = files;
        scenario.parameters.AddType("job", RunLimits::GetTypeId(), "", {"StallTime"});
        scenario.run = [this](auto&&...) { ++runs; };
    }

    /**
     * @brief Call it.
     * @param flags its arguments
     * @return its exit status
     */
    int Call(std::vector<std::string> flags)
    {
        flags.insert(flags.begin(), scenario.name);
        std::vector<char*> argv;
        for (auto& flag : flags)
        {
            argv.push_back(flag.data());
        }
        argv.push_back(nullptr);
        std::ostringstream out;
        std::ostringstream errors;
        std::streambuf* const console = std::cout.rdbuf(out.rdbuf());
        std::streambuf* const complaints = std::cerr.rdbuf(errors.rdbuf());
        const int status =
            RunScenarioProgram(static_cast<int>(flags.size()), argv.data(), scenario);
        std::cout.rdbuf(console);
        std::cerr.rdbuf(complaints);
        said = out.str() + errors.str();
        return status;
    }

    Scenario scenario; //!< what it runs
    int runs{0};       //!< how often it did
    std::string said;  //!< on standard output and standard error
};

/// A file that no run leaves is refused, instead of ending well without it.
class RefusesOtherFiles : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Program none({});
        NS_TEST_EXPECT_MSG_EQ(none.Call({"--segments=x.csv"}), 2, "status");
        NS_TEST_EXPECT_MSG_EQ(none.said,
                              "segments: no run of nothing leaves such a file; leave it out\n",
                              "sentence");
        NS_TEST_EXPECT_MSG_EQ(none.runs, 0, "runs");
        NS_TEST_EXPECT_MSG_EQ(none.Call({}), 0, "status without files");

        Program some({"pcap", "segments"});
        NS_TEST_EXPECT_MSG_EQ(some.Call({"--wan-pcap=x.pcap"}), 2, "status");
        NS_TEST_EXPECT_MSG_EQ(some.said,
                              "wan-pcap: no run of nothing leaves such a file; give --pcap or "
                              "--segments\n",
                              "sentence");
        NS_TEST_EXPECT_MSG_EQ(some.Call({"--segments=/dev/null"}), 0, "status of one it leaves");
        NS_TEST_EXPECT_MSG_EQ(some.runs, 1, "runs");
        some.Call({"--describe"});
        NS_TEST_EXPECT_MSG_NE(some.said.find(R"("files":["pcap","segments"])"),
                              std::string::npos,
                              "files in " << some.said);
    }
};

/// Parameters are given and left out as a scenario says.
class LeavesParametersOut : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Program program({});
        NS_TEST_EXPECT_MSG_EQ(program.Call({"--time-limit=2s", "--seed=7"}), 0, "status");
        NS_TEST_EXPECT_MSG_EQ(program.Call({"--stall-time=2s"}), 2, "status");
    }
};

/// What the declaration allows, ns-3 takes.
class SeedsAreAllowed : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Program program({});
        const Parameter& seed = program.scenario.parameters.GetParameters().front();
        NS_TEST_ASSERT_MSG_EQ(seed.flag, "seed", "the first parameter");
        for (const auto& end : {seed.minimum, seed.maximum})
        {
            // RngStream would end the process: its second modulus is 2^32 - 22853.
            NS_TEST_EXPECT_MSG_LT(std::stoul(end), 4294944443, "end of the range");
            NS_TEST_EXPECT_MSG_EQ(program.Call({"--seed=" + end}), 0, "status with it");
        }
        NS_TEST_EXPECT_MSG_EQ(program.Call({"--seed=4294944443"}), 2, "status beyond");
        NS_TEST_EXPECT_MSG_EQ(program.said,
                              "seed: 4294944443 is out of range; give 1 to 4294944442\n",
                              "sentence");
    }
};

/// Systems are those of a build: the answer says so.
class NamesTheBuild : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        Program program({});
        NS_TEST_EXPECT_MSG_EQ(program.Call({"--system=nowhere"}), 2, "status");
        const std::string begin =
            "system: there is no 'nowhere' among those of the last ./waf build; give one of: ";
        NS_TEST_EXPECT_MSG_EQ(program.said.substr(0, begin.size()), begin, "sentence");
        const auto folder = std::filesystem::canonical("/proc/self/exe").parent_path();
        const bool built = std::filesystem::exists(folder / "systems"); // not by ./waf sanitize
        const bool listed = program.said.find("hawking-hps1u, ") != std::string::npos;
        NS_TEST_EXPECT_MSG_EQ(listed, built, "the list in " << program.said);
    }
};

/// ns-3's own help writes what is given where its variables are.
class HelpWithValues : public Claim
{
    using Claim::Claim;

    void DoRun() override
    {
        const pid_t child = fork(); // CommandLine ends the process
        if (child == 0)
        {
            std::atexit([]() { _exit(0); }); // what the test runner began is not the child's to end
            Program({}).Call({"--seed=7777777", "--time-limit=1234567890ns", "--PrintFoo"});
            _exit(3);
        }
        int status = 0;
        waitpid(child, &status, 0);
        NS_TEST_EXPECT_MSG_EQ(status, 0, "how the process ended");
    }
};

const Suite g_scenarioProgramSuite(
    "scenario-program",
    {new RefusesOtherFiles("a file that the scenario does not leave is refused before the run"),
     new LeavesParametersOut("an attribute that means nothing in a scenario is no parameter of it"),
     new SeedsAreAllowed(
         "every seed in the declared range is one that ns-3 takes, and no other is"),
     new NamesTheBuild("an unknown system is refused with those of the last build"),
     new HelpWithValues("help beside a value ends well (the sanitizers see where it writes)")});

} // namespace
