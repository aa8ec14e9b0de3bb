"""What loading gives back."""

from dataclasses import dataclass

from privcause_core.loading.table import Table
from privcause_core.pair import Pair


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file or pair that was not loaded.

    Parameters
    ----------
    name : str
        Of the file or pair.
    reason : str
        One sentence for people, without the name.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """Everything found in one file, upload or directory.

    Parameters
    ----------
    tables : tuple of Table
        Text and Parquet files, sheets of workbooks: two columns are still to be chosen.
    pairs : tuple of Pair
        Pairs that came as such: from an archive or a ``SampleID,A,B`` table.
    rejected : tuple of Rejected
        What did not load; the rest did.
    notes : tuple of str
        One sentence each about the whole.
    """

    tables: tuple[Table, ...] = ()
    pairs: tuple[Pair, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[str, ...] = ()
