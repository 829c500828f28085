# SPDX-License-Identifier: GPL-2.0-only
"""Python side of the scenario request-reply."""

from study.kit.scenario import Scenario
from study.scenarios.request_reply.checks import CHECKS
from study.scenarios.request_reply.explanation import GUIDE
from study.scenarios.request_reply.explorer import PLAN
from study.scenarios.request_reply.quantities import JUDGES

SCENARIO = Scenario(judges=JUDGES, guide=GUIDE, checks=CHECKS, plan=PLAN)
