# SPDX-License-Identifier: GPL-2.0-only
"""What a user asks of a system: explain, what-if, the outcome of a run, the overview."""
