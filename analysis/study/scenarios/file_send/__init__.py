# SPDX-License-Identifier: GPL-2.0-only
"""Python side of the scenario file-send."""

from study.kit.scenario import Scenario
from study.scenarios.file_send.checks import CHECKS
from study.scenarios.file_send.explanation import GUIDE
from study.scenarios.file_send.explorer import PLAN
from study.scenarios.file_send.quantities import JUDGES

SCENARIO = Scenario(judges=JUDGES, guide=GUIDE, checks=CHECKS, plan=PLAN)
