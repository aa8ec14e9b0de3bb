"""What one visitor's session holds, and its results. Nothing of a visitor's is shared between sessions or kept on disk.

Private rows live in this object alone; results are remembered under a token of the data set that was loaded (never a
hash of a part of it), and no ``st.cache_*`` is used for anything of a visitor's.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from pages.shared.sealed import Sealed
from pages.shared.view import View
from privcause_core.loading import DecimalMark, Table
from privcause_core.pair import Pair
from privcause_core.settings import SEED_MAX

KEY = "privcause"
MEMO_ENTRIES = 64

_PUBLIC: OrderedDict[Hashable, Any] = OrderedDict()

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Dataset:
    """What was loaded, under a token that no other data set has.

    ``decimal`` is the mark that was chosen for numbers that can be read both ways, ``as_read`` the items before that.
    """

    token: str
    name: str
    items: tuple[Table | Pair, ...]
    remarks: tuple[str, ...] = ()
    as_read: tuple[Table | Pair, ...] = ()
    decimal: DecimalMark | None = None


@dataclass(slots=True)
class AppState:
    """Everything one visitor's session holds.

    Attributes
    ----------
    view : View
        What the address says.
    dataset : Dataset
        Where the shown pair comes from.
    upload : Dataset, optional
        The last upload, kept while a sample is shown.
    uploading : bool
        Whether the sidebar shows the upload box rather than the samples.
    upload_round : int
        Counts uploads, refused ones too, so that the upload box starts empty after each.
    notices : list of str
        Sentences to show once.
    memo : OrderedDict
        Results of this session, newest last.
    shown : dict
        Our parameters as the address held them after the last run; another address means that people moved in history
        or followed a link.
    page : str
        The page of the last run.
    presents_from : str
        The page where the presentation began; empty outside one, and in one that a link began.
    sealed : Sealed, optional
        The file that came through the second door: no page shows anything of it.
    secret_seed : int
        Seed of the draws that are shown while true values are hidden; nobody is told.
    """

    view: View
    dataset: Dataset
    upload: Dataset | None = None
    uploading: bool = False
    upload_round: int = 0
    notices: list[str] = field(default_factory=list)
    memo: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    shown: dict[str, str] = field(default_factory=dict)
    page: str = ""
    presents_from: str = ""
    sealed: Sealed | None = None
    secret_seed: int = field(default_factory=lambda: secrets.randbelow(SEED_MAX))

    def empty(self) -> None:
        """Let go of everything that was loaded, and of all results."""
        self.dataset, self.upload, self.sealed = Dataset("", "nothing", ()), None, None
        self.memo.clear()
        self.notices.clear()


def get() -> AppState:
    """Return this session's state."""
    state: AppState = st.session_state[KEY]
    return state


def remember(key: Hashable, compute: Callable[[], T]) -> T:
    """Return this session's result for a key, computed at most once while it is among the last few.

    A key must begin with what the result is and hold every setting that it depends on.
    """
    memo = get().memo
    if key not in memo:
        memo[key] = compute()
        while len(memo) > MEMO_ENTRIES:
            memo.popitem(last=False)
    memo.move_to_end(key)
    found: T = memo[key]
    return found


def remember_public(key: Hashable, compute: Callable[[], T]) -> T:
    """Return this server's result for a key: for what is made of the bundled samples alone, public as they are."""
    if key not in _PUBLIC:
        _PUBLIC[key] = compute()
        while len(_PUBLIC) > MEMO_ENTRIES:
            _PUBLIC.popitem(last=False)
    found: T = _PUBLIC[key]
    return found


def remembers(key: Hashable) -> bool:
    """Return whether this session still has its result for a key."""
    return key in get().memo


def drop(key: Hashable) -> None:
    """Forget one result."""
    get().memo.pop(key, None)
