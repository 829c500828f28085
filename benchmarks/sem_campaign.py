# SPDX-License-Identifier: GPL-2.0-only
"""Run where sem can be imported: one campaign as sem's documentation makes it."""

import json
import re
import sys

import sem


@sem.utils.output_labels(["duration_s"])
@sem.utils.only_load_some_files(["stdout"])
def duration_s(result):
    return [float(re.search(r"in (\S+) s", result["output"]["stdout"])[1])]


task = json.load(sys.stdin)
campaign = sem.CampaignManager.new(
    task["tree"],
    "stock-transfer",
    task["campaign"],
    runner_type="ParallelRunner",
    check_repo=False,
    skip_configuration=True,
    max_parallel_processes=task["processes"],
)
points = {"size": [task["size"]], "window": task["windows"], "RngRun": [1]}
campaign.run_missing_simulations(points)
frame = campaign.get_results_as_dataframe(duration_s, params=points)
assert len(frame) == len(task["windows"]) and frame.duration_s.notna().all()
