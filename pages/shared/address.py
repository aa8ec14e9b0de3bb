"""The address bar: one schema between a view and its query parameters.

Only values that differ from their default are written. Columns go by position, never by name. Anyone can send a link:
of every value the length is judged first, then the size of a number, then what it stands for.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum

from pages.shared.view import UPLOAD, DataChoice, PlanChoice, SpendChoice, StageChoice, View, altered
from privcause_core.errors import ParameterError, PrivCauseError
from privcause_core.scores import chosen_scores
from privcause_core.settings import Settings
from privcause_core.text.typed import parse_decimal, parse_whole

_SETTINGS = tuple(one.name for one in fields(Settings))
_SECTIONS = {
    "settings": _SETTINGS,
    "data": tuple(one.name for one in fields(DataChoice)),
    "plan": tuple(one.name for one in fields(PlanChoice)),
    "stage": tuple(one.name for one in fields(StageChoice)),
    "spend": tuple(one.name for one in fields(SpendChoice)),
}
_SECTION_OF = {name: section for section, names in _SECTIONS.items() for name in names}
_PINS = {"a": "pin_a", "b": "pin_b"}
PARAMETERS = frozenset(_SECTION_OF) | frozenset(_PINS)
_LONGEST = 1_000  # characters of a value; a pin that names every setting has about 300
_WHOLE = frozenset({"x", "y"})  # whole numbers whose default is None


def to_query(view: View) -> dict[str, str]:
    """Return the query parameters of a view; {} for the default one."""
    standard = View()
    query = {
        name: _text(value)
        for section, names in _SECTIONS.items()
        for name in names
        if (value := getattr(getattr(view, section), name)) != getattr(getattr(standard, section), name)
    }
    if not view.stage.present:  # a link that shows no slide names none
        query.pop("slide", None)
    for key, pin in _PINS.items():
        if (settings := getattr(view, pin)) is not None:
            query[key] = _pin_text(settings)
    return query


def from_query(query: Mapping[str, str], *, uploaded: bool = False) -> tuple[View, tuple[str, ...]]:
    """Return the view, and the names of the parameters whose values cannot be used (they keep their default).

    An upload can be named only while one is in memory (``uploaded``).
    """
    view, refused = View(), []
    for name in sorted(query.keys() & PARAMETERS):
        try:
            view = _with(view, name, _short(name, query[name]))
        except PrivCauseError:
            refused.append(name)
    if view.data.data == UPLOAD and not uploaded:
        view = replace(view, data=DataChoice())
    return view, tuple(refused)


def _short(name: str, text: str) -> str:
    if len(text) > _LONGEST:
        raise ParameterError(f"Expected {name} in at most {_LONGEST:,} characters, got {len(text):,}.")
    return text


def _with(view: View, name: str, text: str) -> View:
    if name in _PINS:
        return altered(view, {_PINS[name]: _pin(text)})
    section = getattr(view, _SECTION_OF[name])
    changed = replace(section, **{name: _value(name, text, getattr(section, name))})
    if name == "score":
        chosen_scores(changed.score)
    return altered(view, {_SECTION_OF[name]: changed})


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _value(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text not in {"0", "1"}:
            raise ParameterError(f"Expected {name} to be 0 or 1, got {text!r}.")
        return text == "1"
    if isinstance(default, StrEnum | str):
        return text
    if isinstance(default, int) or name in _WHOLE:
        return parse_whole(name, text)
    return float(parse_decimal(name, text))


def _pin_text(settings: Settings) -> str:
    """Return the settings that differ from the defaults as ``name~value`` joined by ``!``; ``-`` for none."""
    standard = Settings()
    changed = [n for n in _SETTINGS if getattr(settings, n) != getattr(standard, n)]
    return "!".join(f"{name}~{_text(getattr(settings, name))}" for name in changed) or "-"


def _pin(text: str) -> Settings:
    parts = [] if text == "-" else [part.partition("~") for part in text.split("!")]
    settings = Settings.from_dict({name: value for name, _, value in parts})
    chosen_scores(settings.score)
    return settings
