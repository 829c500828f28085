# SPDX-License-Identifier: GPL-2.0-only
"""The judge: from the packets of a connection what it waited for, all its life long."""

from study.captures.connection import Connection
from study.diagnosis.budget import Budget
from study.diagnosis.bulk import judge_bulk
from study.diagnosis.exchange import is_exchange, judge_exchange
from study.diagnosis.track import Track
from study.diagnosis.vantage import Vantage, as_seen_by_sender, find_vantage, line_seen


def budget(
    connection: Connection, vantage: Vantage | None = None, line_Bps: float | None = None
) -> Budget:
    """Split the connection's life into the words of `limits_s`, as its sender saw it. The narrowest
    line's rate is found where queues before it show it; who knows it can give it [B/s]."""
    vantage = vantage or find_vantage(connection)
    ends = (Track(connection, True, True), Track(connection, False, True))
    if is_exchange(ends):
        at = {"sender": connection.bulk_from_client, "receiver": not connection.bulk_from_client}
        return judge_exchange(ends, at_client=at.get(vantage.at, True))
    seen = as_seen_by_sender(connection, vantage)
    behind_a_line = line_seen(connection, vantage)
    return judge_bulk(Track(seen, connection.bulk_from_client), behind_a_line, line_Bps)
