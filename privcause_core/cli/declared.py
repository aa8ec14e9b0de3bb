"""How a file to release from is read: declared by flags, proposed by its first line; never inferred from its cells."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from privcause_core.cli.common import decimal_mark, load
from privcause_core.errors import DataError, ParameterError
from privcause_core.loading import Grouping, Loaded, load_bytes, why_no_file
from privcause_core.loading.disk import file_entry
from privcause_core.loading.guard import named
from privcause_core.loading.kind import Kind, kind_of
from privcause_core.loading.proposal import (
    changed,
    first_fields,
    holds_a_number,
    in_words,
    leaves_open,
    missing_marks,
    proposed,
)
from privcause_core.loading.reading import ENCODINGS, SEPARATORS, Reading
from privcause_core.samples import PREFIX
from privcause_core.text.typed import parse_whole

INFERRED = (
    "Note: this is read as the other commands read it, and there one cell can decide how others are read. To declare "
    "the reading, release from one table that is a file of its own."
)


@dataclass(frozen=True, slots=True)
class Source:
    """What to release from.

    Attributes
    ----------
    loaded : Loaded
    reading : Reading, optional
        How it is declared to be read; None where it cannot be.
    words : str
        The reading, for a sentence.
    proposed : bool
        How numbers are written was not declared: it stands as the first line, or nothing at all, proposes it.
    """

    loaded: Loaded
    reading: Reading | None = None
    words: str = ""
    proposed: bool = False

    @property
    def note(self) -> str:
        """Return what is said of the reading before anything is spent; empty for a sample."""
        if self.reading is None:
            return self.words
        how = "proposed by the first line" if self.proposed else "declared"
        return f"Read as {how}: {self.words}; what cannot be read so is missing."


_FLAGS = ("separator", "grouping", "encoding", "skip", "header", "row_names", "missing", "sheet")


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what declares how the file is read."""
    parser.add_argument("--separator", choices=tuple(SEPARATORS), help="between fields; else as the first line shows")
    parser.add_argument("--grouping", choices=[str(one) for one in Grouping], help="of thousands (none)")
    parser.add_argument(
        "--header", action=argparse.BooleanOptionalAction, help="whether a line names the columns (yes)"
    )
    parser.add_argument("--skip", metavar="N", help="lines above the table (0)")
    parser.add_argument("--row-names", action="store_true", default=None, help="row names in front, as R writes them")
    parser.add_argument("--missing", metavar="MARKS", help='more marks of missing values, as in "-999 n.d."')
    parser.add_argument("--encoding", choices=ENCODINGS)
    parser.add_argument(
        "--yes",
        action="store_true",
        help="release a new table as its file is proposed to be read, without asking at the terminal",
    )
    parser.add_argument("--sheet", metavar="NAME", help="of a workbook (the first)")


def load_declared(args: argparse.Namespace) -> Source:
    """Load what to release from, as far as possible as it is declared to be read.

    Raises
    ------
    DataError, ParameterError
        If it cannot be read, or its first line leaves open whether it names the columns.
    """
    data = _one_table(args)
    if data is None:
        if given := [name for name in _FLAGS if getattr(args, name) is not None]:
            raise ParameterError(f"--{given[0].replace('_', '-')} declares how a file with one table is read.")
        return Source(load(args.file, args.decimal), words="" if args.file.startswith(PREFIX) else INFERRED)
    name = Path(args.file).name
    with named(name):
        reading = changed(data, proposed(data), **_changes(args))
    if reading.header and args.header is None and holds_a_number(first_fields(data, reading)):
        raise DataError(
            f"{name}: the first line holds a number: say --header if it names the columns, --no-header if not."
        )
    with named(name):
        is_open = (args.decimal is None or args.grouping is None) and not args.yes and leaves_open(data)
    return Source(load_bytes(data, name, reading=reading), reading, in_words(data, reading), is_open)


def _one_table(args: argparse.Namespace) -> bytes | None:
    """Return the file, if it is one that holds a single table."""
    path = Path(args.file)
    if not args.file or args.file.startswith(PREFIX) or args.pair is not None or why_no_file(path):
        return None
    data = file_entry(path).read()
    with named(path.name):
        return data if data and kind_of(data) is not Kind.ARCHIVE else None


def _changes(args: argparse.Namespace) -> dict[str, object]:
    given = {name: getattr(args, name) for name in ("separator", "encoding", "header", "row_names", "sheet")}
    changes: dict[str, object] = {name: value for name, value in given.items() if value is not None}
    if args.decimal is not None:
        changes["decimal"] = decimal_mark(args.decimal)
    if args.grouping is not None:
        changes["grouping"] = Grouping(args.grouping)
    if args.skip is not None:
        changes["skip"] = parse_whole("skip", args.skip)
    return changes | missing_marks((args.missing or "").split())
