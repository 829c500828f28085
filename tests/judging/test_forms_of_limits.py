# SPDX-License-Identifier: GPL-2.0-only
"""A claim about the closed forms: of each limit that has one, it is right for a tenth of the jobs
that this limit is named of, or it would have to go."""

from collections import defaultdict

from study.answers.on_paper import on_paper
from study.judging.drawn_systems import drawn
from study.kit import paper
from study.trials.jobs import largest

DRAWS = 80  # of the systems of results/named-limits.csv
LEAST = 5  # jobs with a form that tell of it
TENTH = 0.1


def test_a_form_is_right_for_a_tenth_of_the_jobs_of_its_limit(program):
    found = defaultdict(list)
    for each in drawn(DRAWS):
        form = on_paper(each.system.scenario, each.result, each.system.parameters())
        if form.holds is not None:
            is_whole = form.whole_s and paper.holds(form.whole_s, each.result.duration_s)
            limit = each.system.scenario, largest(each.result.limits_s)
            found[limit].append(bool(form.holds or is_whole))
    judged = {limit: right for limit, right in found.items() if len(right) >= LEAST}
    assert {scenario for scenario, _ in judged} >= {"file-read", "file-send", "request-reply"}
    wrong = [limit for limit, right in judged.items() if sum(right) < TENTH * len(right)]
    assert not wrong, wrong
