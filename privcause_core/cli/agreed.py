"""Before the first charge of a table: whoever sits at a terminal agrees to a reading that was not declared.

That a file has grouped numbers cannot be told from its first line, and no cell may be asked. A script, which nobody
could answer for, goes on with the reading that it prints, as ever.
"""

import argparse
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from privcause_core.cli.common import ChosenPair
from privcause_core.cli.declared import Source
from privcause_core.errors import NoCompleteRowError, ParameterError
from privcause_core.loading import Reading
from privcause_core.release import Account
from privcause_core.text.names import isolated

_QUESTION = "Is the file written so? The release spends budget, and what is written otherwise is missing. [y/N] "


def agree(source: Source, account: Account | None, chosen: ChosenPair, args: argparse.Namespace) -> None:
    """Return if the reading is declared, known or confirmed, or nobody can be asked; nothing was charged otherwise.

    Raises
    ------
    ParameterError
        Naming the flags that declare a reading.
    """
    if source.reading is None or not source.proposed or _is_known(source.reading, account, chosen):
        return
    if account is not None and account.readings:
        raise ParameterError(
            f"Nothing was charged: this table's last release read it with {_flags(_last(account))}, and now "
            f"{_flags(source.reading)} is proposed; declare one of them (a reading by itself opens no new budget)."
        )
    if args.json or not sys.stdin.isatty():
        return
    sys.stderr.write(_QUESTION)
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise ParameterError("Nothing was charged: say --decimal and --grouping as the file writes numbers.")


def other_reading(source: Source, account: Account | None) -> list[str]:
    """Return a note if the reading is not that of the table's last release, and is not refused."""
    if source.reading is None or account is None or not account.readings:
        return []
    if source.proposed and not _writes_numbers_so(source.reading, account):
        return []
    last = _last(account)
    if _flags(last) == _flags(source.reading):
        return []
    return [
        f"Note: the last release of this table read it with {_flags(last)}, this one with {_flags(source.reading)}; "
        "they share one budget."
    ]


@contextmanager
def remedied(source: Source) -> Iterator[None]:
    """Add to a refusal for lack of numbers what may cure it, where the reading was declared."""
    try:
        yield
    except NoCompleteRowError as error:
        if source.reading is None:
            raise
        raise NoCompleteRowError(
            f"{str(error).removesuffix('.')}, read with {source.words}; if it has, declare how it is written "
            "(--decimal, --grouping, --separator, --encoding), else choose other columns."
        ) from None


def _is_known(reading: Reading, account: Account | None, chosen: ChosenPair) -> bool:
    """Say whether a table was released with numbers read so, or (before readings were kept) with these very values."""
    if account is None:
        return False
    if account.readings:
        return _writes_numbers_so(reading, account)
    return {chosen.pair.x_name, chosen.pair.y_name} <= set(account.matched)


def _writes_numbers_so(reading: Reading, account: Account) -> bool:
    former = map(Reading.from_dict, account.readings)
    return any((one.decimal, one.grouping) == (reading.decimal, reading.grouping) for one in former)


def _last(account: Account) -> Reading:
    return Reading.from_dict(account.readings[-1])


def _flags(reading: Reading) -> str:
    """Return a reading as the flags that declare it."""
    marks = " ".join([*reading.missing, *(f"{number:g}" for number in reading.sentinels)])
    more = (
        ("skip", reading.skip and str(reading.skip)),
        ("missing", marks),
        ("encoding", reading.encoding != "utf-8" and reading.encoding),
        ("sheet", reading.sheet),
    )
    parts = [
        f"--separator {reading.separator} --decimal {reading.decimal.word} --grouping {reading.grouping}",
        "--header" if reading.header else "--no-header",
        *(["--row-names"] if reading.row_names else []),
        *(f"--{name} {isolated(shlex.quote(value))}" for name, value in more if value),
    ]
    return " ".join(parts)
