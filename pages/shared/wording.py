"""How numbers and other people's words are written, in one place."""

import re

from privcause_core.pair import Direction, Pair
from privcause_core.scores import get_score
from privcause_core.text.names import CLOSE, OPEN, harmless, turns, visible

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_JOINED = re.compile(r"(?<=:)(?=\S)|(?<=[-<>=~])(?=[-<>=~])")  # where :smile:, ->, -- and the like could form
WORD_JOINER = "\u2060"  # invisible; keeps the browser from turning ":x:" or "->" into a symbol


def chip(name: str) -> str:
    """Return a name as Markdown that shows it character for character: no bold, no maths, no HTML, no emoji.

    It is isolated: whichever way it is written, what stands beside it stays there.
    """
    text = visible(name)
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    code = f"{fence}{pad}{text}{pad}{fence}"
    return f"{OPEN}{code}{CLOSE}" if turns(text) else code


def literal(sentence: str) -> str:
    """Return a sentence as Markdown that shows its own characters."""
    joined = _JOINED.sub(WORD_JOINER, harmless(re.sub(r"\s+", " ", sentence)))
    return _PUNCTUATION.sub(r"\\\1", joined)


def arrow(pair: Pair, direction: Direction) -> str:
    """Return an arrow between the pair's columns as Markdown; undecided where there is none."""
    if direction is Direction.UNDECIDED:
        return f"{chip(pair.x_name)} — {chip(pair.y_name)}, undecided"
    cause, effect = (pair.x_name, pair.y_name) if direction is Direction.X_TO_Y else (pair.y_name, pair.x_name)
    return f"{chip(cause)} → {chip(effect)}"


def short_arrow(direction: Direction) -> str:
    """Return x → y, y → x or undecided."""
    return {Direction.X_TO_Y: "x → y", Direction.Y_TO_X: "y → x"}.get(direction, "undecided")


def score_title(name: str) -> str:
    """Return a score's name for people; ``"all"`` becomes All."""
    return "All" if name == "all" else get_score(name).title
