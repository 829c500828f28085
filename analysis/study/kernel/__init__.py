# SPDX-License-Identifier: GPL-2.0-only
"""The fourth judge: this machine's own TCP over a wire of ours, beside the simulated one."""
