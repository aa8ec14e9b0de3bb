"""Loading against pandas reading the same bytes, in the same run."""

import io
import re

import numpy as np
import pandas as pd

from privcause_core.loading import load_bytes
from tests.benchmarks.timing import seconds

ROWS = 1_000_000
REPEATS = 5


def run() -> list[tuple[str, str]]:
    """Return one row a kind of file: its name, and both times with their ratio."""
    return [_compared(label, text, options) for label, text, options in _files()]


def _compared(label: str, text: str, options: dict[str, object]) -> tuple[str, str]:
    data = text.encode()
    ours = pandas = float("inf")
    for _ in range(REPEATS):  # in turns, so that a busy moment of the machine hits both
        ours = min(ours, seconds(lambda: load_bytes(data, "file.csv"), 1))
        pandas = min(pandas, seconds(lambda: pd.read_csv(io.BytesIO(data), **options), 1))  # type: ignore[call-overload]
    return f"load {label}, {len(data) / 1e6:.0f} MB", f"{ours:.2f} s, pandas {pandas:.2f} s, ratio {ours / pandas:.1f}"


def _files() -> list[tuple[str, str, dict[str, object]]]:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(ROWS, 2)).round(6), columns=["x", "y"])
    whole = pd.DataFrame({"x": rng.integers(0, 1000, ROWS), "y": rng.integers(0, 7, ROWS)})
    gaps = table.mask(rng.random((ROWS, 2)) < 0.02)
    words = table.assign(who="person " + table.index.astype(str))
    stamps = pd.DataFrame({"t": 1556559573141592601 + np.arange(ROWS), "v": table["x"]})
    grouped = "x;y\n" + "".join(
        f"{a}.{b:03d};{c}\n" for a, b, c in zip(whole["x"] % 999 + 1, whole["x"], _commas(table["y"]), strict=True)
    )
    plain = table.to_csv(index=False)
    return [
        ("clean numbers", plain, {}),
        ("clean whole numbers", whole.to_csv(index=False), {}),
        ("clean, Windows line ends", plain.replace("\n", "\r\n"), {}),
        ("clean, decimal commas", table.to_csv(index=False, sep=";", decimal=","), {"sep": ";", "decimal": ","}),
        ("clean, blanks", table.to_csv(index=False, sep=" ").replace(" ", "   "), {"sep": r"\s+"}),
        ("with missing cells", gaps.to_csv(index=False), {}),
        ("with a column of words", words.to_csv(index=False), {}),
        ("with words among numbers", re.sub(r"\n-0\.5[0-9]*", "\nabc", plain), {}),
        ("with comments", plain.replace("\n-0.51", "\n# c\n-0.51"), {"comment": "#"}),
        ("quoted decimal commas", table.to_csv(index=False, decimal=",", quoting=1), {"decimal": ","}),
        ("grouped thousands", grouped, {"sep": ";", "decimal": ",", "thousands": "."}),
        ("integers beyond 2^53", stamps.to_csv(index=False), {}),
    ]


def _commas(values: "pd.Series[float]") -> list[str]:
    return [str(value).replace(".", ",") for value in values]
