"""What a release would be made from: the sealed file, or what the other pages show."""

from collections.abc import Hashable

from pages.shared import state
from privcause_core.errors import DataError
from privcause_core.loading import Reading, Table
from privcause_core.loading.proposal import in_words
from privcause_core.pair import Pair
from privcause_core.release import Cohort, cohort_of_pair, cohort_of_table

Place = int | None


def seen() -> bool:
    """Return whether somebody may have looked at the data."""
    return state.get().sealed is None


def item() -> Table | Pair:
    """Return the table or pair.

    Raises
    ------
    DataError
        If the sealed file as a whole cannot be read as declared.
    """
    sealed = state.get().sealed
    if sealed is None:
        return state.item()
    if sealed.table is None:
        raise DataError(sealed.trouble)
    return sealed.table


def name() -> str:
    """Return what the data are called."""
    sealed = state.get().sealed
    return sealed.name if sealed else state.get().dataset.name


def choices() -> tuple[int, ...]:
    """Return the positions of the columns that can be chosen, in the order of the file."""
    found = item()
    return found.numeric_columns if isinstance(found, Table) else (0, 1)


def chosen() -> tuple[Place, Place]:
    """Return the columns as far as people have chosen them; where there are two, these.

    No column is proposed among more: which one looks like an identifier depends on its values.
    """
    sealed = state.get().sealed
    if len(choices()) == 2:
        x, y = state.columns() if sealed is None else choices()
        return x, y
    if sealed is not None:
        return sealed.x, sealed.y
    return state.get().view.data.x, state.get().view.data.y


def choose(x: object, y: object) -> None:
    """Choose the columns: of the sealed file, or of what every page shows."""
    held = state.get()
    if held.sealed is None:
        state.change_data(x=x, y=y, sentinels_missing=held.view.data.sentinels_missing)
    else:
        held.sealed = held.sealed.with_columns(x, y)


def columns() -> tuple[int, int] | None:
    """Return the two chosen columns, None until there are two different ones."""
    x, y = chosen()
    return None if x is None or y is None or x == y or not {x, y} <= set(choices()) else (x, y)


def pair() -> Pair:
    """Return the chosen columns as a pair; every number counts as one, whatever is ticked on other pages.

    Raises
    ------
    DataError
        If two columns are not chosen, or no row has both.
    """
    found, places = item(), columns()
    if not isinstance(found, Table):
        return state.pair()
    if places is None:
        raise DataError("choose the two columns first.")
    return state.remember(("release pair", *token()), lambda: _complete(found, places))


def _complete(found: Table, places: tuple[int, int]) -> Pair:
    try:
        return found.pair(*places)
    except DataError as error:
        if state.get().sealed is None:
            raise
        raise DataError(
            f"{error} If your file has numbers there, it is written otherwise than declared: check decimal mark, "
            "grouping, separator and encoding above."
        ) from None


def cohort() -> Cohort:
    """Return whose budget it is: the whole table's."""

    def compute() -> Cohort:
        found, places = item(), columns()
        if isinstance(found, Table) and places is not None:
            return cohort_of_table(found, *places, pair())
        return cohort_of_pair(pair())

    return state.remember(("cohort", *token()), compute)


def token() -> tuple[Hashable, ...]:
    """Return what tells these data, so read, from all others of this session."""
    sealed = state.get().sealed
    return ("shown", *state.pair_token()) if sealed is None else (sealed.token, *chosen())


def reading_text() -> str:
    """Return what is declared of the sealed file, for a sentence."""
    sealed = state.get().sealed
    return in_words(sealed.data, sealed.reading) if sealed else ""


def reading() -> Reading | None:
    """Return how the file is read, if that was declared."""
    sealed = state.get().sealed
    return sealed.reading if sealed else None
