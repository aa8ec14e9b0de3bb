"""What the house promises its visitors: a small core with nothing above it in it, and files that say their purpose."""

import ast

from tests.benchmarks.house import ROOT, arrows, room_of, sources, too_long


def test_arrows_lead_from_rooms_to_other_rooms_only():
    files = sources()
    rooms = {room_of(path) for path in files}
    found = arrows(files)
    assert found["privcause_core.verdicts", "privcause_core.noise"] > 0
    assert all({start, end} <= rooms and start != end for start, end in found)


SMALL = {
    f"privcause_core.{one}"
    for one in ("errors", "pair", "settings", "kernel_features", "noise", "scores", "fits", "verdicts", "protection")
}


def test_the_small_core_imports_nothing_of_what_stands_on_it():
    assert {end for start, end in arrows(sources()) if start in SMALL} <= SMALL | {"privcause_core.text"}


def test_the_small_core_can_be_read_in_an_afternoon():
    lines = [len((ROOT / path).read_text().splitlines()) for path in sources() if room_of(path) in SMALL]
    assert 2_000 < sum(lines) <= 3_000


def test_no_file_has_more_than_250_lines_and_no_function_more_than_40():
    assert list(too_long(sources())) == []


def test_one_line_more_than_allowed_is_found(tmp_path):
    long = tmp_path / "long.py"
    long.write_text("def f():\n" + "    x = 1\n" * 40 + "\n" * 210)
    assert list(too_long([long])) == [f"{long}: 251 lines", f"{long}: f has 41 lines"]
    long.write_text("def f():\n" + "    x = 1\n" * 39 + "\n" * 210)
    assert list(too_long([long])) == []


def test_every_module_says_what_it_is_for():
    assert [path for path in sources() if not ast.get_docstring(ast.parse((ROOT / path).read_text()))] == []
