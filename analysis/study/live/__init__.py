# SPDX-License-Identifier: GPL-2.0-only
"""A live run: this machine's own TCP, or another machine's, talks to a simulated device."""
