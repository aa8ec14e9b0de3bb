"""The rows that most loading tests write in one form or another, and their known fingerprint."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from privcause_core.loading import Table, load_bytes
from privcause_core.pair import Pair
from privcause_core.scores.kendall import tau_a
from privcause_core.scores.spearman import rho_a

QUICK = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])

X = (
    0.62, -0.71, -0.07, -1.98, -0.26, -0.15, 0.03, 0.73, 1.22, 1.65, 1.60, 0.40,
    0.95, -0.47, 0.70, 0.91, -0.56, 0.82, -1.59, -0.35, -1.76, 1.42, 0.30, -1.03,
)  # fmt: skip
Y = (
    0.24, -1.29, -0.20, -5.60, 0.15, -0.11, 0.40, 1.34, 1.97, 4.37, 4.15, 0.16,
    1.01, -0.38, 0.51, 1.80, -0.94, 1.39, -3.97, -0.41, -3.98, 2.63, 0.59, -1.42,
)  # fmt: skip
Z = (
    -0.24, 1.30, 0.22, 5.63, -0.11, 0.16, -0.34, -1.27, -1.89, -4.28, -4.05, -0.05,
    -0.89, 0.51, -0.37, -1.65, 1.10, -1.22, 4.15, 0.60, 4.18, -2.42, -0.37, 1.65,
)  # fmt: skip

# Spearman and Kendall of X and Y by scipy 1.17.1 (no ties, so rho_a and tau_a are the same); n, sums by hand.
FINGERPRINT = (24, 2.42, 2.41, 0.9808695652173912, 0.9130434782608695)


def fingerprint(pair: Pair) -> tuple[int, float, float, float, float]:
    """Return rows, sums, rho_a and tau_a of a pair's raw columns."""
    return pair.rows, float(pair.x.sum()), float(pair.y.sum()), rho_a(pair.x, pair.y), tau_a(pair.x, pair.y)


def close(expected: tuple[float, ...]) -> object:
    """Compare to the precision that reordered sums leave."""
    return pytest.approx(expected, rel=1e-12, abs=1e-12)


def lines(separator: str, *columns: tuple[float, ...], decimal: str = ".", digits: int = 2, end: str = "\n") -> str:
    """Write columns as text lines."""
    rows = zip(*columns, strict=True)
    return "".join(separator.join(f"{value:.{digits}f}".replace(".", decimal) for value in row) + end for row in rows)


def only_table(data: bytes | str, name: str = "file.csv") -> Table:
    """Load a file that holds one table."""
    loaded = load_bytes(data.encode() if isinstance(data, str) else data, name)
    assert not loaded.pairs
    assert not loaded.rejected
    (table,) = loaded.tables
    return table


def default_pair(data: bytes | str, name: str = "file.csv") -> Pair:
    """Load a file that holds one table and take its default columns."""
    table = only_table(data, name)
    return table.pair(*table.default_columns())


def zipped(files: dict[str, bytes | str]) -> bytes:
    """Pack files; a name that ends in a slash is a folder."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def column(table: Table, position: int) -> np.ndarray:
    """Return one column's values, NaN where missing."""
    values = table.columns[position].values
    assert values is not None
    return values
