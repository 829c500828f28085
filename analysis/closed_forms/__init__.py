# SPDX-License-Identifier: GPL-2.0-only
"""What a run should give, worked out on paper from the same parameters: the second judge of the
simulation. One module a scenario, one function a mechanism, each with its derivation; nothing here
is read off a run."""
