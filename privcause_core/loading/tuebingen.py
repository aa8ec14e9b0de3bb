"""Cause-effect pairs in the Tübingen form: ``pair0001.txt`` and so on, with ``pairmeta.txt`` beside them."""

import re
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from privcause_core.errors import DataError
from privcause_core.loading.encoding import to_utf8
from privcause_core.loading.table import Table
from privcause_core.loading.wording import counted, rows_named
from privcause_core.pair import Direction, Pair

META_NAME = "pairmeta.txt"
_PAIR_FILE = re.compile(r"pair0*(\d{1,9})\.(?:txt|csv|tsv|dat)", re.IGNORECASE)
_META_LINE = re.compile(r"\s*(\d{1,9})((?:\s+\d{1,9}){4})(?:\s+(\d*[.,]?\d+(?:[eE][+-]?\d+)?))?\s*")


@dataclass(frozen=True, slots=True)
class PairMeta:
    """One line of ``pairmeta.txt``.

    Parameters
    ----------
    cause, effect : (first, last) column, from 1
    weight : float
        Share in weighted accuracies, >= 0.
    """

    cause: tuple[int, int]
    effect: tuple[int, int]
    weight: float = 1.0

    @property
    def is_multivariate(self) -> bool:
        """Return whether the cause or the effect spans several columns."""
        return self.cause[0] != self.cause[1] or self.effect[0] != self.effect[1]


def pair_number(path: str) -> int | None:
    """Return the number in a file name such as ``pair0047.txt``, or None if it has another form."""
    match = _PAIR_FILE.fullmatch(PurePosixPath(path).name)
    return int(match[1]) if match else None


def read_pairmeta(data: bytes) -> tuple[dict[int, PairMeta], tuple[str, ...]]:
    """Return what each pair number's line says, and notes on lines that say nothing or contradict a former one.

    Of lines that contradict each other none counts: the pair has no known truth then.

    The form is ``number  cause-first cause-last  effect-first effect-last  weight``.
    """
    metas: dict[int, PairMeta] = {}
    unread, against = [], set[int]()
    for line_number, line in enumerate(to_utf8(data)[0].decode("utf-8").split("\n"), 1):
        match = _META_LINE.fullmatch(line)
        if match:
            number, meta = int(match[1]), _meta(match)
            if metas.setdefault(number, meta) != meta:
                against.add(number)
        elif line.strip() and not line.lstrip().startswith("#"):
            unread.append(line_number)
    return {n: meta for n, meta in metas.items() if n not in against}, _meta_notes(unread, sorted(against))


def _meta(match: re.Match[str]) -> PairMeta:
    a, b, c, d = map(int, match[2].split())
    return PairMeta((a, b), (c, d), float((match[3] or "1").replace(",", ".")))


def _meta_notes(unread: list[int], against: list[int]) -> tuple[str, ...]:
    notes = []
    if unread:
        form = "number, cause from-to, effect from-to, weight"
        notes.append(f"{META_NAME}: not of the form '{form}': {rows_named('line', unread)}.")
    if against:
        numbers = rows_named("pair", against)
        notes.append(f"{META_NAME} has lines that contradict each other for {numbers}; their truth counts as unknown.")
    return tuple(notes)


def tuebingen_pair(table: Table, name: str, meta: PairMeta | None) -> Pair:
    """Make the pair of a file, in file order, with the truth and weight of its line in ``pairmeta.txt``.

    Raises
    ------
    DataError
        If the pair is multivariate, or the columns named are not there.
    """
    if meta is None:
        if len(table.columns) != 2:
            raise DataError(
                f"the file has {counted(len(table.columns), 'column')} and {META_NAME} does not say which two to use."
            )
        return table.pair(0, 1, name=name)
    refuse_multivariate(meta)
    cause, effect = meta.cause[0] - 1, meta.effect[0] - 1
    pair = table.pair(min(cause, effect), max(cause, effect), name=name)
    truth = Direction.X_TO_Y if cause < effect else Direction.Y_TO_X
    return replace(pair, truth=truth, weight=meta.weight)


def refuse_multivariate(meta: PairMeta) -> None:
    """Raise DataError if the cause or the effect has several columns: cut to one it would be another pair."""
    if meta.is_multivariate:
        raise DataError("multivariate, not scored: its cause or effect has more than one column.")
