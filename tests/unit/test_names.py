"""Names of other people beside our own words: they neither turn a sentence round nor hide in it."""

import csv
import io
import json
import shlex
import subprocess

import numpy as np
import pytest

from pages.shared.wording import chip, literal
from privcause_core.__main__ import main
from privcause_core.explore.analysis import analyse
from privcause_core.exports.files import Source, analysis_csv, analysis_json, command_line
from privcause_core.exports.spreadsheet import safe_cell
from privcause_core.figures.chart import plotly_text
from privcause_core.pair import Pair
from privcause_core.settings import Settings
from privcause_core.text.names import (
    CLOSE,
    OPEN,
    arrow_text,
    bare,
    harmless,
    html_text,
    isolated,
    machine_text,
    visible,
)

AGE, PRESSURE = "גיל", "לחץ"
OVERRIDE = "\u202eage"
STEERING = [
    *"\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    *"\u200b\u2060\ufeff\u00ad\u034f\u115f\u2800\u3164\x00\x07\x1b\x7f\x9b\ud800\U000e0041",
]


@pytest.mark.parametrize("one", STEERING, ids=lambda one: f"U+{ord(one):04X}")
def test_a_character_that_steers_or_hides_is_shown_as_its_number(one):
    assert visible(f"a{one}b") == f"a⟨U+{ord(one):04X}⟩b"


def test_blanks_and_line_ends_in_a_name_are_one_blank_each():
    assert visible(" a\r\nb\u2028c\u00a0\td\x85e ") == "a b c d e"


@pytest.mark.parametrize(
    "name", ["age", "=1+1", "cost $a$ [USD] *b* <b>x</b>", "ε → δ", "Größe", "血压", "می\u200cشود"]
)
def test_an_ordinary_name_is_shown_character_for_character(name):
    assert visible(name) == name


def test_a_joiner_outside_a_script_that_needs_it_is_visible():
    assert visible("a\u200db") == "a⟨U+200D⟩b"


@pytest.mark.parametrize("name", [AGE, "عمر", "x גיל", "\u0661\u0662"])
def test_a_name_from_right_to_left_is_isolated(name):
    assert isolated(name) == f"{OPEN}{name}{CLOSE}"


def test_a_name_from_left_to_right_needs_no_isolates():
    assert isolated("age (years)") == "age (years)"


def test_a_name_cannot_end_its_own_isolation():
    assert isolated(f"{AGE}{CLOSE}") == f"{OPEN}{AGE}⟨U+2069⟩{CLOSE}"


def test_an_arrow_keeps_each_name_apart():
    assert arrow_text(AGE, OVERRIDE) == f"{OPEN}{AGE}{CLOSE} → ⟨U+202E⟩age"


def test_a_sentence_keeps_its_isolated_names_and_loses_every_other_control():
    assert harmless(f"Pair {isolated(AGE)} of \u202ebad{CLOSE}") == f"Pair {OPEN}{AGE}{CLOSE} of ⟨U+202E⟩bad⟨U+2069⟩"


def test_html_puts_an_isolated_name_into_an_element_of_its_own_direction():
    assert html_text(f"{arrow_text(AGE, '<b>')}") == f"<bdi>{AGE}</bdi> → &lt;b&gt;"


def test_json_says_the_same_without_a_steering_character():
    names = {"x": OVERRIDE, "y": AGE, "tag": "\U000e0041", "lines": "a\nb"}
    text = machine_text(json.dumps(names, ensure_ascii=False, indent=1))
    assert json.loads(text) == names
    assert "\u202e" not in text
    assert AGE in text


def test_a_cell_shows_what_would_steer_it_and_stays_no_formula():
    assert safe_cell(OVERRIDE) == "⟨U+202E⟩age"
    assert safe_cell("=1+1") == "'=1+1"


def test_chips_and_sentences_of_the_pages_are_isolated():
    assert chip(AGE) == f"{OPEN}`{AGE}`{CLOSE}"
    assert chip(OVERRIDE) == "`⟨U+202E⟩age`"
    assert literal("\u202ebad") == "⟨U\\+202E⟩bad"


def test_a_chart_shows_names_isolated():
    assert plotly_text(AGE) == f"{OPEN}{AGE}{CLOSE}"
    assert plotly_text(OVERRIDE) == "⟨U+202E⟩age"


def pair(x_name: str, y_name: str) -> Pair:
    rng = np.random.default_rng(3)
    x = rng.normal(size=60)
    return Pair("trial", x_name, y_name, x, np.tanh(x) + 0.2 * rng.normal(size=60))


def test_exports_hold_no_steering_character_and_json_keeps_the_name():
    analysis = analyse(pair(OVERRIDE, AGE), Settings(draws=10))
    text = analysis_json(analysis)
    assert json.loads(text)["x"] == OVERRIDE
    assert "\u202e" not in text + analysis_csv(analysis)
    assert next(csv.DictReader(io.StringIO(analysis_csv(analysis))))["y"] == AGE


def test_a_warning_for_machines_names_a_column_without_isolates():
    constant = Pair("trial", AGE, "y", np.ones(60), np.arange(60.0))
    warnings = json.loads(analysis_json(analyse(constant, Settings(draws=10))))["warnings"]
    assert f"Column {AGE} is constant: no direction can be inferred." in warnings
    assert bare(f"{isolated(AGE)} is") == f"{AGE} is"


@pytest.mark.parametrize("name", ["age", "a b", OVERRIDE, "it's\u202e\\n", "a\nb"])
def test_the_command_line_shows_what_would_steer_it_and_gives_the_same_words(name):
    command = command_line(Source("pair.csv", x=name, y="b"), Settings())
    assert "\u202e" not in command
    typed = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    assert f"--x={name}" in typed.stdout.decode().split("\0")
    if name == "a b":
        assert shlex.split(command)[3] == "--x=a b"


def test_the_command_line_prints_names_isolated(tmp_path, capsys):
    file = tmp_path / "pair.csv"
    rows = "".join(f"{k * 37 % 101},{k * 53 % 97}\n" for k in range(60))
    file.write_text(f"{AGE},{OVERRIDE}\n{rows}", encoding="utf-8")
    for command in (["analyse", str(file), "--draws", "10"], ["inspect", str(file)]):
        assert main(command) == 0
        said = capsys.readouterr().out
        assert "\u202e" not in said
        assert f"{OPEN}{AGE}{CLOSE}" in said
        assert "⟨U+202E⟩age" in said


def test_an_error_of_the_command_line_obeys_no_name(tmp_path, capsys):
    file = tmp_path / "one.csv"
    file.write_text(f"{OVERRIDE},b\n1,x\n2,y\n", encoding="utf-8")
    assert main(["analyse", str(file), "--x", OVERRIDE, "--y", "\u202eb"]) == 2
    assert "\u202e" not in capsys.readouterr().err
