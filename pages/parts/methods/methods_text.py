"""The Methods page's texts: sections, each score's proof, slips and references, read from ``assets``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_ASSETS = Path(__file__).parents[3] / "assets"
_FOLDER = _ASSETS / "methods"


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A text, such as on a mistake in print or in a library, and the name of its live demonstration."""

    title: str
    text: str
    demo: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One entry of the bibliography."""

    authors: str
    year: int
    title: str
    where: str
    use: str
    doi: str = ""
    arxiv: str = ""

    @property
    def markdown(self) -> str:
        """Return the entry with its link, and what it is cited for."""
        link = f" [doi:{self.doi}](https://doi.org/{self.doi})" if self.doi else ""
        link += f" [arXiv:{self.arxiv}](https://arxiv.org/abs/{self.arxiv})" if self.arxiv else ""
        return f"{self.authors} ({self.year}). **{self.title}.** {self.where}.{link} :gray[For: {self.use}.]"


@cache
def section(name: str) -> str:
    """Return the Markdown of a section."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")


@cache
def proof(score: str) -> str | None:
    """Return the Markdown of a score's proof, if it has one."""
    path = _FOLDER / "scores" / f"{score}.md"
    return path.read_text(encoding="utf-8") if path.exists() else None


@cache
def joint_protection() -> str:
    """Return the document on every-row protection, with its proofs; its headings stand one level below the page's."""
    return re.sub(r"(?m)^(#+ )", r"#\1", (_ASSETS.parent / "docs" / "joint-protection.md").read_text(encoding="utf-8"))


@cache
def slips() -> tuple[Demonstration, ...]:
    """Return the slips in order."""
    return tuple(Demonstration(**one) for one in _yaml(_FOLDER / "slips.yaml"))


@cache
def lessons() -> tuple[Demonstration, ...]:
    """Return the lesson on protecting training rows too, in order."""
    return tuple(Demonstration(**one) for one in _yaml(_FOLDER / "lessons.yaml"))


@cache
def references() -> tuple[Reference, ...]:
    """Return the bibliography by first author."""
    entries: Mapping[str, Mapping[str, Any]] = _yaml(_ASSETS / "bibliography.yaml")
    return tuple(sorted((Reference(**one) for one in entries.values()), key=lambda one: (one.authors, one.year)))


def _yaml(path: Path) -> Any:  # noqa: ANN401
    return yaml.safe_load(path.read_text(encoding="utf-8"))
