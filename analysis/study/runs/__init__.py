# SPDX-License-Identifier: GPL-2.0-only
"""Many points: store, workers, cluster, sweep, table, sensitivity."""
