"""Two settings on one printed page, for people who decide: what each would publish, cost, protect and risk."""

from collections.abc import Iterator, Mapping

from privcause_core.explore.analysis import Analysis
from privcause_core.explore.outcomes import Outcome, count, first_runs
from privcause_core.figures.chart import percent
from privcause_core.figures.icons import icon_svg
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.report.document import Kind, Section, columns, document, figure, paragraph, side_by_side
from privcause_core.report.teaching import named_arrow
from privcause_core.text.words import best_guess


def board_summary(found: Mapping[str, Analysis]) -> str:
    """Return a self-contained HTML page, without scripts, that compares analyses of one pair.

    Parameters
    ----------
    found : mapping of str to Analysis
        Under the names that the page gives them, such as A and B.
    """
    pair = next(iter(found.values())).measurement.pair
    return document(
        Kind.TEACHING, f"{pair.x_name} and {pair.y_name}: two ways to publish", _sections(found), charts=False
    )


def _sections(found: Mapping[str, Analysis]) -> Iterator[Section]:
    rows = {name: _facts(analysis) for name, analysis in found.items()}
    first = next(iter(rows.values()))
    table = columns(["", *rows], [[fact, *(facts[fact] for facts in rows.values())] for fact in first])
    yield Section("Side by side", [table])
    yield Section("A hundred private runs of each", [side_by_side(_runs(*one) for one in found.items())])
    yield Section(
        "How to read this",
        [
            paragraph(
                "A private run adds noise, so it may print the other arrow. More ε means less noise and a weaker "
                "promise. Agreeing with the noise-free arrow is not being right: other rows could turn that arrow too."
            )
        ],
    )


def _facts(analysis: Analysis) -> dict[str, str]:
    one, settings, way = analysis.headline, analysis.settings, coverage(analysis.settings)
    cost, pair = one.verdict.cost, analysis.measurement.pair
    both = one.probability_population_agrees
    undecided, guesses = one.true.direction is Direction.UNDECIDED, 100 * best_guess(cost.epsilon, cost.delta)
    return {
        "Score": one.true.score.title,
        "Protected": way.title,
        "Cost of one release": f"ε = {cost.epsilon:g}, δ = {cost.delta:g}",
        "Best attacker, of 100 coin-flip guesses": f"at most {guesses:.0f} right on average",
        "Noise-free arrow (true)": "undecided" if undecided else named_arrow(pair, one.true.direction),
        "Does it tell other people's arrow?": analysis.telling,
        "Private runs that agree with it": "—" if undecided else percent(one.probability_arrow_kept),
        "Private arrow is that of other people too": "—" if both is None else percent(both),
        "Seeds of split and draws": f"{settings.seed}, {settings.draw_seed}",
    }


def _runs(name: str, analysis: Analysis) -> str:
    runs = first_runs(analysis.headline, analysis.settings)
    flips, refused = count(runs, Outcome.FLIPPED), count(runs, Outcome.REFUSED)
    said = f"{name}: {flips} of {len(runs)} simulated private runs flip the arrow"
    said += f", {refused} refuse to answer." if refused else "."
    return figure(icon_svg(flips, said), said)
