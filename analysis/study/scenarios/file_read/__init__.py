# SPDX-License-Identifier: GPL-2.0-only
"""Python side of the scenario file-read."""

from study.kit.scenario import Scenario
from study.scenarios.file_read.checks import CHECKS
from study.scenarios.file_read.explanation import GUIDE
from study.scenarios.file_read.explorer import PLAN
from study.scenarios.file_read.quantities import JUDGES

SCENARIO = Scenario(judges=JUDGES, guide=GUIDE, checks=CHECKS, plan=PLAN)
