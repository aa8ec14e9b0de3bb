"""Real pairs whose direction can be defended, read from files that scikit-learn and Plotly ship."""

import csv
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from privcause_core.errors import DataError
from privcause_core.pair import Direction, FloatArray, Pair
from privcause_core.samples.sample import Sample

GAPMINDER_YEAR = "2007"  # the latest in the file
DIABETES_SOURCE = "Efron, Hastie, Johnstone and Tibshirani (2004), 442 diabetes patients; shipped by scikit-learn."
GAPMINDER_SOURCE = f"Gapminder, 142 countries in {GAPMINDER_YEAR} (CC BY); shipped by Plotly."
DIABETES_COLUMNS = {  # for people
    "age": "age (years)",
    "bmi": "body mass index",
    "bp": "average blood pressure",
    "s1": "total cholesterol",
    "s2": "LDL",
    "s3": "HDL",
    "s4": "cholesterol / HDL",
    "s5": "log triglycerides",
    "s6": "blood sugar",
    "target": "disease progression",
}
TIPS_SOURCE = "Bryant and Smith (1995), 244 bills of one restaurant; shipped by Plotly."


@dataclass(frozen=True, slots=True)
class RealSample:
    """Two named columns of a shipped table and the arrow between them.

    Attributes
    ----------
    columns : callable
        Takes the two column names, returns the two columns.
    x, y : tuple of str
        Column name in the file, and for people.
    """

    about: Sample
    columns: Callable[[str, str], tuple[FloatArray, FloatArray]]
    x: tuple[str, str]
    y: tuple[str, str]
    truth: Direction

    def load(self) -> Pair:
        """Read the pair.

        Raises
        ------
        DataError
            If the package that ships the file is not installed or no longer ships it.
        """
        x, y = self.columns(self.x[0], self.y[0])
        return Pair(self.about.title, self.x[1], self.y[1], x, y, self.truth, source=self.about.source)


def _diabetes(x: str, y: str) -> tuple[FloatArray, FloatArray]:
    table = diabetes_columns()
    return table[x], table[y]


def diabetes_columns() -> dict[str, FloatArray]:
    """Return the whole diabetes table by its names in the file, 442 rows."""
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=False)
    return dict(zip(bunch.feature_names, bunch.data.T, strict=True)) | {"target": bunch.target}


def _gapminder(x: str, y: str) -> tuple[FloatArray, FloatArray]:
    return _plotly_columns("gapminder", x, y, lambda row: row["year"] == GAPMINDER_YEAR)


def _tips(x: str, y: str) -> tuple[FloatArray, FloatArray]:
    return _plotly_columns("tips", x, y, lambda _: True)


def _plotly_columns(
    table: str, x: str, y: str, wanted: Callable[[dict[str, str]], bool]
) -> tuple[FloatArray, FloatArray]:
    """Read two columns of one of Plotly's example tables without importing Plotly, which is slow to start."""
    spec = find_spec("plotly")
    folders = (spec.submodule_search_locations if spec else None) or []
    paths = [Path(folder, "package_data", "datasets", f"{table}.csv.gz") for folder in folders]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise DataError(f"The table {table} is not in the installed Plotly; install the locked version.")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if wanted(row)]
    return np.array([float(row[x]) for row in rows]), np.array([float(row[y]) for row in rows])


def _about(name: str, title: str, description: str, source: str, truth_reason: str) -> Sample:
    return Sample(f"sample:{name}", title, description, source, truth_reason, synthetic=False)


REAL_SAMPLES = (
    RealSample(
        _about(
            "diabetes-age-bp",
            "Age and blood pressure",
            "Small and noisy, as real data are: 221 test rows, and the arrow flips often.",
            DIABETES_SOURCE,
            "Nothing measured in a body changes its age; vessels stiffen with age.",
        ),
        _diabetes,
        ("age", "age (years)"),
        ("bp", "average blood pressure"),
        Direction.X_TO_Y,
    ),
    RealSample(
        _about(
            "diabetes-age-bmi",
            "Age and body mass index",
            "A weak dependence: age explains a few per cent of the body mass index.",
            DIABETES_SOURCE,
            "Nothing measured in a body changes its age.",
        ),
        _diabetes,
        ("age", "age (years)"),
        ("bmi", "body mass index"),
        Direction.X_TO_Y,
    ),
    RealSample(
        _about(
            "diabetes-bmi-progression",
            "Body mass index and diabetes a year later",
            "A measure of disease progression one year after the body mass index was taken.",
            DIABETES_SOURCE,
            "The later measurement cannot change the earlier one; a common cause remains possible.",
        ),
        _diabetes,
        ("bmi", "body mass index"),
        ("target", "disease progression"),
        Direction.X_TO_Y,
    ),
    RealSample(
        _about(
            "gapminder-life-gdp",
            "Life expectancy and income",
            f"One row a country, {GAPMINDER_YEAR}; a skewed cause and a levelling curve.",
            GAPMINDER_SOURCE,
            "Income buys food, clean water and medicine; healthier people also earn more, but that effect is smaller.",
        ),
        _gapminder,
        ("lifeExp", "life expectancy (years)"),
        ("gdpPercap", "GDP per capita (US$)"),
        Direction.Y_TO_X,
    ),
    RealSample(
        _about(
            "gapminder-life-latitude",
            "Life expectancy and latitude",
            f"One row a country, {GAPMINDER_YEAR}; 71 test rows.",
            GAPMINDER_SOURCE,
            "Where a country lies cannot be changed by how long its people live; climate and disease can act.",
        ),
        _gapminder,
        ("lifeExp", "life expectancy (years)"),
        ("centroid_lat", "latitude (degrees)"),
        Direction.Y_TO_X,
    ),
    RealSample(
        _about(
            "tips-bill-tip",
            "Restaurant bill and tip",
            "The spread of the tip grows with the bill, so the noise is not additive.",
            TIPS_SOURCE,
            "The bill is known before the tip is chosen.",
        ),
        _tips,
        ("total_bill", "total bill (US$)"),
        ("tip", "tip (US$)"),
        Direction.X_TO_Y,
    ),
    RealSample(
        _about(
            "tips-bill-size",
            "Restaurant bill and party size",
            "Party size takes six values: heavy ties in one column.",
            TIPS_SOURCE,
            "The party sits down before it orders.",
        ),
        _tips,
        ("total_bill", "total bill (US$)"),
        ("size", "people at the table"),
        Direction.Y_TO_X,
    ),
)
