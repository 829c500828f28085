# SPDX-License-Identifier: GPL-2.0-only
"""Packets of a long connection in columns. A computation on one column touches no other, and the
columns of the file are not copied."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from study.captures.connection import PACKET
from study.captures.growing import let_go


class Packets:
    """A table like rows of `PACKET`: index it by a column's name, or by a slice, a mask or indices
    of rows. Columns may have smaller types than `PACKET`; those of a copy have its types."""

    dtype = PACKET

    def __init__(self, columns: Mapping[str, np.ndarray]):
        self._columns = {name: columns[name] for name in PACKET.names}

    @classmethod
    def of(cls, packets: "np.ndarray | Packets") -> "Packets":
        """Return a copy of these rows."""
        return cls({name: _copied(packets[name], PACKET[name]) for name in PACKET.names})

    def __len__(self) -> int:
        return len(self._columns["number"])

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._columns[key]
        return Packets({name: column[key] for name, column in self._columns.items()})

    def __setitem__(self, name: str, values: np.ndarray) -> None:
        self._columns[name] = values

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        """Return the rows as an array of `PACKET`."""
        rows = np.empty(len(self), PACKET)
        for name, column in self._columns.items():
            rows[name] = column
        return rows

    def copy(self) -> "Packets":
        """Return a copy in its own memory."""
        return Packets.of(self)

    def let_go(self) -> None:
        """Release the memory of mapped columns."""
        for column in self._columns.values():
            let_go(column)


def _copied(column: np.ndarray, kind: np.dtype) -> np.ndarray:
    return np.array(column, kind, order="C")
