/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_PROGRAM_H
#define SCENARIO_PROGRAM_H

#include "scenario.h"

namespace ns3::study
{

/**
 * @brief The main function of every scenario's program.
 *
 * `--describe` prints the parameters and results as JSON; `--batch` runs one point for each line
 * of standard input; otherwise the flags are one point. Records go to standard output, one JSON
 * object a line. `--system=NAME` starts from the parameters in systems/NAME.args beside the
 * program. A bad value is one line on standard error.
 *
 * @return the exit status: 0, or 2 for input that cannot be used
 */
int RunScenarioProgram(int argc, char* argv[], const Scenario& scenario);

} // namespace ns3::study

#endif /* SCENARIO_PROGRAM_H */
