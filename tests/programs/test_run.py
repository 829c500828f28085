# SPDX-License-Identifier: GPL-2.0-only
"""The words for a program that failed."""

import pytest
from study.programs.run import cause_of_death

# As ns-3's macros write it: with the time of the simulation and without, a condition, a message,
# both, and neither.
END = """
NS_FATAL, terminating
terminate called without an active exception
"""
ERROR = 'msg="invalid Seed 4294944443", +0.000000000s -1 file=rng-stream.cc, line=371' + END
TWO_LINES = 'msg="first line\nsecond line", file=a.cc, line=14' + END
ASSERT = 'NS_ASSERT failed, cond="m_ptr", msg="a pointer "x" is 0", file=ptr.h, line=10' + END
ASSERT_ALONE = 'NS_ASSERT failed, cond="m_ptr", +1.500000000s 3 file=ptr.h, line=9' + END
ABORT = 'a warning\naborted. cond="!m_ptr", msg="no way, out", file=a.cc, line=13' + END
ABORT_ALONE = 'aborted. cond="!m_ptr, file=a.cc, line=11' + END
WITHOUT_WORDS = "file=a.cc, line=15" + END


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (ERROR, "invalid Seed 4294944443"),
        (TWO_LINES, "first line second line"),
        (ASSERT, 'a pointer "x" is 0'),
        (ASSERT_ALONE, 'NS_ASSERT failed, cond="m_ptr", file=ptr.h, line=9'),
        (ABORT, "no way, out"),
        (ABORT_ALONE, 'aborted. cond="!m_ptr, file=a.cc, line=11'),
        (WITHOUT_WORDS, "file=a.cc, line=15"),
        ("one\n two \n\n", "two"),
    ],
)
def test_a_program_that_ended_in_ns3_is_quoted_with_ns3s_own_sentence(said, words):
    assert cause_of_death("print-job", -6, said) == (
        f"build/print-job was killed by signal 6 ({words})"
    )


def test_a_program_that_said_nothing_is_not_quoted():
    assert cause_of_death("print-job", 3, "") == "build/print-job failed with status 3"
