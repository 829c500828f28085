# SPDX-License-Identifier: GPL-2.0-only
"""The words for a program that failed."""

import pytest
from study.programs.run import cause_of_death

NS3_ENDS = """msg="invalid Seed 4294944443", +0.000000000s -1 file=rng-stream.cc, line=371
NS_FATAL, terminating
terminate called without an active exception
"""
ASSERT = """NS_ASSERT failed, cond="m_ptr", msg="Attempted to dereference zero pointer", file=ptr.h
NS_FATAL, terminating
terminate called without an active exception
"""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (NS3_ENDS, "invalid Seed 4294944443"),
        (ASSERT, "Attempted to dereference zero pointer"),
        ("one\n two \n\n", "two"),
    ],
)
def test_a_program_that_ended_in_ns3_is_quoted_with_ns3s_own_sentence(said, words):
    assert cause_of_death("print-job", -6, said) == (
        f"build/print-job was killed by signal 6 ({words})"
    )


def test_a_program_that_said_nothing_is_not_quoted():
    assert cause_of_death("print-job", 3, "") == "build/print-job failed with status 3"
