"""How a failure to read becomes a sentence: what a foreign parser raises, and which file it was."""

from collections.abc import Iterator
from contextlib import contextmanager

from privcause_core.errors import DataError


@contextmanager
def foreign_parser(what: str) -> Iterator[None]:
    """Turn whatever a parser raises on hostile or broken bytes into a DataError naming what was read.

    Memory that ran out is no fault of the bytes and passes.
    """
    try:
        yield
    except (DataError, MemoryError):
        raise
    except Exception as error:  # no parser lists what broken bytes make it raise
        raise DataError(f"the {what} is damaged or incomplete; save or download it again and load that.") from error


@contextmanager
def named(file: str) -> Iterator[None]:
    """Let a DataError begin with the file's name."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{file}: {error}") from error
