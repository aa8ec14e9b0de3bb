"""Uploads: read, shown literally, kept in one session only; bad ones are one sentence and change nothing."""

import io
import re
import zipfile

import numpy as np
import pytest
from openpyxl import Workbook

from privcause_core.loading import DecimalMark
from tests.app.driving import PAGES, alerts, app_at, scene, scores, switched, upload, uploaded, words

# 24 rows of the kind people bring; rho and tau checked elsewhere, here only that they arrive.
ROWS = """0.62,0.24
-0.71,-1.29
-0.07,-0.20
-1.98,-5.60
-0.26,0.15
-0.15,-0.11
0.03,0.40
0.73,1.34
1.22,1.97
1.65,4.37
1.60,4.15
0.40,0.16
0.95,1.01
-0.47,-0.38
0.70,0.51
0.91,1.80
-0.56,-0.94
0.82,1.39
-1.59,-3.97
-0.35,-0.41
-1.76,-3.98
1.42,2.63
0.30,0.59
-1.03,-1.42
"""
PAIR = f"x,y\n{ROWS}".encode()
HOSTILE = "cost $a$ [USD] *b* <b>x</b>"


def workbook() -> bytes:
    book, packed = Workbook(), io.BytesIO()
    for row in ROWS.splitlines():
        book.active.append([float(cell) for cell in row.split(",")])
    book.save(packed)
    return packed.getvalue()


def table(rows: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    return np.column_stack([x, np.tanh(x) + 0.3 * rng.normal(size=rows)])


def csv(values: np.ndarray) -> bytes:
    return b"first,second\n" + "".join(f"{a!r},{b!r}\n" for a, b in values.tolist()).encode()


def test_an_upload_reaches_every_page_and_survives_page_switches() -> None:
    app = upload(app_at(score="kendall", epsilon="0.37"), ("pair.csv", PAIR))
    assert alerts(app) == []
    before = scores(app)
    assert "12 train / 12 test" in words(app)
    for page in (*PAGES[1:], "explore"):
        switched(app, page)
        assert "12 train / 12 test" in words(app)
    assert scores(app) == before
    assert app.text_input(key="epsilon_exact").value == "0.37"
    assert "Loaded: pair.csv" in words(app)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "empty"),
        ("header_only.csv", b"x,y\n", "no data rows"),
        ("login_page.csv", b"<!DOCTYPE html><html><body>Sign in, please</body></html>", "looks like a web page"),
        ("one_column.csv", b"x\n1\n2\n3\n4\n5\n", "one column and a pair needs two"),
        ("words.csv", b"a,b\nred,blue\ngreen,red\n", "two columns of numbers"),
        ("bytes.csv", bytes(range(256)) * 20, "bytes.csv"),
    ],
)
def test_a_bad_file_is_one_sentence_and_the_former_data_stay(name: str, content: bytes, said: str) -> None:
    app = app_at()
    before = scores(app)
    upload(app, (name, content))
    assert len(alerts(app)) == 1
    assert said in alerts(app)[0]
    assert "every page still shows Synthetic: random smooth curve." in alerts(app)[0]
    assert "Shown: Synthetic: random smooth curve." in words(app).replace("\\", "")
    assert app.sidebar.file_uploader[0].value == []
    assert scores(app) == before
    for page in PAGES[1:]:
        switched(app, page)
        assert "1,000 train / 1,000 test" in words(app)


def test_ragged_lines_are_named_and_not_used() -> None:
    app = uploaded(("ragged.csv", b"x,y\n1,2\n3,4\n5,6,7\n8,9\n10\n11,12\n" + b"13,7\n14,9\n" * 3))
    said = words(app)
    assert "5 train / 5 test" in said
    assert all(f"line {number}" in said for number in (4, 6)) or "lines 4" in said


def test_a_bad_file_after_a_good_one_leaves_the_good_one() -> None:
    app = uploaded(("pair.csv", PAIR))
    before = scores(app)
    upload(app, ("empty.csv", b""))
    assert len(alerts(app)) == 1
    assert scores(app) == before


def test_a_workbook_named_csv_opens() -> None:
    app = uploaded(("really_xlsx.csv", workbook()))
    assert alerts(app) == []
    assert "12 train / 12 test" in words(app)


def test_hostile_names_appear_character_for_character() -> None:
    app = uploaded(("names.csv", f'"=1+1","{HOSTILE}"\n{ROWS}'.encode()))
    shown = app.selectbox(key="y")
    assert HOSTILE in shown.options
    assert "=1+1" in shown.options
    assert f"`{HOSTILE}`" in words(app)
    for page in PAGES[1:]:
        switched(app, page)
        assert f"`{HOSTILE}`" in words(app)


def test_identifiers_come_last_and_labels_are_distinct() -> None:
    rows = "".join(f"{k},{k % 7},{(k % 7) ** 2 + k % 3}\n" for k in range(1, 41))
    app = uploaded(("id.csv", f"id,value,value\n{rows}".encode()))
    options = app.selectbox(key="x").options
    assert options[-1] == "id"
    assert len(set(options)) == 3
    assert (app.selectbox(key="x").value, app.selectbox(key="y").value) == (1, 2)


def test_sentinels_are_kept_until_they_are_called_missing() -> None:
    marked = "".join(f"{k % 10}.5,{-999 if k % 20 == 3 else k % 10}\n" for k in range(60))
    app = uploaded(("marked.csv", f"x,y\n{marked}".encode()))
    assert "30 train / 30 test" in words(app)
    app.checkbox(key="sentinels_missing").check().run()
    assert not app.exception
    assert "57 " not in words(app) or "train" in words(app)
    assert "29 train / 28 test" in words(app)


def test_a_zip_offers_its_pairs() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in (1, 2):
            archive.writestr(f"pair000{number}.txt", ROWS.replace(",", " ") * number)
        archive.writestr("pairmeta.txt", "0001 1 1 2 2 1\n0002 2 2 1 1 1\n")
    app = uploaded(("pairs.zip", packed.getvalue()))
    assert app.selectbox(key="item").options == ["pair0001", "pair0002"]
    app.selectbox(key="item").set_value(1).run()
    assert not app.exception
    assert "24 train / 24 test" in words(app)
    assert scene(app)["known"] == -1


def test_an_iqr_of_zero_is_said_in_words() -> None:
    rows = "".join(f"{k * 37 % 101},{3 if k % 5 else k * 53 % 97}\n" for k in range(80))
    app = uploaded(("flat.csv", f"x,y\n{rows}".encode()), score="iqr")
    assert "IQR is zero" in scores(app)["IQR"].values()
    shown = " ".join([words(app), *(str(one.value) for one in app.table)])
    assert re.search(r"(?<!\w)-?inf(?!\w)", shown) is None
    assert "without end" in words(app)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x,y\n" + b"".join(b"%d,3\n" % k for k in range(40)), "constant"),
        (b"x,y\n" + b"".join(b"%d,%d\n" % (k, 2 * k) for k in range(60)), "predicts it exactly"),
    ],
)
def test_a_pair_without_residual_variation_is_undecided_not_an_error(content: bytes, said: str) -> None:
    app = upload(app_at(), ("flat.csv", content))
    assert said in words(app)
    for page in (*PAGES[1:], "explore"):
        assert said in words(switched(app, page))
    assert said in scene(app)["why"]
    assert scores(app)["Kendall"]["ε agrees"] == "50\u00a0%"


FEW = b"x,y\n1,2\n2,3\n3,5\n4,4\n5,9\n"


@pytest.mark.parametrize("few", [FEW, FEW + b"6,\n,7\n8,\n,9\n1,\n"], ids=["rows", "complete rows"])
def test_a_file_too_short_for_any_verdict_leaves_the_former_data(few: bytes) -> None:
    app = uploaded(("pair.csv", PAIR))
    before = scores(app)
    upload(app, ("few.csv", few))
    assert len(alerts(app)) == 1
    assert "few.csv: a pair needs at least 8 complete rows" in alerts(app)[0]
    assert "every page still shows pair.csv" in alerts(app)[0]
    assert scores(app) == before


def test_too_few_rows_in_both_chosen_columns_are_one_sentence_on_every_page() -> None:
    app = uploaded(("few.csv", b"x,y,z\n1,2,3\n2,3,5\n3,5,5\n4,4,7\n5,9,8\n" + b"6,,1\n7,,2\n" * 5))
    for page in ("explore", *PAGES[1:]):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert len(app.error) == 1
        assert "complete rows" in app.error[0].value


def test_two_sessions_know_nothing_of_each_other() -> None:
    first = uploaded(("alice.csv", PAIR))
    second = app_at()
    assert "alice.csv" not in words(second)
    assert "1,000 train / 1,000 test" in words(second)
    upload(second, ("bob.csv", csv(table(60, 1))))
    first.run()
    assert "12 train / 12 test" in words(first)
    assert "bob.csv" not in words(first)


def test_data_sets_of_sixty_thousand_rows_that_differ_in_one_never_share_a_result() -> None:
    values = table(60_000, 0)
    neighbour = values.copy()
    neighbour[31_415] = (40.0, -40.0)
    app = uploaded(("d.csv", csv(values)))
    before = scores(app)
    upload(app, ("d.csv", csv(neighbour)))
    after = scores(app)
    assert before["Spearman"]["true x → y"] != after["Spearman"]["true x → y"] or before["HSIC"] != after["HSIC"]
    fresh = scores(uploaded(("d.csv", csv(neighbour))))
    assert fresh == after


def test_an_address_that_says_upload_asks_for_the_file_again() -> None:
    app = app_at(data="upload")
    assert len(alerts(app)) == 1
    assert "upload the file again" in alerts(app)[0]


def test_columns_that_cannot_be_chosen_are_listed_with_their_reason_and_no_cell() -> None:
    rows = "".join(f"{k * 37 % 101},{k * 53 % 97},{'mf'[k % 2]},2026-01-{k % 28 + 1:02d}\n" for k in range(40))
    app = uploaded(("table.csv", f"x,y,sex,day\n{rows}".encode()))
    (listed,) = (one for one in app.sidebar.expander if one.label == "2 other columns")
    said = [one.value for one in listed.text]
    assert [one.split(": ")[0] for one in said] == ["sex", "day"]
    assert all(one.split(": ")[1] for one in said)
    assert not any("2026" in one or one == "m" for one in said)
    assert app.selectbox(key="x").options == ["x", "y"]


def test_numbers_that_can_be_read_both_ways_are_a_choice_on_the_page_that_can_be_changed() -> None:
    rows = "".join(f"{k * 37 % 91};{1 + k % 9},{100 + k * 7 % 900}\n" for k in range(60))
    app = uploaded(("both.csv", f"a;b\n{rows}".encode()))
    assert any("decimal point or with a decimal comma" in alert for alert in alerts(app))
    app.button(key="read_comma").click().run()
    assert alerts(app) == []
    assert 1.0 < max(float(end) for end in scene(app)["ends"][2:]) < 10.0
    app.button_group(key="file_decimal").set_value(DecimalMark.POINT).run()
    assert 1_000.0 < max(float(end) for end in scene(app)["ends"][2:]) < 10_000.0
    upload(app, ("pair.csv", PAIR))
    assert "file_decimal" not in [one.key for one in app.button_group]
