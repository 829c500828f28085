# SPDX-License-Identifier: GPL-2.0-only
"""What a scenario may say of itself, and the tools to say it."""
