"""What a session shows: begun by the address, changed by its widgets, measured when a page asks."""

from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from threadpoolctl import threadpool_limits

from pages.shared import leaving, raw_bytes
from pages.shared.sealed import sealed, unsealed
from pages.shared.session import KEY, AppState, Dataset, remember_public
from pages.shared.session import get as get
from pages.shared.session import remember as remember
from pages.shared.uploads import dataset_of
from pages.shared.view import UPLOAD, DataChoice, View, altered
from pages.shared.waiting import Tell, awaited
from privcause_core.errors import DataError
from privcause_core.explore.analysis import Analysis, Measurement, judge, measure
from privcause_core.explore.price import WatchedDeal, measuring_seconds
from privcause_core.fits.halves import SeededDeal
from privcause_core.loading import Table
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.samples import load_sample, samples
from privcause_core.scores import chosen_scores
from privcause_core.settings import ALL_SCORES, Settings

JUDGED = ("epsilon", "delta", "release", "calibration", "draw_seed", "draws")  # what measuring does not depend on
ALL_SCORES_UP_TO = 200_000  # rows; beyond it only the chosen scores are measured
SHARED_ROWS = 20_000  # of a sample whose measurement is kept for other sessions


def start(view: View) -> AppState:
    """Make the session's state."""
    state = AppState(view, _sample(view.data))
    st.session_state[KEY] = state
    leaving.watch(state)
    return state


def started() -> bool:
    """Return whether this session has its state."""
    return KEY in st.session_state


def show(view: View) -> None:
    """Show another view, with its data."""
    state = get()
    if view.data != state.view.data:
        state.dataset = _dataset(view.data)
        state.uploading = view.data.data == UPLOAD
    state.view = view


def forget() -> None:
    """Drop everything of this session: data, results, settings, the address, and what the web server holds of it."""
    get().empty()
    st.session_state.clear()
    raw_bytes.remove_all()
    st.query_params.from_dict({})  # unlike clear(), whatever widgets are bound


def settings() -> Settings:
    """Return the current settings."""
    return get().view.settings


def change_settings(**changes: object) -> None:
    """Change settings; raises ParameterError and leaves them as they were if a value is refused."""
    state = get()
    state.view = replace(state.view, settings=state.view.settings.with_(**changes))


def change_view(**changes: object) -> None:
    """Change the plan or the pins."""
    state = get()
    state.view = altered(state.view, changes)


def change_data(**changes: object) -> None:
    """Choose other data; columns fall back to their defaults unless they are among the changes."""
    state = get()
    keep_columns = {"x", "y", "sentinels_missing"} & changes.keys()
    standard: dict[str, object] = {} if keep_columns else {"x": None, "y": None, "sentinels_missing": False}
    choice = altered(state.view.data, standard | changes)
    state.dataset = _dataset(choice)
    state.view = replace(state.view, data=choice)


def take_upload(files: Iterable[tuple[str, bytes]]) -> None:
    """Load uploaded files and show the first table or pair; on a DataError the former data stay.

    Raises
    ------
    DataError
        If nothing can be read, or nothing of it is long enough for any verdict.
    """
    get().upload_round += 1
    _show_upload(dataset_of(list(files)))


def _show_upload(upload: Dataset) -> None:
    get().upload = upload
    change_data(data=UPLOAD, item=0)


def seal(files: Iterable[tuple[str, bytes]]) -> None:
    """Keep an uploaded file for a release, without showing anything of it.

    Raises
    ------
    DataError
        If there are several.
    """
    files, state = list(files), get()
    state.upload_round += 1
    if len(files) != 1:
        raise DataError("a release reads one file; choose one.")
    state.sealed = sealed(*files[0])


def unseal() -> None:
    """Open the first door to the sealed file, read as declared: every page may show its values from now on."""
    held = get().sealed
    if held is not None and held.table is not None:
        _show_upload(Dataset(held.token, held.name, (unsealed(held.table),)))
    elif held is not None:
        take_upload([(held.name, held.data)])
    get().sealed, get().uploading = None, True


def item() -> Table | Pair:
    """Return the chosen table or pair of the data set."""
    state = get()
    position = state.view.data.item
    return state.dataset.items[position if position < len(state.dataset.items) else 0]


def columns() -> tuple[int, int]:
    """Return the positions of X and Y, the item's own choice where the view has none or names none that it has."""
    chosen, found = get().view.data, item()
    numeric = found.numeric_columns if isinstance(found, Table) else (0, 1)
    standard = found.default_columns() if isinstance(found, Table) else (0, 1)
    x, y = chosen.x, chosen.y
    return standard if x is None or y is None or x == y or not {x, y} <= set(numeric) else (x, y)


def pair() -> Pair:
    """Return the chosen pair.

    Raises
    ------
    DataError
        If no row has a number in both columns.
    """
    return remember(("pair", *_pair_key()), _make_pair)


def measurement(chosen: Settings | None = None) -> Measurement:
    """Return the true scores under settings (default: the current ones), measured once a session, samples once."""
    chosen = chosen or settings()
    coverage(chosen).check(chosen_scores(chosen.score) if chosen.score != ALL_SCORES else ())
    every = pair().rows <= ALL_SCORES_UP_TO and not coverage(chosen).votes
    wanted = measured_by(chosen.with_(score=ALL_SCORES) if every else chosen)

    pair_shown, deal = pair(), SeededDeal(wanted.seed)
    steps = wanted.blocks * len(coverage(wanted).scores()) if coverage(wanted).votes else 0

    def compute(tell: Tell) -> Measurement:
        with threadpool_limits(1):
            return measure(pair_shown, wanted, deal=WatchedDeal(deal, tell))

    seconds = measuring_seconds(pair_shown.rows, wanted)
    what = f"Counting the votes of {wanted.blocks:,} blocks" if steps else f"Fitting {pair_shown.rows:,} rows both ways"
    key = ("measure", *_pair_key(), wanted)
    measured = partial(awaited, key, seconds, what, compute, steps=steps)
    public = get().dataset is not get().upload and pair_shown.rows <= SHARED_ROWS
    return remember_public(key, measured) if public else measured()


def measured_by(chosen: Settings) -> Settings:
    """Return the settings with everything that measuring does not depend on at its default."""
    standard = Settings()
    return chosen.with_(**{name: getattr(standard, name) for name in JUDGED})


def analysis(chosen: Settings | None = None) -> Analysis:
    """Return what settings (default: the current ones) make of the chosen pair."""
    chosen = chosen or settings()
    measured = measurement(chosen)

    def compute() -> Analysis:
        with st.spinner(f"Simulating {chosen.draws:,} runs …"):
            return judge(measured, chosen)

    return remember(("judge", *_pair_key(), chosen), compute)


def pair_token() -> tuple[Hashable, ...]:
    """Return what tells the chosen pair from every other one of this session."""
    return _pair_key()


def _pair_key() -> tuple[Hashable, ...]:
    data = get().view.data
    return (get().dataset.token, data.item, *columns(), data.sentinels_missing)


def _make_pair() -> Pair:
    found, (x, y) = item(), columns()
    if isinstance(found, Table):
        return found.pair(x, y, sentinels_missing=get().view.data.sentinels_missing)
    return found if x < y else found.swapped()


def _dataset(choice: DataChoice) -> Dataset:
    if choice.data != UPLOAD:
        return _sample(choice)
    upload = get().upload
    if upload is None:
        raise DataError("no file is loaded yet; choose one to upload.")
    return upload


def _sample(choice: DataChoice) -> Dataset:
    about = next(sample for sample in samples() if sample.slug == choice.data)
    knobs: dict[str, Any] = {}
    if about.synthetic:
        knobs = {"rows": choice.rows, "noise": choice.noise, "seed": choice.data_seed}
    token = f"{choice.data} {knobs}"
    return Dataset(token, about.title, (load_sample(choice.data, **knobs),))
