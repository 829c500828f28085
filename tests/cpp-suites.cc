/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/*
 * Runs all the suites of this folder, or what ns-3's TestRunner is told to: --list, --suite=NAME,
 * --verbose and its other options apply.
 */

#include "ns3/test.h"

#include <iostream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace
{

/**
 * @param arguments arguments for ns-3's TestRunner
 * @return its exit status
 */
int
Run(std::vector<std::string> arguments)
{
    std::vector<char*> argv;
    for (auto& argument : arguments)
    {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr); // as main()'s own ends
    return ns3::TestRunner::Run(static_cast<int>(arguments.size()), argv.data());
}

/**
 * @param program the name of this program
 * @return the names of all suites, which ns-3 prints but does not return
 */
std::vector<std::string>
ListSuites(const std::string& program)
{
    std::stringstream list;
    std::streambuf* const console = std::cout.rdbuf(list.rdbuf());
    Run({program, "--list"});
    std::cout.rdbuf(console);
    std::vector<std::string> names;
    for (std::string name; list >> name;)
    {
        names.push_back(name);
    }
    return names;
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc > 1)
    {
        return ns3::TestRunner::Run(argc, argv);
    }
    // A process each: ns-3's runner takes one suite, and only once.
    const auto suites = ListSuites(argv[0]);
    bool failed = suites.empty();
    for (const auto& suite : suites)
    {
        std::cout << std::flush;
        const pid_t child = fork();
        if (child == 0)
        {
            return Run({argv[0], "--suite=" + suite, "--verbose"});
        }
        int status = 1;
        failed |= waitpid(child, &status, 0) != child || status != 0;
    }
    return failed ? 1 : 0;
}
