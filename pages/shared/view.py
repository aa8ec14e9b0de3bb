"""What a page shows, as one immutable value: everything that the address can hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from privcause_core.errors import ParameterError
from privcause_core.protection.voting_blocks import ROWS_TO_JUDGE
from privcause_core.samples import (
    DEFAULT_NOISE,
    DEFAULT_ROWS,
    FIRST_SAMPLE,
    NOISE_MAX,
    NOISE_MIN,
    ROWS_MAX,
    ROWS_MIN,
    samples,
)
from privcause_core.settings import (
    BLOCKS_MAX,
    BLOCKS_MIN,
    EPSILON_MAX,
    EPSILON_MIN,
    MIN_TEST_ROWS,
    ROWS_PER_PERSON_MAX,
    SEED_MAX,
    Settings,
)
from privcause_core.text.typed import check_range

UPLOAD = "upload"  # stands where a sample's slug would
COLUMNS_MAX = 100_000
STEPS_MAX = 99  # of the lesson


@dataclass(frozen=True, slots=True)
class DataChoice:
    """Which pair is shown.

    Parameters
    ----------
    data : str
        Slug of a sample, or ``"upload"``.
    rows, noise, data_seed
        Of a synthetic sample.
    item : int
        Position among the tables and pairs of an upload.
    x, y : int, optional
        Column positions; None for the table's own first choice.
    sentinels_missing : bool
        Treat markers such as -999 as missing.
    """

    data: str = FIRST_SAMPLE
    rows: int = DEFAULT_ROWS
    noise: float = DEFAULT_NOISE
    data_seed: int = 0
    item: int = 0
    x: int | None = None
    y: int | None = None
    sentinels_missing: bool = False

    def __post_init__(self) -> None:
        if self.data != UPLOAD and self.data not in {sample.slug for sample in samples()}:
            raise ParameterError(f"Expected data to be a sample or 'upload', got {self.data!r}.")
        check_range("rows", self.rows, ROWS_MIN, ROWS_MAX)
        check_range("noise", self.noise, NOISE_MIN, NOISE_MAX)
        check_range("data_seed", self.data_seed, 0, SEED_MAX)
        for name in ("item", "x", "y"):
            check_range(name, getattr(self, name) or 0, 0, COLUMNS_MAX)


class Solve(StrEnum):
    """Which of the planner's three numbers is the answer."""

    CERTAINTY = "certainty"
    EPSILON = "epsilon"
    ROWS = "rows"


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """The planner's inputs: two of certainty, epsilon and a size, and the assumed facts.

    ``plan_margin`` is the assumed margin; ``plan_stability`` (IQR only) the assumed share of the test rows that
    would have to change before a log-IQR leaves its bin. Where blocks vote, the size is ``plan_blocks`` of
    ``plan_block_rows`` rows each, and ``plan_agreement`` the assumed share of blocks that point the true way.
    """

    solve: Solve = Solve.EPSILON
    plan_certainty: float = 0.95
    plan_epsilon: float = 1.0
    plan_rows: int = 1_000
    plan_margin: float = 0.05
    plan_stability: float = 0.05
    plan_blocks: int = 10
    plan_block_rows: int = ROWS_TO_JUDGE
    plan_agreement: float = 0.9

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "solve", Solve(self.solve))
        except ValueError:
            raise ParameterError(f"Expected solve to be one of {', '.join(Solve)}, got {self.solve!r}.") from None
        check_range("plan_certainty", self.plan_certainty, 0.501, 0.999999)
        check_range("plan_epsilon", self.plan_epsilon, EPSILON_MIN, EPSILON_MAX)
        check_range("plan_rows", self.plan_rows, 4, 10**12)
        check_range("plan_margin", self.plan_margin, 1e-9, 100.0)
        check_range("plan_stability", self.plan_stability, 0.0, 1.0)
        check_range("plan_blocks", self.plan_blocks, BLOCKS_MIN, BLOCKS_MAX)
        check_range("plan_block_rows", self.plan_block_rows, 2 * MIN_TEST_ROWS, 10**9)
        check_range("plan_agreement", self.plan_agreement, 0.5, 1.0)


class Cover(StrEnum):
    """Whom a release protects, and how; ``AUTO`` is every row, by blocks unless the settings say public ranges."""

    AUTO = "auto"
    BLOCKS = "blocks"
    TEST_ROWS = "test-rows"
    RANGES = "public-ranges"


@dataclass(frozen=True, slots=True)
class SpendChoice:
    """What only a release asks: whom it protects, and the most rows that one person has."""

    cover: Cover = Cover.AUTO
    rows_per_person: int = 1

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "cover", Cover(self.cover))
        except ValueError:
            raise ParameterError(f"Expected cover to be one of {', '.join(Cover)}, got {self.cover!r}.") from None
        check_range("rows_per_person", self.rows_per_person, 1, ROWS_PER_PERSON_MAX)


@dataclass(frozen=True, slots=True)
class StageChoice:
    """How the pages are shown: presenting or not, true values hidden or not, the lesson's step, the pair's slide."""

    present: bool = False
    hide: bool = False
    step: int = 1
    slide: int = 1

    def __post_init__(self) -> None:
        check_range("step", self.step, 1, STEPS_MAX)
        check_range("slide", self.slide, 1, STEPS_MAX)


@dataclass(frozen=True, slots=True)
class View:
    """Everything that the address can hold; two settings may be pinned for comparison."""

    settings: Settings = field(default_factory=Settings)
    data: DataChoice = field(default_factory=DataChoice)
    plan: PlanChoice = field(default_factory=PlanChoice)
    stage: StageChoice = field(default_factory=StageChoice)
    spend: SpendChoice = field(default_factory=SpendChoice)
    pin_a: Settings | None = None
    pin_b: Settings | None = None


Part = TypeVar("Part", View, DataChoice, PlanChoice, StageChoice, SpendChoice)


def altered(part: Part, changes: Mapping[str, object]) -> Part:
    """Return a copy with the named fields changed, and checked again."""
    given: dict[str, Any] = dict(changes)
    return replace(part, **given)
