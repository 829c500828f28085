// SPDX-License-Identifier: GPL-2.0-only
//
// The scenarios' programs in one WebAssembly module: what a shell does for a program, a function
// does here. `./waf browser` says in PROGRAMS which there are.

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#define PROGRAM(name, main) int main(int argc, char* argv[]);
PROGRAMS
#undef PROGRAM

namespace
{

using Main = int (*)(int, char**);

#define PROGRAM(name, main) {name, main},
const std::map<std::string, Main> programs{PROGRAMS};
#undef PROGRAM

/// What a stream writes or reads goes elsewhere for as long as this lives.
class Redirected
{
  public:
    Redirected(std::ios& stream, std::streambuf* buffer)
        : m_stream(stream),
          m_usual(stream.rdbuf(buffer))
    {
    }

    ~Redirected()
    {
        m_stream.rdbuf(m_usual);
        m_stream.clear();
    }

  private:
    std::ios& m_stream;
    std::streambuf* m_usual;
};

} // namespace

/// Run a program.
/// @param program its name
/// @param flags its flags, one a line
/// @param input its standard input
/// @return its exit status in a line, then what it printed; the caller frees it
extern "C" char*
study_run(const char* program, const char* flags, const char* input)
{
    std::vector<std::string> words{program};
    std::istringstream lines(flags);
    for (std::string line; std::getline(lines, line);)
    {
        words.push_back(line);
    }
    std::vector<char*> arguments;
    for (auto& word : words)
    {
        arguments.push_back(word.data());
    }
    const int count = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    std::istringstream in(input);
    std::ostringstream out;
    int status = 2;
    {
        const Redirected stdIn(std::cin, in.rdbuf());
        const Redirected stdOut(std::cout, out.rdbuf());
        const auto found = programs.find(program);
        if (found == programs.end())
        {
            std::cerr << "there is no program '" << program << "' in this module\n";
        }
        else
        {
            status = found->second(count, arguments.data());
        }
    }
    const std::string answer = std::to_string(status) + '\n' + out.str();
    return strdup(answer.c_str());
}
