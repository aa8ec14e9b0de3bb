"""The second door: a file that nobody looks at is read as declared, and no page's words depend on its values."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.sealed import proposed, sealed
from privcause_core.loading import DecimalMark, Grouping, Reading
from tests.app.driving import app_at, spent, switched, words

RNG = np.random.default_rng(7)
CELLS = RNG.normal(50.0, 9.0, size=(300, 3)).round(2)
NAMES = "age,zebras,rate"


@pytest.fixture(autouse=True)
def _own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVCAUSE_LEDGER", str(tmp_path / "ledger.sqlite"))


def table(odd: str = "47.5", *, header: bool = True, separator: str = ",") -> bytes:
    """Return a file whose cell in row 100 of the first column is as given."""
    rows = [[f"{value:g}" for value in row] for row in CELLS]
    rows[100][0] = odd
    return "\n".join([NAMES] * header + [separator.join(row) for row in rows]).encode()


def sealed_app(content: bytes, *, columns: tuple[int, int] | None = (0, 1), **query: str) -> AppTest:
    """Return a session on the Release page whose file came through the second door."""
    app = app_at("release", **query)
    app.file_uploader[0].set_value([("people.csv", content, "text/csv")]).run()
    for key, position in zip(("release_x", "release_y"), columns or (), strict=False):
        app.selectbox(key=key).set_value(position).run()
    assert not app.exception
    return app


def everything(app: AppTest) -> str:
    """Return all that the page and its sidebar tell: words, labels, options, tables."""
    boxes = [
        f"{one.label} {one.options} {one.value}" for kind in (app.selectbox, app.radio, app.multiselect) for one in kind
    ]
    ticks = [f"{one.label} {one.value}" for kind in (app.checkbox, app.text_input, app.number_input) for one in kind]
    buttons = [f"{one.label} {one.disabled}" for one in app.button]
    return "\n".join([words(app), *boxes, *ticks, *buttons, *(str(one.value) for one in app.table)])


@pytest.mark.parametrize("odd", ["-999", "4q.5", "", "1e6", "12,5", "nan", "Infinity"])
@pytest.mark.parametrize("query", [{}, {"cover": "test-rows"}], ids=["blocks", "test rows, likelihood"])
def test_files_that_differ_in_one_cell_give_the_same_page_until_the_click(odd: str, query: dict[str, str]) -> None:
    plain, other = sealed_app(table(), **query), sealed_app(table(odd), **query)
    assert everything(plain) == everything(other)
    for app in (plain, other):
        app.button(key="confirm").click().run()
    assert "spend" in [button.key for button in other.button]
    assert everything(plain) == everything(other)


def test_no_page_shows_anything_of_a_sealed_file_until_it_is_opened() -> None:
    app = sealed_app(table("-999"))
    for name in ("explore", "flip_rates", "curves", "many_pairs"):
        shown = everything(switched(app, name))
        assert "zebras" not in shown
        assert "-999" not in shown
        assert "Synthetic: random smooth curve" in shown
    switched(app, "release")
    app.button(key="unseal").click().run()
    assert "which the other pages show" in words(app)
    assert "zebras" in everything(switched(app, "explore"))


def test_the_sidebar_has_the_second_door_too_and_leads_on() -> None:
    app = app_at(folds=())
    app.button_group(key="source").set_value("Upload").run()
    app.radio(key="door_explore").set_value("Release from it (do not show me)").run()
    app.sidebar.file_uploader[0].set_value([("people.csv", table("-999"), "text/csv")]).run()
    assert "Sealed for a release: people.csv" in words(app)
    assert "zebras" not in everything(app)
    assert "`people.csv`: sealed" in words(switched(app, "release"))


def test_a_sealed_file_is_released_with_its_declared_reading_on_the_certificate() -> None:
    app = sealed_app(table("-999"))
    app.text_input(key="declare_missing").set_value("-999 n.d.").run()
    app.selectbox(key="release_x").set_value(0).run()
    app.selectbox(key="release_y").set_value(2).run()
    assert "those below" in words(app)
    issued = json.loads(spent(app).code[0].value)
    assert issued["pair"] == {"name": "people.csv", "x": "age", "y": "rate"}
    assert issued["reading"] == Reading(missing=("n.d.",), sentinels=(-999.0,)).to_dict()
    assert issued["plan"]["protect"] == "every-row"
    assert "`people.csv`" in words(app)
    assert "Budget of this table" in words(app)
    assert "Ledger of this table" in words(app)


def test_a_reading_under_which_the_file_is_no_table_is_one_sentence_and_can_be_changed() -> None:
    app = sealed_app(table(separator=";"), columns=None)
    app.selectbox(key="declare_separator").set_value("tab").run()
    assert "fewer than two columns" in app.error[0].value
    app.selectbox(key="declare_separator").set_value("comma").run()
    assert not app.error
    app.selectbox(key="declare_grouping").set_value(Grouping.DOT).run()
    assert "grouping other than" in words(app)  # the same mark as the decimal one: refused, and the former stays
    assert not app.exception


def test_several_files_cannot_be_sealed() -> None:
    app = app_at("release")
    app.file_uploader[0].set_value([(name, table(), "text/csv") for name in ("a.csv", "b.csv")]).run()
    assert "one file" in words(app)
    assert "sealed." not in words(app)


def test_a_sealed_file_can_be_removed_and_is_forgotten_with_the_rest() -> None:
    app = sealed_app(table())
    app.button(key="remove_sealed").click().run()
    assert "the other pages show" in words(app)
    app = sealed_app(table())
    held = app.session_state["privcause"]
    switched(app, "explore").button(key="forget").click().run()
    assert held.sealed is None


def test_a_result_says_when_other_data_are_loaded_and_a_link_says_what_it_is() -> None:
    app = spent(sealed_app(table()))
    assert "others than those of this result" not in words(app)
    app.button(key="plan_another").click().run()
    app.button(key="remove_sealed").click().run()
    entry = json.loads(spent(app_at("release", epsilon="0.5")).code[0].value)["entry"]
    linked = app_at("release", entry=entry, data="upload")
    assert "link of one stored release" in words(linked)
    assert "upload the file again" not in words(linked)
    assert "Ledger of this table" not in words(linked)
    linked.button(key="plan_another").click().run()
    linked.file_uploader[0].set_value([("others.csv", table(), "text/csv")]).run()
    linked.query_params["entry"] = entry
    linked.run()
    assert "The data loaded now are others" in words(linked)


def test_the_separator_is_proposed_by_the_first_line_alone() -> None:
    assert proposed(b"a;b\n1,5;2,5\n").separator == "semicolon"
    assert proposed(b"a\tb,c\n").separator == "tab"
    assert proposed("a b\n".encode("utf-16")).encoding == "utf-16-le"
    assert proposed(b"a b\n1 2\n").separator == "blanks"
    assert proposed(b"a\n").separator == "comma"
    assert proposed(b"PAR1" + bytes(20)) == Reading()


def test_a_file_without_a_header_line_has_as_many_columns_as_its_first_line() -> None:
    app = sealed_app(table(header=False), columns=None)
    app.checkbox(key="declare_header").uncheck().run()
    assert "300 rows" in words(app)
    assert "`column 3`" in words(app)
    app.checkbox(key="declare_header").check().run()
    assert "299 rows" in words(app)


def test_a_decimal_comma_is_declared_before_its_grouping() -> None:
    held = sealed("f.csv", b"a;b\n1.000,5;2\n")
    assert held.reading == Reading(separator="semicolon", decimal=DecimalMark.COMMA)
    app = sealed_app(b"a;b\n" + b"1.000,5;2\n" * 40, columns=None)
    app.selectbox(key="declare_grouping").set_value(Grouping.DOT).run()
    reading = app.session_state["privcause"].sealed.reading
    assert (reading.decimal, reading.grouping) == (DecimalMark.COMMA, Grouping.DOT)


def test_the_page_shows_what_the_declared_reading_makes_of_cells_that_are_not_from_the_file() -> None:
    app = sealed_app(b"a;b\n" + b"1.000,5;2\n" * 40, columns=None)
    assert "`1.5` is missing, `1,5` is 1.5, `1,234` is 1.234, `1.234` is missing" in words(app)
    app.selectbox(key="declare_grouping").set_value(Grouping.DOT).run()
    assert "`1,234` is 1.234, `1.234` is 1234" in words(app)
    app.text_input(key="declare_missing").set_value("-999").run()
    assert "`-999` is missing" in words(app)


def test_a_header_that_is_no_utf8_proposes_the_encoding_of_office_programs() -> None:
    assert sealed("f.csv", "Größe;b\n1,5;2\n".encode("cp1252")).reading.encoding == "cp1252"
    assert sealed("f.csv", "Größe;b\n1,5;2\n".encode()).reading.encoding == "utf-8"


def test_columns_stay_chosen_when_another_reading_has_them_too_and_the_confirmation_says_how_it_is_read() -> None:
    app = sealed_app(table())
    app.selectbox(key="declare_grouping").set_value(Grouping.APOSTROPHE).run()
    assert [app.selectbox(key=f"release_{axis}").value for axis in "xy"] != [None, None]
    app.button(key="confirm").click().run()
    assert "grouping apostrophe, a header line" in words(app)
    assert "Budget of this table, fixed by this click" in words(app)


def test_a_sealed_file_that_is_opened_after_all_is_read_as_it_was_declared() -> None:
    rows = "".join(f"{k * 37 % 91},{-999 if k % 5 == 0 else k * k % 37},m\n" for k in range(60))
    app = sealed_app(f"a,b,sex\n{rows}".encode())
    app.text_input(key="declare_missing").set_value("-999").run()
    app.button(key="unseal").click().run()
    shown = switched(app, "explore")
    assert "24 train / 24 test" in words(shown)
    assert "sex: holds no numbers, read as declared" in words(shown)


def test_k_rows_a_person_cost_k_epsilon_on_the_page_and_on_the_certificate() -> None:
    app = sealed_app(table())
    app.number_input(key="rows_per_person").set_value(4).run()
    assert "For a person with 4 rows the promise is epsilon 4" in words(app)
    assert json.loads(spent(app).code[0].value)["guarantee"]["person"]["epsilon"] == "4"


def test_a_changed_plan_has_to_be_confirmed_again() -> None:
    app = sealed_app(table())
    app.button(key="confirm").click().run()
    app.number_input(key="blocks").set_value(5).run()
    assert "spend" not in [button.key for button in app.button]
    app.button(key="confirm").click().run()
    app.button(key="reconsider").click().run()
    assert "spend" not in [button.key for button in app.button]


def test_every_row_by_blocks_comes_first_and_test_rows_say_what_they_leave_open() -> None:
    app = app_at("release")
    choice = app.radio(key="cover")
    assert choice.value == "blocks"
    assert choice.options[0].startswith("Every row, by blocks")
    assert "no guarantee" in choice.proto.captions[1]


def test_the_page_is_short_before_anything_is_unfolded() -> None:
    app = app_at("release")
    folded = {"Sensitivity:", "10 blocks:"}
    shown = [line for line in everything(app).splitlines() if not any(line.startswith(one) for one in folded)]
    assert len(" ".join(shown).split()) < 350
