# SPDX-License-Identifier: GPL-2.0-only
"""What the study says of each scenario, a folder of its name each; found by it."""
