"""The lesson's texts: steps, checks and live sentences, read from ``assets/lesson``."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

START = 1.0  # the epsilon at which the lesson begins when the one before would say nothing
TELLING = (0.2, 5.0)  # between these its pictures differ from a coin flip and from certainty
_FOLDER = Path(__file__).parents[2] / "assets" / "lesson"
_WIDGET_HERE = "\n---\n"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name, title, and the Markdown around its live parts (one more text than parts)."""

    name: str
    title: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of a check and the reply to it."""

    text: str
    reply: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A question with one right answer."""

    question: str
    answers: tuple[Answer, ...]


def tells(epsilon: float) -> bool:
    """Return whether the lesson's pictures say anything at an epsilon."""
    return TELLING[0] <= epsilon <= TELLING[1]


@cache
def steps() -> tuple[Step, ...]:
    """Return the steps in order."""
    return tuple(_step(path) for path in sorted(_FOLDER.glob("*.md"), key=_number))


@cache
def checks() -> dict[str, Check]:
    """Return each check under the name of its step."""
    found = yaml.safe_load((_FOLDER / "checks.yaml").read_text(encoding="utf-8"))
    return {
        name: Check(one["question"], tuple(Answer(**answer) for answer in one["answers"]))
        for name, one in found.items()
    }


def live(name: str, **numbers: object) -> str:
    """Return a live sentence with its numbers filled in."""
    return _sentences()[name].format(**numbers)


@cache
def _sentences() -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load((_FOLDER / "live.yaml").read_text(encoding="utf-8"))
    return found


def _number(path: Path) -> int:
    return int(path.stem.split("-")[0])


def _step(path: Path) -> Step:
    heading, text = path.read_text(encoding="utf-8").split("\n", 1)
    texts = tuple(part.strip() for part in f"{text}\n".split(_WIDGET_HERE))
    return Step(path.stem, heading.removeprefix("# "), texts)
