"""Numbers and addresses that anyone can send: each is refused or read at once, whatever it holds."""

import random
import time
from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest

from pages.shared.address import PARAMETERS, from_query
from pages.shared.view import View
from privcause_core.__main__ import main
from privcause_core.errors import ParameterError
from privcause_core.samples.address import load_address
from privcause_core.settings import Settings
from privcause_core.text.typed import parse_decimal, parse_whole

LIMIT = 0.1  # seconds of work; a link may not cost more
DIGITS = 10**6
HOSTILE = [
    "1e500000", "1e5000", "-1e5000", "1e-5000", "1e401", "1e999999999", "1e99999999999999999999", "-1e999999999",
    "9" * 201, "9" * DIGITS, "0." + "1" * DIGITS, "1e" + "9" * DIGITS, "-" * DIGITS, " " * DIGITS + "1",
    "nan", "sNaN", "inf", "-Infinity", "", " ", "+", "1_000", "0x10", "1,2,3", "٣٣", "𝟙", "½", "Ⅷ", "--1", "1e", "1e+",
    "~" * DIGITS, "!" * DIGITS, "~!" * DIGITS, "epsilon~" + "9" * DIGITS, "rows~1e500000", "epsilon~1e500000!seed~1e9",
    "1.." + "9" * DIGITS, ".." * DIGITS, "sample:" + "x" * DIGITS, "\x00", "\ud800", "\u202e1", "[" * DIGITS,
    "draws~1e5000", "-1e400..1e400", "1e-401..1",
]  # fmt: skip


def quick(work: Callable[[], object]) -> bool:
    """Say whether work is done within the limit in the best of a few tries: a busy machine can slow any one."""
    for _ in range(5):
        began = time.thread_time()
        work()
        if time.thread_time() - began < LIMIT:
            return True
    return False


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises(ParameterError) as refused:
        work()
    return str(refused.value)


def shown(text: object) -> str:
    return ascii(text)[:24] if isinstance(text, str) else type(text).__name__


@pytest.mark.parametrize("text", HOSTILE, ids=shown)
def test_no_parameter_of_an_address_costs_time_or_ends_in_an_error(text):
    query = dict.fromkeys(PARAMETERS, text)
    assert quick(lambda: from_query(query))
    view, refused = from_query(query)
    assert isinstance(view, View)
    assert set(refused) <= PARAMETERS


@pytest.mark.parametrize("name", ["rows", "seed", "x", "plan_rows", "item", "draws", "blocks", "step", "epsilon"])
@pytest.mark.parametrize("text", ["1e500000", "1e5000", "9" * DIGITS])
def test_a_number_beyond_reason_is_named_and_its_default_stands(name, text):
    assert from_query({name: text}) == (View(), (name,))


def test_random_values_of_all_parameters_are_read_or_refused_at_once():
    rng = random.Random(5)
    pieces = [
        "1",
        "0",
        "9" * 50,
        "e",
        "E",
        "+",
        "-",
        ".",
        "..",
        ",",
        "~",
        "!",
        "_",
        " ",
        "nan",
        "inf",
        "٤",
        "\x00",
        "e9999",
    ]
    names = sorted(PARAMETERS)
    for _ in range(2_000):
        query = {
            name: "".join(rng.choices(pieces, k=rng.randint(0, 12))) * rng.choice([1, 1, 1, 1_000])
            for name in rng.sample(names, rng.randint(1, len(names)))
        }
        assert quick(partial(from_query, query))
        assert isinstance(from_query(query)[0], View)


@pytest.mark.parametrize("text", [one for one in HOSTILE if one not in {"٣٣", "𝟙"}], ids=shown)
def test_reading_one_number_is_quick_and_a_refusal_is_short(text):
    for read in (parse_decimal, parse_whole):
        refused = partial(refusal, partial(read, "rows", text))
        assert quick(refused)
        assert len(refused()) < 400


@pytest.mark.parametrize("value", [10**400, 10**100_000, "9" * DIGITS, -(10**5_000), [1] * DIGITS], ids=shown)
@pytest.mark.parametrize("name", ["seed", "blocks", "draws", "epsilon"])
def test_a_setting_of_any_size_is_refused_in_a_short_sentence(name, value):
    refused = partial(refusal, partial(Settings.from_dict, {name: value}))
    assert quick(refused)
    assert len(refused()) < 400


@pytest.mark.parametrize("text", ["1e500000", "1e5000", "9" * DIGITS, "-1e999999999"], ids=shown)
@pytest.mark.parametrize("name", ["rows", "seed", "noise"])
def test_a_sample_of_a_hostile_size_is_refused_at_once(name, text):
    assert quick(lambda: refusal(lambda: load_address(f"sample:synthetic-saturation?{name}={text}")))


@pytest.mark.parametrize("flag", ["--epsilon", "--seed", "--draws", "--test-share", "--range-x", "--blocks"])
def test_the_command_line_refuses_a_hostile_number_in_one_line(flag, capsys):
    for text in ("1e500000", "9" * 5_000):
        assert main(["analyse", "sample:synthetic-saturation", f"{flag}={text}"]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert len(said) < 500


@pytest.mark.parametrize(("text", "number"), [("12", 12), ("1e3", 1000), ("-7", -7), ("0", 0), ("5.0", 5)])
def test_a_whole_number_is_read_as_people_type_it(text, number):
    assert parse_whole("rows", text) == number


@pytest.mark.parametrize(("value", "told"), [(1e-320, "1e-320"), (5e6, "5000000"), (-5, "-5"), (1e300, "1e+300")])
def test_a_refused_number_is_told_as_it_was_given(value, told):
    with pytest.raises(ParameterError) as refused:
        Settings(epsilon=value)
    assert str(refused.value).endswith(f"got {told}.")


def test_the_longest_number_that_anyone_types_is_read_exactly():
    text = "0." + "0" * 150 + "1"
    assert parse_decimal("delta", text) == Decimal(text)
