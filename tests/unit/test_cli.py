"""The command line, in process: exit status, one-line errors, JSON that follows the documented schema."""

import contextlib
import errno
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from privcause_core.__main__ import main
from privcause_core.errors import DataError
from privcause_core.release import Ledger, certificate, stored_receipt
from privcause_core.samples import load_sample
from privcause_core.scores import all_scores
from privcause_core.version import __version__


@pytest.fixture
def pair_file(tmp_path: Path) -> Path:
    pair = load_sample("synthetic-saturation", rows=300)
    path = tmp_path / "pair.csv"
    np.savetxt(path, np.column_stack((pair.x, pair.y)), delimiter=",", header="dose,response", comments="")
    return path


def json_of(capsys: pytest.CaptureFixture[str], *argv: str) -> dict:
    assert main([*argv, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_module_runs_and_tells_its_version() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "privcause_core", "--version"], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == f"privcause {__version__}"


def test_samples_lists_every_slug(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json_of(capsys, "samples")
    assert "sample:diabetes-age-bp" in [sample["slug"] for sample in listed]


def test_inspect_gives_the_columns_fingerprints_and_the_raw_rank_correlations(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "ties.csv"
    path.write_text("a,b\n1,1\n2,2\n3,2\n,9\n4,5\n")
    report = json_of(capsys, "inspect", str(path))
    first = report["tables"][0]["columns"][0]
    assert (first["count"], first["sum"], first["distinct"], first["min"], first["max"]) == (4, 10, 4, 1, 4)
    assert report["chosen"]["rows_used"] == 4
    assert report["chosen"]["tau_a"] == pytest.approx(5 / 6)  # five concordant pairs, one tie, of six
    assert report["chosen"]["rho_a"] == pytest.approx(12 * (2.25 + 0 + 0 + 2.25) / (4 * 15))
    assert "line 5" in " ".join(report["chosen"]["notes"])


@pytest.mark.parametrize("release", ["two-scores", "direction"])
def test_analyse_json_holds_every_documented_key_for_every_score(
    capsys: pytest.CaptureFixture[str], pair_file: Path, release: str
) -> None:
    report = json_of(capsys, "analyse", str(pair_file), "--score", "all", "--release", release, "--epsilon", "2")
    assert {"schema_version", "pair", "x", "y", "n_train", "n_test", "rows_read", "rows_used", "warnings"} <= set(
        report
    )
    assert (report["x"], report["y"], report["n_train"], report["n_test"]) == ("dose", "response", 150, 150)
    assert set(report["scores"]) == {score.name for score in all_scores()}
    documented = {
        "score_xy", "score_yx", "margin", "direction", "sensitivity", "noise_scale", "probability_flip",
        "empirical_flip_rate", "empirical_low", "empirical_high", "total_epsilon", "total_delta",
        "epsilon_per_draw", "release",
    }  # fmt: skip
    for entry in report["scores"].values():
        assert documented <= set(entry)
        assert entry["empirical_low"] <= entry["empirical_flip_rate"] <= entry["empirical_high"]
    assert {"distance_to_instability", "probability_released", "shares"} <= set(report["scores"]["iqr"])
    assert sum(report["scores"]["iqr"]["shares"].values()) == pytest.approx(1.0)
    # Kendall: D = 4/150; two scores at epsilon 1 each, or one difference of sensitivity 2 D at epsilon 2.
    kendall = report["scores"]["kendall"]
    assert kendall["noise_scale"] == pytest.approx(4 / 150)
    assert kendall["epsilon_per_draw"] == (1.0 if release == "two-scores" else 2.0)


def test_laplace_scores_cost_delta_zero_whatever_delta_is_typed(
    capsys: pytest.CaptureFixture[str], pair_file: Path
) -> None:
    report = json_of(capsys, "analyse", str(pair_file), "--score", "all", "--delta", "1e-3")
    costs = {name: (entry["total_epsilon"], entry["total_delta"]) for name, entry in report["scores"].items()}
    assert costs.pop("iqr") == (1.0, 1e-3)
    assert set(costs.values()) == {(1.0, 0.0)}


def test_a_constant_column_gives_nulls_and_warnings_never_nan(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "constant.csv"
    path.write_text("x,y\n" + "".join(f"2.5,{i * i}\n" for i in range(60)))
    report = json_of(capsys, "analyse", str(path), "--score", "all")
    assert {entry["direction"] for entry in report["scores"].values()} == {"undecided"}
    assert {entry["probability_flip"] for entry in report["scores"].values()} == {0.5}
    assert report["scores"]["iqr"]["score_xy"] is None
    assert report["scores"]["hsic"]["score_xy"] == 0.0
    assert any("constant" in warning for warning in report["warnings"])


def test_columns_are_chosen_by_name_or_number_and_swapping_them_mirrors_the_scores(
    capsys: pytest.CaptureFixture[str], pair_file: Path
) -> None:
    named = json_of(capsys, "analyse", str(pair_file), "--x", "response", "--y", "dose", "--score", "hsic")
    plain = json_of(capsys, "analyse", str(pair_file), "--x", "1", "--y", "2", "--score", "hsic")
    assert (named["x"], named["y"]) == ("response", "dose")
    swapped, straight = named["scores"]["hsic"], plain["scores"]["hsic"]
    assert (swapped["score_xy"], swapped["score_yx"]) == (straight["score_yx"], straight["score_xy"])


def test_a_settings_file_is_read_and_flags_win_over_it(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.yaml"
    settings.write_text("score: hsic\nepsilon: 0.25\nseed: 7\n")
    report = json_of(capsys, "analyse", str(pair_file), "--settings", str(settings), "--epsilon", "0,5")
    assert (report["settings"]["epsilon"], report["settings"]["seed"]) == (0.5, 7)
    assert set(report["scores"]) == {"hsic"}


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["analyse"], "FILE"),
        (["analyse", "nowhere.csv"], "nowhere.csv"),
        (["analyse", "sample:nothing"], "sample:synthetic-saturation"),
        (["analyse", "sample:diabetes-age-bp", "--epsilon", "-1"], "epsilon"),
        (["analyse", "sample:diabetes-age-bp", "--epsilon", "nan"], "epsilon"),
        (["analyse", "sample:diabetes-age-bp", "--score", "pearson"], "kendall"),
        (["analyse", "sample:diabetes-age-bp", "--test-share", "0.999"], "test_share"),
        (["analyse", "sample:diabetes-age-bp", "--x", "height", "--y", "age"], "average blood pressure"),
        (["nonsense"], "nonsense"),
    ],
)
def test_bad_usage_is_one_line_on_standard_error_and_status_2(
    capsys: pytest.CaptureFixture[str], argv: list[str], part: str
) -> None:
    try:
        status = main(argv)
    except SystemExit as stopped:
        status = stopped.code
    seen = capsys.readouterr()
    assert (status, seen.out) == (2, "")
    assert len(seen.err.splitlines()) == 1
    assert part in seen.err


def test_too_few_rows_are_refused_without_a_data_value(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("x,y\n123456,1\n234567,2\n345678,4\n456789,8\n")
    assert main(["analyse", str(path)]) == 2
    message = capsys.readouterr().err
    assert "test rows" in message
    assert "123456" not in message


def test_a_release_is_charged_written_verified_and_refused_when_the_budget_is_spent(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    ledger, out = str(tmp_path / "ledger.sqlite"), tmp_path / "certificate.json"
    argv = ["release", str(pair_file), "--score", "kendall", "--epsilon", "0.6", "--ledger", ledger]
    assert main([*argv, "--budget-epsilon", "1", "--budget-delta", "1e-5", "--out", str(out)]) == 0
    issued = json.loads(out.read_text())
    assert issued["guarantee"]["epsilon"] == "0.6"
    assert main(["verify", str(out), "--ledger", ledger]) == 0
    capsys.readouterr()
    assert main(argv) == 3
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_changed_certificate_fails_verification(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    ledger, out = str(tmp_path / "ledger.sqlite"), tmp_path / "certificate.json"
    assert main(["release", str(pair_file), "--score", "kendall", "--epsilon", "0.6", "--ledger", ledger,
                 "--out", str(out)]) == 0  # fmt: skip
    issued = json.loads(out.read_text())
    issued["guarantee"]["epsilon"] = "0.1"
    out.write_text(json.dumps(issued))
    assert main(["verify", str(out), "--ledger", ledger]) == 2
    assert "FAILED" in capsys.readouterr().out


def test_without_ledger_or_key_a_certificate_is_unknown_and_the_exit_status_says_so(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    ledger, out = tmp_path / "ledger.sqlite", tmp_path / "certificate.json"
    argv = ["release", str(pair_file), "--score", "kendall", "--epsilon", "0.6", "--ledger", str(ledger)]
    assert main([*argv, "--out", str(out)]) == 0
    key = json.loads(out.read_text())["signature"]["public_key"]
    assert main(["verify", str(out)]) == 4
    assert "unknown: nothing speaks against it" in capsys.readouterr().out
    assert main(["verify", str(out), "--json"]) == 4
    assert json.loads(capsys.readouterr().out)["valid"] is None
    assert main(["verify", str(out), "--key", key.upper()]) == 0
    assert main(["verify", str(out), "--key", "ab" * 32]) == 2
    assert main(["verify", str(out), "--key", "ab"]) == 2
    assert "64 hexadecimal digits" in capsys.readouterr().err


def test_rows_of_a_person_are_said_before_spending_and_on_the_certificate(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    argv = [
        "release",
        str(pair_file),
        "--score",
        "kendall",
        "--epsilon",
        "1",
        "--protect",
        "every-row",
        "--blocks",
        "4",
    ]
    argv += ["--ledger", str(tmp_path / "ledger.sqlite"), "--rows-per-person"]
    for bad in ("0", "1.5", "many", "1e9"):
        assert main([*argv, bad]) == 2
    capsys.readouterr()
    assert main([*argv, "20", "--json"]) == 0
    seen = capsys.readouterr()
    assert "For a person with 20 rows the promise is epsilon 20" in seen.err
    assert json.loads(seen.out)["guarantee"]["person"]["best_guess"] == 0.9999999979388463


def test_a_known_table_is_told_by_which_column_it_was_recognised(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Two unrelated tables that share a running number share a budget; which column did it is said."""
    argv = ["--score", "kendall", "--epsilon", "0.1", "--ledger", str(tmp_path / "ledger.sqlite")]
    for name, column in (("one", "dose"), ("two", "income")):
        rows = "".join(
            f"{k},{k * 7919 % 1009 + len(name) * 0.5 + (name == 'two') * k},{k * k % 83}.{k}\n" for k in range(60)
        )
        (tmp_path / f"{name}.csv").write_text(f"nr,{column},{column} after\n{rows}")
        columns = ["--x", column, "--y", f"{column} after"]
        every = ["--protect", "every-row", "--blocks", "2"]
        assert main(["release", str(tmp_path / f"{name}.csv"), *columns, *argv, *every]) == 0
        said = capsys.readouterr().out
        assert ("recognised by nr" in said) == (name == "two")


def test_a_release_into_a_missing_directory_is_refused_before_anything_is_charged(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    ledger = tmp_path / "ledger.sqlite"
    argv = ["release", str(pair_file), "--score", "kendall", "--epsilon", "0.6", "--ledger", str(ledger)]
    assert main([*argv, "--out", str(tmp_path / "missing" / "c.json")]) == 2
    assert not ledger.exists()
    assert "nothing was charged" in capsys.readouterr().err


@pytest.fixture
def odd_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a directory that holds a pipe, an empty folder, a write-protected file and a link to the null device."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("folder").mkdir()
    Path("kept").write_text("kept")
    Path("null").symlink_to(os.devnull)
    real = os.access  # the tests may run as one who may write everywhere
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "kept" and real(path, mode))
    return tmp_path


NOT_WRITABLE = {
    "": "its path is empty",
    "folder": "it is a directory, not a file",
    "pipe": "it is a pipe, not a file",
    "null": "it is a device, not a file",
    "kept": "write-protected",
    "absent/c.json": "there is no directory",
    "kept/c.json": "there is no directory",
    "n" * 300: "File name too long",
}


@pytest.mark.parametrize(("out", "why"), NOT_WRITABLE.items())
@pytest.mark.parametrize("command", ["release", "report", "sweep"])
def test_where_no_file_can_be_written_is_refused_before_any_work(
    capsys: pytest.CaptureFixture[str],
    odd_paths: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    out: str,
    why: str,
) -> None:
    for reader in ("declared.load", "report.load", "sweep.gather"):
        monkeypatch.setattr(f"privcause_core.cli.{reader}", lambda *_: pytest.fail("loaded the data"))
    more = {"release": ["--score", "kendall", "--epsilon", "0.1", "--ledger", "ledger.sqlite"]}.get(command, [])
    before = sorted(odd_paths.iterdir())
    assert main([command, "sample:tips-bill-tip", *more, "--out", out]) == 2
    seen = capsys.readouterr()
    assert why in seen.err
    assert len(seen.err.splitlines()) == 1
    assert ("nothing was charged" in seen.err) == (command == "release")
    assert (seen.out, sorted(odd_paths.iterdir())) == ("", before)
    assert Path("kept").read_text() == "kept"


def test_a_folder_that_may_not_be_written_to_is_refused_before_anything_is_charged(
    capsys: pytest.CaptureFixture[str], odd_paths: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(**_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", forbidden)
    argv = ["release", "sample:tips-bill-tip", "--score", "kendall", "--epsilon", "0.1", "--ledger", "ledger.sqlite"]
    assert main([*argv, "--out", "folder/c.json"]) == 2
    assert "'folder/c.json': Permission denied; nothing was charged." in capsys.readouterr().err
    assert not Path("ledger.sqlite").exists()


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_charged_result_that_cannot_be_written_in_the_end_is_printed_and_kept(
    capsys: pytest.CaptureFixture[str], odd_paths: Path, monkeypatch: pytest.MonkeyPatch, as_json: list[str]
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", full)
    argv = ["release", "sample:tips-bill-tip", "--score", "kendall", "--epsilon", "0.1", "--ledger", "ledger.sqlite"]
    assert main([*argv, "--out", "c.json", *as_json]) == 2
    seen = capsys.readouterr()
    assert seen.err.splitlines()[-1] == "privcause: Cannot write c.json: No space left on device."
    issued = json.loads(seen.out[seen.out.index("{") :])
    assert certificate(stored_receipt(Ledger(Path("ledger.sqlite")), issued["entry"])) == issued


def test_a_swept_table_that_cannot_be_written_in_the_end_is_still_summed_up(
    capsys: pytest.CaptureFixture[str], odd_paths: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise DataError("Cannot write it.")

    monkeypatch.setattr("privcause_core.cli.sweep.write_whole", gone)
    argv = ["sweep", "sample:tips-bill-tip", "--jobs", "1", "--score", "kendall", "--epsilons", "1"]
    assert main([*argv, "--out", "t.csv"]) == 2
    seen = capsys.readouterr()
    assert "1 pair scored" in seen.out
    assert seen.err == "privcause: Cannot write it.\n"


def test_a_link_is_written_through_to_its_file(odd_paths: Path) -> None:
    Path("link").symlink_to("folder/report.html")
    assert main(["report", "sample:tips-bill-tip", "--score", "kendall", "--draws", "10", "--out", "link"]) == 0
    assert Path("link").is_symlink()
    assert Path("folder/report.html").stat().st_size > 1_000


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (os.devnull, "it is a device, not a file"),
        ("pipe", "it is a pipe, not a file"),
        ("absent", "there is no such file"),
        ("folder", "directory"),
        ("", "empty path"),
    ],
)
def test_what_is_no_file_is_refused_in_one_true_sentence(
    capsys: pytest.CaptureFixture[str], odd_paths: Path, path: str, why: str
) -> None:
    release = ["--score", "kendall", "--epsilon", "0.1", "--ledger", "ledger.sqlite"]
    commands = (
        ["inspect", path], ["analyse", path], ["report", path, "--out", "r.html"], ["release", path, *release],
        ["sweep", path], ["sweep", path, "kept"], ["verify", path], ["report", "--public", path, "--out", "r.html"],
        ["analyse", "sample:tips-bill-tip", "--settings", path],
    )  # fmt: skip
    for command in commands:
        assert main(command) == 2
        seen = capsys.readouterr()
        assert (seen.out, len(seen.err.splitlines())) == ("", 1)
        assert why in seen.err or (path == "" and "path is empty" in seen.err), command


@pytest.mark.parametrize("ledger", ["", ".", "folder", "pipe", "null"])
def test_a_ledger_that_can_be_no_file_is_refused(
    capsys: pytest.CaptureFixture[str], odd_paths: Path, ledger: str
) -> None:
    argv = ["release", "sample:tips-bill-tip", "--score", "kendall", "--epsilon", "0.1", "--ledger", ledger]
    assert main(argv) == 2
    assert "Cannot keep a ledger at" in capsys.readouterr().err
    assert not list(odd_paths.glob("*.secret"))


@pytest.mark.parametrize("end", ["\n", "\r", "\u2028", "\x85", "\x1c"])
def test_a_line_end_in_an_argument_leaves_the_error_on_one_line(capsys: pytest.CaptureFixture[str], end: str) -> None:
    odd = f"one{end}two"
    for argv in (["inspect", "f", odd], ["inspect", "f", f"--{odd}"], [odd], ["inspect", odd], ["verify", odd],
                 ["sweep", "sample:tips-bill-tip", "--out", f"{odd}/x"]):  # fmt: skip
        with contextlib.suppress(SystemExit):
            main(argv)
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_release_never_lets_private_values_choose_rows_or_columns(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    ledger = tmp_path / "ledger.sqlite"
    argv = ["--score", "kendall", "--epsilon", "0.1", "--ledger", str(ledger)]
    assert main(["release", str(pair_file), "--sentinels-missing", *argv]) == 2
    assert "private values" in capsys.readouterr().err
    three = tmp_path / "three.csv"
    three.write_text("a,b,c\n" + "".join(f"{k},{k * k % 7},{k * 3 % 11}\n" for k in range(60)))
    assert main(["release", str(three), *argv]) == 2
    assert "--x and --y" in capsys.readouterr().err
    assert not ledger.exists()
    assert main(["release", str(three), "--x", "b", "--y", "c", *argv]) == 0


def test_the_same_table_in_a_zip_meets_its_budget_even_with_gaps_in_both_columns(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = [[str(k % 17 + k / 100), str(k * k % 23)] for k in range(60)]
    rows[3][0] = rows[5][1] = ""
    text = "x,y\n" + "".join(f"{','.join(row)}\n" for row in rows)
    (tmp_path / "t.csv").write_text(text)
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("t.csv", text)
    argv = ["--score", "kendall", "--epsilon", "1", "--ledger", str(tmp_path / "ledger.sqlite")]
    assert main(["release", str(tmp_path / "t.csv"), *argv]) == 0
    assert main(["release", str(tmp_path / "t.zip"), *argv]) == 3
    assert "remaining" in capsys.readouterr().err


def test_a_file_name_that_is_no_text_is_released_and_written(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "bad\udcff.csv"
    odd.write_bytes(pair_file.read_bytes())
    argv = ["--score", "kendall", "--epsilon", "1", "--ledger", str(tmp_path / "ledger.sqlite")]
    assert main(["release", str(odd), *argv, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pair"]["name"] == "bad?.csv"


def test_a_changed_certificate_gets_no_public_report(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path
) -> None:
    out = tmp_path / "certificate.json"
    argv = ["--score", "kendall", "--epsilon", "1", "--ledger", str(tmp_path / "ledger.sqlite"), "--out", str(out)]
    assert main(["release", str(pair_file), *argv]) == 0
    issued = json.loads(out.read_text())
    page = tmp_path / "report.html"
    for changed in (issued | {"true_margin": 0.5}, issued | {"guarantee": issued["guarantee"] | {"epsilon": "0.001"}}):
        out.write_text(json.dumps(changed))
        assert main(["report", "--public", str(out), "--out", str(page)]) == 2
        assert main(["verify", str(out)]) == 2
    assert not page.exists()
    capsys.readouterr()


def test_analyse_says_who_is_protected(capsys: pytest.CaptureFixture[str], pair_file: Path) -> None:
    assert main(["analyse", str(pair_file), "--protect", "every-row"]) == 0
    assert "every row is protected" in capsys.readouterr().out


@pytest.mark.parametrize(
    "argv",
    [
        ["analyse", "sample:synthetic-saturation?rows=1e999999999"],
        ["sweep", "sample:tips-bill-tip", "--shuffle", "-1"],
        ["sweep", "sample:tips-bill-tip", "--jobs", "1e9"],
        ["inspect", "x" * 5000],
    ],
)
def test_absurd_numbers_and_names_are_refused_in_one_line(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    assert main(argv) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_values_near_the_end_of_the_doubles_give_null_sums(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    path.write_text("x,y\n" + "".join(f"{'-' if k % 2 else ''}1e308,{k}\n" for k in range(0, 40, 2)))
    assert json_of(capsys, "inspect", str(path))["tables"][0]["columns"][0]["sum"] is None


RANGES = ("--route", "ridge", "--range-x", "0..8", "--range-y", "-1..2")


def test_a_sweep_can_protect_every_row_either_way(capsys: pytest.CaptureFixture[str], pair_file: Path) -> None:
    every = ("sweep", str(pair_file), "--epsilons", "1", "--jobs", "1", "--protect", "every-row")
    by_ridge = json_of(capsys, *every, *RANGES)
    assert {row["score"] for row in by_ridge["rows"]} == {"hsic", "iqr", "soft-kendall"}
    both = ("--calibration", "refined,paper", "--release", "two-scores,direction")
    by_blocks = json_of(capsys, *every, "--blocks", "4", "--score", "kendall", *both)
    (vote,) = by_blocks["rows"]  # neither makes a difference to a vote
    assert vote["release"] == "direction"
    assert vote["margin"] in range(-4, 5)
    assert vote["probability_flip"] == pytest.approx(np.exp(-abs(vote["margin"]) / 2.0) / 2.0)  # Lap(2/epsilon)
    assert main([*every, *RANGES, "--score", "kendall"]) == 2
    assert "where public ranges protect every row, got kendall" in capsys.readouterr().err


def test_a_range_may_begin_with_a_minus(capsys: pytest.CaptureFixture[str], pair_file: Path) -> None:
    apart = ("analyse", str(pair_file), "--score", "hsic", "--protect", "every-row", *RANGES)
    together = [*apart[:-2], "--range-y=-1..2"]
    assert json_of(capsys, *apart) == json_of(capsys, *together)


@pytest.mark.parametrize("command", ["analyse", "release"])
def test_too_many_blocks_are_refused_with_what_they_need(
    capsys: pytest.CaptureFixture[str], pair_file: Path, tmp_path: Path, command: str
) -> None:
    arguments = [
        command,
        str(pair_file),
        "--score",
        "hsic",
        "--epsilon",
        "1",
        "--protect",
        "every-row",
        "--blocks",
        "60",
    ]
    assert main([*arguments, *(["--ledger", str(tmp_path / "l.sqlite")] if command == "release" else [])]) == 2
    assert "got 300 complete rows for 60 blocks; use at most 37 blocks" in capsys.readouterr().err
