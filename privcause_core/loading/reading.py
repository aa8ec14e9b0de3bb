"""How a file is read, stated beforehand: what exploring found, or what a data holder declares for a release."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from privcause_core.errors import ParameterError
from privcause_core.loading.grammar import DecimalMark, Grammar, Grouping

SEPARATORS = {"tab": "\t", "semicolon": ";", "comma": ",", "pipe": "|", "blanks": " "}
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "cp1252")
MAX_SKIPPED = 10_000
_MOST_MARKS = 50
_LONGEST_MARK = 40


@dataclass(frozen=True, slots=True)
class Reading:
    """A declared reading: every cell is read by itself, and what cannot be read is missing.

    Everything here is public: it is stated in the plan of a release and on its certificate.

    Parameters
    ----------
    separator : str
        Between the fields of a text table: "tab", "semicolon", "comma", "pipe" or "blanks".
    decimal : DecimalMark
    grouping : Grouping
        Of thousands.
    header : bool
        Whether the first line that is not skipped names the columns.
    skip : int
        Lines (of a sheet: rows) above the table, 0 to 10,000.
    columns : int, optional
        How many there are; None to take it from the header line, which then must be there.
    names : tuple of str
        What the columns are called, where no line of the table says it.
    row_names : bool
        The lines hold one field more than the header, in front: R's row names.
    missing : tuple of str
        Marks of missing values beside the usual ones (empty, NA, nan, null, ...).
    sentinels : tuple of float
        Numbers such as -999 that mark missing values.
    encoding : str
        One of ``ENCODINGS``.
    sheet : str, optional
        The sheet of a workbook; None for the first.

    Raises
    ------
    ParameterError
        If a value is not one of those, or grouping and decimal mark are the same character.
    """

    separator: str = "comma"
    decimal: DecimalMark = DecimalMark.POINT
    grouping: Grouping = Grouping.NONE
    header: bool = True
    skip: int = 0
    columns: int | None = None
    names: tuple[str, ...] = ()
    row_names: bool = False
    missing: tuple[str, ...] = ()
    sentinels: tuple[float, ...] = ()
    encoding: str = "utf-8"
    sheet: str | None = None

    def __post_init__(self) -> None:
        _one_of("separator", self.separator, tuple(SEPARATORS))
        _one_of("encoding", self.encoding, ENCODINGS)
        if self.grouping.sign == self.decimal:
            raise ParameterError(f"Expected grouping other than the decimal {self.decimal.word}.")
        if not 0 <= self.skip <= MAX_SKIPPED:
            raise ParameterError(f"Expected skip from 0 to {MAX_SKIPPED:,}.")
        if self.columns is None and not self.header and not self.names:
            raise ParameterError("Expected the number of columns of a table without a header line.")
        if self.columns is not None and not 2 <= self.columns <= MAX_SKIPPED:
            raise ParameterError(f"Expected columns from 2 to {MAX_SKIPPED:,}.")
        marks = (*self.missing, *map(str, self.sentinels))
        if len(marks) > _MOST_MARKS or any(len(mark) > _LONGEST_MARK for mark in marks):
            raise ParameterError(f"Expected at most {_MOST_MARKS} missing marks of at most {_LONGEST_MARK} characters.")

    @property
    def grammar(self) -> Grammar:
        """Return how numbers are written."""
        return Grammar(self.decimal, self.grouping)

    def to_dict(self) -> dict[str, object]:
        """Return plain values for JSON; ``from_dict`` takes them back."""
        plain = asdict(self)
        return plain | {
            "decimal": self.decimal.word,
            "grouping": str(self.grouping),
            "names": list(self.names),
            "missing": list(self.missing),
            "sentinels": list(self.sentinels),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> "Reading":
        """Take a reading back; absent entries have their defaults.

        Raises
        ------
        ParameterError
            If an entry is unknown or not of its kind.
        """
        known = {one.name for one in fields(cls)}
        if unknown := values.keys() - known:
            raise ParameterError(f"Expected entries of a reading, got {len(unknown)} that are none.")
        given = dict(values)
        if "decimal" in given:
            word = _one_of("decimal", given["decimal"], tuple(mark.word for mark in DecimalMark))
            given["decimal"] = DecimalMark[word.upper()]
        if "grouping" in given:
            given["grouping"] = Grouping(_one_of("grouping", given["grouping"], tuple(Grouping)))
        for name, kind in (
            ("names", str),
            ("missing", str),
            ("sentinels", (int, float)),
            ("header", bool),
            ("row_names", bool),
        ):
            _check_kind(name, given.get(name), kind)
        for name in ("skip", "columns"):
            _check_kind(name, given.get(name), int)
        for name in ("names", "missing", "sentinels"):
            if not isinstance(items := given.get(name, ()), list | tuple):
                raise ParameterError(f"Expected {name} as a list.")
            given[name] = tuple(items)
        return cls(**given)  # type: ignore[arg-type]


def _one_of(name: str, value: object, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ParameterError(f"Expected {name} to be one of {', '.join(known)}.")
    return str(value)


def _check_kind(name: str, value: object, kind: type | tuple[type, ...]) -> None:
    items = value if isinstance(value, list | tuple) else [value]
    if value is not None and not all(isinstance(item, kind) for item in items):
        raise ParameterError(f"Expected {name} of another kind.")
