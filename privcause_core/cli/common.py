"""What several commands share: reading a pair, reading settings, printing JSON."""

import argparse
import json
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from privcause_core.cli.paths import read_text
from privcause_core.errors import DataError, ParameterError
from privcause_core.loading import DecimalMark, Loaded, Table, load_path
from privcause_core.loading.settings_file import settings_values
from privcause_core.pair import Pair
from privcause_core.samples import PREFIX
from privcause_core.samples.address import load_address
from privcause_core.scores import all_scores
from privcause_core.settings import ALL_SCORES, Settings, knobs
from privcause_core.text.names import harmless, isolated, machine_text
from privcause_core.text.typed import parse_decimal


@dataclass(frozen=True, slots=True, eq=False)
class ChosenPair:
    """A pair and, where it is two columns of a table, that table and their positions."""

    pair: Pair
    table: Table | None = None
    x: int = 0
    y: int = 1


def add_pair_arguments(parser: argparse.ArgumentParser) -> None:
    """Add FILE and the choice of pair and columns."""
    parser.add_argument("file", metavar="FILE", help="a file, a directory, or sample:NAME")
    parser.add_argument("--pair", metavar="NAME", help="which pair or table of the file")
    parser.add_argument("--x", metavar="COL", help="column X, by name or number from 1")
    parser.add_argument("--y", metavar="COL", help="column Y, by name or number from 1")
    add_decimal_argument(parser)
    parser.add_argument("--sentinels-missing", action="store_true", help="treat markers such as -999 as missing")


def add_decimal_argument(parser: argparse.ArgumentParser) -> None:
    """Add the choice of the decimal mark for files whose numbers can be read both ways."""
    marks = [mark.word for mark in DecimalMark]
    parser.add_argument("--decimal", choices=marks, help="the decimal mark, where the file's numbers leave it open")


def add_settings_arguments(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add a flag for each named setting (all of them by default), and ``--settings FILE``."""
    for name in names or knobs():
        parser.add_argument(f"--{name.replace('_', '-')}", dest=name, metavar="VALUE", help=setting_help(name))
    parser.add_argument("--settings", metavar="YAML", help="a settings file; flags win over it")


def setting_help(name: str) -> str:
    """Return one line about a setting, with its choices."""
    knob, choices = knobs()[name], getattr(Settings(), name)
    if name == "score":
        return f"{knob.help}: {', '.join(score.name for score in all_scores())} or {ALL_SCORES}"
    return f"{' or '.join(type(choices))}: {knob.help}" if isinstance(choices, StrEnum) else knob.help


def settings_from(args: argparse.Namespace) -> Settings:
    """Return the settings of the flags over those of ``--settings``.

    Raises
    ------
    ParameterError, DataError
        If a value is out of range or the file cannot be read.
    """
    values: dict[str, object] = {}
    if args.settings is not None:
        values.update(_settings_file(args.settings))
    values.update({name: getattr(args, name) for name in knobs() if getattr(args, name, None) is not None})
    return Settings.from_dict(values)


def epsilons_from(text: str) -> tuple[float, ...]:
    """Return the numbers of a comma-separated list."""
    return tuple(float(parse_decimal("epsilons", part)) for part in text.split(","))


def decimal_mark(word: str | None) -> DecimalMark | None:
    """Return the mark that ``--decimal`` names, if any."""
    return DecimalMark[word.upper()] if word else None


def load(name: str, decimal: str | None = None) -> Loaded:
    """Load a path or a sample; ``decimal`` as ``--decimal`` takes it.

    Raises
    ------
    DataError, ParameterError
        If it cannot be read, or there is no such sample.
    """
    if not name:
        raise DataError(f"Expected a file, a directory or {PREFIX}NAME, got an empty path.")
    if name.startswith(PREFIX):
        return Loaded(tables=(), pairs=(load_address(name),), rejected=(), notes=())
    try:
        return load_path(Path(name), decimal=decimal_mark(decimal))
    except OSError as error:
        raise DataError(f"Cannot read that path: {error.strerror}.") from None


def choose_pair(loaded: Loaded, args: argparse.Namespace) -> ChosenPair:
    """Return the pair that --pair, --x and --y choose.

    Raises
    ------
    DataError
        If the choice is missing, ambiguous or not there; the sentence lists what is.
    """
    chosen = choose_source(loaded, args.pair)
    if isinstance(chosen, Table):
        return _columns_of(chosen, args)
    if args.x is not None or args.y is not None:
        chosen = _turned(chosen, args)
    return ChosenPair(chosen)


def choose_source(loaded: Loaded, name: str | None) -> Pair | Table:
    """Return the pair or table of that name; without a name the only one there is, or the first table."""
    sources: list[Pair | Table] = [*loaded.tables, *loaded.pairs]
    if name is None:
        usable = [table for table in loaded.tables if len(table.numeric_columns) >= 2]
        if usable or len(sources) == 1:
            return (usable or sources)[0]
    else:
        named = [source for source in sources if source.name == name]
        if len(named) == 1:
            return named[0]
        refused = [one.reason for one in loaded.rejected if one.name == name]
        if refused and not named:
            raise DataError(f"{isolated(name)}: {refused[0]}")
    listed = ", ".join(isolated(source.name) for source in sources[:20]) + (", ..." if len(sources) > 20 else "")
    raise DataError(f"Choose one with --pair: {listed}.")


def say(*lines: str) -> None:
    """Print lines for people on standard output."""
    sys.stdout.write("".join(f"{harmless(line)}\n" for line in lines))


def say_json(value: object) -> None:
    """Print one JSON document; NaN and infinities are refused rather than written."""
    say(machine_text(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)))


def _columns_of(table: Table, args: argparse.Namespace) -> ChosenPair:
    given = [table.column_index(key) for key in (args.x, args.y) if key is not None]
    if len(given) == 2:
        x, y = given
    elif given:
        raise DataError("Give both --x and --y, or neither.")
    else:
        x, y = table.default_columns()
    return ChosenPair(table.pair(x, y, sentinels_missing=args.sentinels_missing), table, x, y)


def _turned(pair: Pair, args: argparse.Namespace) -> Pair:
    names = {pair.x_name: "x", "1": "x", pair.y_name: "y", "2": "y"}
    chosen = [names.get(key) for key in (args.x, args.y)]
    if chosen == ["x", "y"]:
        return pair
    if chosen == ["y", "x"]:
        return pair.swapped()
    raise DataError(
        f"Pair {isolated(pair.name)} has the columns {isolated(pair.x_name)} and {isolated(pair.y_name)}; "
        "give both to --x and --y."
    )


def _settings_file(typed: str) -> dict[str, object]:
    try:
        return settings_values(read_text(typed, "settings"))
    except ParameterError as error:
        raise DataError(f"Cannot read settings from {typed!r}. {error}") from None


def read_certificate(typed: str) -> dict[str, object]:
    """Read a certificate's JSON object.

    Raises
    ------
    DataError
        If it cannot be opened or is not one.
    """
    text = read_text(typed, "a certificate")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise DataError(f"Cannot read a certificate from {typed!r}: it is no JSON object.")
    return values
