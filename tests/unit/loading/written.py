"""Columns of numbers written in one grammar each, with the values that they stand for."""

from dataclasses import dataclass

import numpy as np

from privcause_core.loading.grammar import DecimalMark, Grammar, Grouping

SEPARATORS = (",", ";", "\t", "|", " ")
SIGNS = ("ascii", "minus", "dash", "trailing", "parentheses")
UNITS = ("", "", "", "%", "$", " €", "CHF ")
SCRIPTS = ("0123456789", "0123456789", "٠١٢٣٤٥٦٧٨٩", "०१२३४५६७८९", "０１２３４５６７８９")
BLANKS = (" ", "\u00a0", "\u202f", "\u2009")
APOSTROPHES = ("'", "\u2019")


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Cells as written, and what they stand for (NaN for a missing one)."""

    cells: list[str]
    values: list[float]


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """A text table of such columns."""

    text: str
    columns: list[Column]
    has_header: bool


def grouped(digits: str, grouping: Grouping, sign: str) -> str:
    """Put a sign between groups of three digits, in the Indian way of two beyond the last three."""
    head, tail = digits[:-3], digits[-3:]
    size = 2 if grouping is Grouping.INDIAN else 3
    parts = [tail]
    while head:
        head, part = head[:-size], head[-size:]
        parts.insert(0, part)
    return sign.join(parts)


def column(rng: np.random.Generator, grammar: Grammar, rows: int) -> Column:
    """Write random numbers, all in one way."""
    share, sign = rng.choice([0.0, 0.3, 0.7, 1.0]), str(rng.choice(SIGNS))
    unit, script = str(rng.choice(UNITS)), str(rng.choice(SCRIPTS))
    decimals, trimmed = int(rng.choice([0, 0, 1, 2, 3, 3, 6])), bool(rng.integers(2))
    between = {"blank": str(rng.choice(BLANKS)), "apostrophe": str(rng.choice(APOSTROPHES))}.get(
        grammar.grouping, grammar.grouping.sign
    )
    low, high = sorted(rng.choice([-1, 0, 2, 3, 4, 6, 8], 2, replace=False))
    negative, missing = rng.choice([0.0, 0.3]), rng.choice([0.0, 0.0, 0.1])
    cells, values = [], []
    for size in 10 ** rng.uniform(low, high, rows):
        if rng.random() < missing:
            cells.append("NA")
            values.append(np.nan)
            continue
        plain = f"{size:.{decimals}f}"
        plain = plain.rstrip("0").rstrip(".") if trimmed and "." in plain else plain
        whole, _, fraction = plain.partition(".")
        if between and rng.random() < share:
            whole = grouped(whole, grammar.grouping, between)
        text = whole + (grammar.decimal + fraction if fraction else "")
        text = text.translate(str.maketrans("0123456789", script))
        is_negative = rng.random() < negative
        cells.append(_signed(text, unit, sign if is_negative else ""))
        values.append(-float(plain) if is_negative else float(plain))
    return Column(cells, values)


def _signed(text: str, unit: str, sign: str) -> str:
    if unit in ("$", "CHF "):
        text = unit + text
    if sign in ("ascii", "minus", "dash"):
        text = {"ascii": "-", "minus": "\u2212", "dash": "\u2013"}[sign] + text
    if unit in ("%", " €"):
        text += unit
    return {"trailing": f"{text}-", "parentheses": f"({text})"}.get(sign, text)


def file(rng: np.random.Generator) -> File:
    """Write a table of two columns, the second in the first's grammar or with the same decimal mark at least."""
    decimal = DecimalMark(str(rng.choice([".", ","])))
    groupings = [one for one in Grouping if one.sign != decimal and (one is not Grouping.INDIAN or decimal == ".")]
    first, second = (Grammar(decimal, groupings[rng.integers(len(groupings))]) for _ in range(2))
    rows = int(rng.integers(2, 14))
    columns = [column(rng, first, rows), column(rng, first if rng.random() < 0.7 else second, rows)]
    separator, has_header = str(rng.choice(SEPARATORS)), bool(rng.random() < 0.8)
    careless = has_header and rng.random() < 0.2  # numbers with the separator in them, and nobody quotes them
    lines = [separator.join(("dose", "answer"))] if has_header else []
    for row in zip(*(one.cells for one in columns), strict=True):
        lines.append(separator.join(f'"{cell}"' if separator in cell and not careless else cell for cell in row))
    return File("\n".join(lines) + "\n", columns, has_header)
