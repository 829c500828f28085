# SPDX-License-Identifier: GPL-2.0-only
"""Python side of the scenario print-job."""

from study.kit.scenario import Scenario
from study.scenarios.print_job.checks import CHECKS
from study.scenarios.print_job.explanation import GUIDE
from study.scenarios.print_job.explorer import PLAN
from study.scenarios.print_job.quantities import JUDGES

SCENARIO = Scenario(judges=JUDGES, guide=GUIDE, checks=CHECKS, plan=PLAN)
