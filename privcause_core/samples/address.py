"""A sample with its choices in one word: ``sample:synthetic-near-tie?rows=500&seed=3``."""

from privcause_core.errors import ParameterError
from privcause_core.pair import Pair
from privcause_core.samples.synthetic import DEFAULT_NOISE, DEFAULT_ROWS
from privcause_core.text.typed import parse_decimal, parse_whole

_STANDARD: dict[str, int | float] = {"rows": DEFAULT_ROWS, "noise": DEFAULT_NOISE, "seed": 0}


def sample_address(slug: str, rows: int, noise: float, seed: int) -> str:
    """Return the slug with the choices that are not standard."""
    chosen: dict[str, int | float] = {"rows": rows, "noise": noise, "seed": seed}
    changed = "&".join(f"{name}={value}" for name, value in chosen.items() if value != _STANDARD[name])
    return f"{slug}?{changed}" if changed else slug


def load_address(address: str) -> Pair:
    """Return the pair of a sample's address.

    Raises
    ------
    ParameterError
        If there is no such sample or choice, or a value is outside its range.
    """
    from privcause_core.samples import load_sample  # the package imports this module

    slug, _, choices = address.partition("?")
    chosen: dict[str, float] = {}
    for part in choices.split("&") if choices else ():
        name, _, text = part.partition("=")
        if name not in _STANDARD:
            raise ParameterError(f"Expected rows, noise or seed after the sample's name, got {name!r}.")
        chosen[name] = float(parse_decimal(name, text)) if name == "noise" else parse_whole(name, text)
    return load_sample(slug, **chosen)  # type: ignore[arg-type]  # checked there
