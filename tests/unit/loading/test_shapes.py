"""Cells judged by their shapes come out as each does by itself."""

import random

import numpy as np
import pyarrow as pa
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import Column, DecimalMark, Grouping, load_bytes, shapes
from privcause_core.loading.cell import CURRENCY_SIGNS, Plain, plain_cell
from privcause_core.loading.grammar import Grammar
from privcause_core.loading.shapes import judged
from tests.unit.loading.written import column

PIECES = [
    *"0123456789", *"0123456789", *".,' -+()%/:<>~e E", "\u00a0", "\u2009", "\u2019", "\u2212", "\u066b", "\u066c",
    "\u200f", *"٠١٧٩", *"०७९", "７", "𝟕", "𝟎", "½", "Ⅷ", "²", "kg", "EUR", "kr", "US$", "TRUE", "7", "x", "ñ", "NA",
    *CURRENCY_SIGNS[:3],
]  # fmt: skip


def cells(number: int) -> list[str]:
    rng = random.Random(7)
    made = ["".join(rng.choices(PIECES, k=rng.randint(1, 9))).strip() for _ in range(number)]
    return [one for one in made if one]


def test_every_cell_is_judged_as_it_is_by_itself():
    written = [
        *cells(30_000),
        "9" * 500 + " kg",
        "١" * 399,
        "١" * 401,
        "true",
        "٣٫١٤",
        "(٣٫٥e٢)",
        "-٣٬٠٠٠",
        "#DIV/0!",
        "#div/7!",
    ]
    found = judged(pa.array(written, pa.string()))
    one_by_one = [plain_cell(cell) for cell in written]
    assert found.numbers.to_pylist() == [plain.number for plain in one_by_one]
    verdicts = [found.verdicts[place] for place in found.which]
    assert [(one.kind, one.unit) for one in verdicts] == [(plain.kind, plain.unit) for plain in one_by_one]
    assert len({plain.kind for plain in one_by_one}) > 4


@pytest.mark.parametrize("written", [[], ["5 kg"], ["٣"], ["no number"]])
def test_few_cells_and_cuts_of_longer_arrays_are_judged_alike(written):
    whole = pa.array(["٧٧", "1 €", *written, "9-"], pa.string())
    cut = whole[2 : 2 + len(written)]
    assert judged(cut).numbers.to_pylist() == [plain_cell(cell).number for cell in written]


def test_many_different_numbers_with_a_unit_have_few_shapes():
    found = judged(pa.array([f"{k},5 €" for k in range(100_000)], pa.string()))
    assert len(found.verdicts) == 5
    assert found.numbers[54_321].as_py() == "54321,5"


def counted(monkeypatch: pytest.MonkeyPatch, text: str) -> tuple[int, str]:
    """Return how many cells were judged one by one, and what came of the file."""
    calls = 0

    def counting(cell: str) -> Plain:
        nonlocal calls
        calls += 1
        return plain_cell(cell)

    monkeypatch.setattr(shapes, "plain_cell", counting)
    try:
        load_bytes(text.encode(), "f")
    except DataError as error:
        return calls, str(error)
    return calls, ""


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{k} kg;{k}-\n" for k in range(60_000)),
        "".join(f"{k};{k * 7}\n" for k in range(60_000)).translate({48 + k: 0x660 + k for k in range(10)}),
        "".join(";".join(f"{k * j} kg;{k + j}-" for j in range(150)) + "\n" for k in range(300)),
    ],
    ids=["units", "Arabic digits", "wide"],
)
def test_cells_that_differ_in_their_digits_alone_cost_little(monkeypatch, text):
    calls, _ = counted(monkeypatch, text)
    assert calls < 10_000


@pytest.mark.parametrize("width", [2, 200])
def test_cells_of_ever_new_shapes_are_given_up_and_their_columns_refused(monkeypatch, width):
    rng = random.Random(3)
    cell = lambda: "".join(rng.choices("0123456789 -.'()€kg", k=rng.randint(4, 10)))  # noqa: E731
    text = "a" + ";a" * (width - 1) + "\n"
    text += "".join(";".join(cell() for _ in range(width)) + "\n" for _ in range(200_000 // width))
    calls, said = counted(monkeypatch, text)
    assert "two columns of numbers" in said
    assert calls < 110_000


def test_numbers_below_a_hopeless_beginning_are_refused_never_gaps():
    rows = [f"{k} kg;1" for k in range(60_000)] + ["5 €;2"] * 200_000
    table = load_bytes("\n".join(["a;b;c", *(f"{row};3" for row in rows)]).encode(), "f").tables[0]
    assert not table.columns[0].numeric
    assert table.columns[0].reason


@pytest.mark.parametrize("seed", range(12))
def test_a_wide_table_is_read_as_its_columns_are_alone(seed):
    """More than a hundred columns are made plain together; each comes out as in a table of three."""
    rng = np.random.default_rng(seed)
    decimal = DecimalMark(str(rng.choice([".", ","])))
    groupings = [one for one in Grouping if one.sign != decimal and (one is not Grouping.INDIAN or decimal == ".")]
    columns = [column(rng, Grammar(decimal, groupings[k % len(groupings)]), 9).cells for k in range(8)]
    names = [f"c{k}" for k in range(len(columns))]
    few, many = (_loaded(names * times, columns * times) for times in (1, 20))
    for place, one in enumerate(many):
        other = few[place % len(columns)]
        assert (one.reason, one.readings is None) == (other.reason, other.readings is None)
        if other.values is not None:
            np.testing.assert_array_equal(one.doubles(), other.doubles())


def _loaded(names: list[str], columns: list[list[str]]) -> tuple[Column, ...]:
    lines = [";".join(names), *(";".join(row) for row in zip(*columns, strict=True))]
    (table,) = load_bytes("\n".join([*lines, ""]).encode(), "f").tables
    return table.columns
