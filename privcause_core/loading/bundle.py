"""Several files taken together: an upload, a directory or an archive, with the tables that describe other files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath

from privcause_core.errors import DataError
from privcause_core.loading import archive
from privcause_core.loading.content import content_digest
from privcause_core.loading.encoding import codec_of, to_utf8
from privcause_core.loading.entries import Entry, Origin, reading_order
from privcause_core.loading.excel import read_workbook
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.gzipped import unpacked
from privcause_core.loading.kind import Kind, kind_of
from privcause_core.loading.loaded import Loaded, Rejected
from privcause_core.loading.pair_table import Role, find_pair_table, read_pair_table, read_targets
from privcause_core.loading.parquet import read_frame
from privcause_core.loading.spreadsheet import read_spreadsheet
from privcause_core.loading.table import Table
from privcause_core.loading.text import read_text
from privcause_core.loading.tuebingen import (
    META_NAME,
    PairMeta,
    pair_number,
    read_pairmeta,
    refuse_multivariate,
    tuebingen_pair,
)
from privcause_core.loading.wording import formulas_at_fault, listed, rows_named, shortened
from privcause_core.pair import Direction, Pair

_WORKBOOKS: dict[Kind, Callable[[bytes], tuple[Table, ...]]] = {
    Kind.EXCEL: read_workbook,
    Kind.OLD_EXCEL: partial(read_spreadsheet, what="old Excel workbook (.xls)"),
    Kind.BINARY_EXCEL: partial(read_spreadsheet, what="binary Excel workbook (.xlsb)"),
    Kind.OPEN_DOCUMENT: partial(read_spreadsheet, what="OpenDocument workbook"),
}


@dataclass(slots=True, eq=False)
class Bundle:
    """Collects what files hold; a bad one is rejected with its reason and the others load."""

    tables: list[Table] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    decimal: DecimalMark | None = None  # decides where the cells of a file leave it open
    targets: dict[str, Direction | None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def add_all(self, entries: Sequence[Entry], origin: Origin) -> None:
        """Read files that belong together, ``pairmeta.txt`` before those that it describes."""
        metas: dict[int, PairMeta] = {}
        together = len(entries) > 1 or origin is not Origin.UPLOAD
        for entry in sorted(entries, key=lambda one: reading_order(one, META_NAME)):
            number = pair_number(entry.base) if together else None
            try:
                if together and entry.base.lower() == META_NAME:
                    metas.update(self._read_meta(entry))
                elif number is not None:
                    self._add_numbered(entry, metas.get(number))
                else:
                    self._add(entry, origin, together=together)
            except DataError as error:
                self.rejected.append(Rejected(entry.stem if number is not None else entry.base, str(error)))
        if absent := sorted(metas.keys() - {pair_number(entry.base) for entry in entries}):
            self.notes.append(f"{META_NAME} describes pairs whose files are not there: {rows_named('number', absent)}.")

    def finish(self) -> Loaded:
        """Give the pairs their targets and return everything.

        Raises
        ------
        DataError
            If nothing could be loaded.
        """
        if not (self.tables or self.pairs):
            raise DataError(self._nothing())
        for place, pair in enumerate(self.pairs):
            if self.targets.get(pair.name):
                self.pairs[place] = replace(pair, truth=self.targets[pair.name])
        if absent := sorted(self.targets.keys() - {pair.name for pair in self.pairs}):
            self.notes.append(f"The targets name pairs that are not there: {listed(map(shortened, absent))}.")
        return Loaded(tuple(self.tables), tuple(self.pairs), tuple(self.rejected), tuple(self.notes))

    def _nothing(self) -> str:
        if self.targets and not self.rejected:
            return "the file holds targets only; load it together with its table of pairs."
        if not self.rejected:
            return "there are no files that can hold data."
        first = f"{self.rejected[0].name}: {self.rejected[0].reason}"
        return first if len(self.rejected) == 1 else f"nothing of {len(self.rejected)} could be loaded; {first}"

    def _read_meta(self, entry: Entry) -> dict[int, PairMeta]:
        metas, notes = read_pairmeta(entry.read())
        self.notes.extend(notes)
        return metas

    def _add_numbered(self, entry: Entry, meta: PairMeta | None) -> None:
        if meta:
            refuse_multivariate(meta)
        text, notes = to_utf8(entry.read())
        table = read_text(text, entry.base, notes)
        self._add_pair(tuebingen_pair(self._decided(table), entry.stem, meta))

    def _add(self, entry: Entry, origin: Origin, *, together: bool) -> None:
        data = entry.read()
        kind = kind_of(data)
        if kind is Kind.ARCHIVE:
            self._add_archive(data, origin)
        elif kind is Kind.GZIP:
            self._add(Entry(entry.stem, partial(unpacked, data)), origin, together=together)
        elif kind in _WORKBOOKS:
            sheets = _WORKBOOKS[kind](data)
            if all(len(sheet.numeric_columns) < 2 for sheet in sheets):
                raise DataError(
                    f"no sheet of the workbook has the two columns of numbers that a pair needs{_why(sheets)}."
                )
            sheets = tuple(replace(sheet, content=content_digest(data, sheet.name)) for sheet in sheets)
            self._add_tables(
                [replace(sheet, name=f"{entry.base}: {sheet.name}") if together else sheet for sheet in sheets]
            )
        elif kind in (Kind.PARQUET, Kind.FEATHER):
            self._add_table(read_frame(data, entry.base, kind), data, origin)
        else:
            self._add_text(data, entry.base, origin)

    def _add_text(self, data: bytes, name: str, origin: Origin) -> None:
        text, notes = to_utf8(data)
        found = find_pair_table(text)
        if not found:
            table = read_text(text, name, notes)
            if table.reading:
                table = replace(table, reading=replace(table.reading, encoding=codec_of(data)))
            self._add_table(table, data, origin)
            return
        self.notes.extend(notes)
        if found[0] is Role.TARGETS:
            targets, odd = read_targets(text, found[1])
            self.targets.update(targets)
            if odd:
                self.notes.append(f"Targets other than 1, -1 and 0 are left out: {listed(odd)}.")
        else:
            found_pairs = read_pair_table(text, found[1], name, self.decimal)
            self.rejected.extend(found_pairs.rejected)
            for pair in found_pairs.pairs:
                self._add_pair(pair)

    def _add_archive(self, data: bytes, origin: Origin) -> None:
        if origin is Origin.ARCHIVE:
            raise DataError("archives inside an archive are not opened; unpack it first.")
        with archive.opened(data, "zip archive") as opened:
            entries = [
                Entry(entry.filename, partial(archive.content, opened, entry, "file in the archive"))
                for entry in archive.data_entries(opened)
            ]
            if not entries:
                raise DataError("the archive holds no files with data.")
            self.add_all(entries, Origin.ARCHIVE)

    def _add_table(self, table: Table, data: bytes, origin: Origin) -> None:
        table = replace(self._decided(table), content=content_digest(data))
        x, y = table.default_columns()
        if origin is not Origin.UPLOAD and len(table.numeric_columns) == 2:
            self._add_pair(table.pair(x, y, name=PurePosixPath(table.name).stem))
        else:
            self._add_tables([table])

    def _add_tables(self, tables: Sequence[Table]) -> None:
        for table in tables:
            self.tables.append(replace(self._decided(table), name=_distinct(table.name, self.names)))

    def _decided(self, table: Table) -> Table:
        return table.with_decimal(self.decimal) if self.decimal and table.ambiguous else table

    def _add_pair(self, pair: Pair) -> None:
        name = _distinct(pair.name, self.names)
        self.pairs.append(pair if name == pair.name else replace(pair, name=name))


def _why(sheets: Sequence[Table]) -> str:
    """Return the end of the sentence about a workbook without a pair: its fullest sheet's columns and their reasons."""
    unvalued = sum(sheet.unvalued for sheet in sheets)
    labels = [column.label for sheet in sheets for column in sheet.columns if column.unvalued]
    return formulas_at_fault(labels, unvalued) or max(sheets, key=lambda one: one.rows_read).why_not()


def _distinct(name: str, taken: set[str]) -> str:
    """Return the name, with a number if it is taken, and take it."""
    free = next(one for one in (name, *(f"{name} ({n})" for n in range(2, len(taken) + 3))) if one not in taken)
    taken.add(free)
    return free
