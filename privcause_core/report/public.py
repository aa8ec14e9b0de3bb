"""The public report: a certificate in plain words. It is given nothing else, so it can say nothing else."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from privcause_core.figures.icons import icon_svg
from privcause_core.figures.private import private_margin
from privcause_core.names import arrow_text, isolated, machine_text
from privcause_core.release.certificate import receipt_of
from privcause_core.report.document import Kind, Section, bullets, chart, code, document, facts, paragraph
from privcause_core.report.teaching import promise_lines
from privcause_core.scores import get_score
from privcause_core.verdicts.attacker import best_guess


def public_report(certificate: Mapping[str, Any]) -> str:
    """Return a release's certificate as a self-contained HTML report for anyone to read.

    Raises
    ------
    DataError
        If it is not a complete certificate.
    """
    receipt_of(certificate)
    pair = certificate["pair"]
    return document(
        Kind.PUBLIC, f"{isolated(pair['x'])} and {isolated(pair['y'])}: a private verdict", _sections(certificate)
    )


def _sections(certificate: Mapping[str, Any]) -> Iterator[Section]:
    for release in certificate["releases"]:
        title = get_score(release["score"]).title
        yield Section(f"The answer: {title}", [*_answer(title, release["outcome"], certificate["pair"])])
    yield Section("What people in the data were promised", [*_promise(certificate)])
    yield Section("How it was made", [*_method(certificate)])
    record = machine_text(json.dumps(certificate, indent=2, ensure_ascii=False))
    yield Section("The certificate", [paragraph("Anyone can recompute its claims: privcause verify."), code(record)])


def _answer(title: str, outcome: Mapping[str, Any], pair: Mapping[str, str]) -> Iterator[str]:
    if outcome["refused"]:
        yield paragraph("No arrow.", "answer")
        yield paragraph(
            "The stability test kept back at least one of the four values. That says little about the data and costs "
            "as much as an arrow."
        )
        return
    cause, effect = outcome["direction"].split("->")
    yield paragraph(f"{arrow_text(pair[cause], pair[effect])} (ε private)", "answer")
    yield paragraph(
        "If both arrows were level without noise, noise alone would give a margin as clear as this, this way, with "
        f"probability {(1.0 - outcome['confidence_in_direction']) / 2.0:.2g}. That the rows are themselves a sample is "
        "not part of this number."
    )
    margin = outcome["margin"]
    if margin["interval"] is not None:
        low, high = margin["interval"]
        yield chart(private_margin(title, margin["value"], low, high, outcome["confidence_of_intervals"]))


def _promise(certificate: Mapping[str, Any]) -> Iterator[str]:
    stated = certificate["guarantee"]
    epsilon, delta = float(stated["epsilon"]), float(stated["delta"])
    yield facts([
        ("Total ε, δ", f"{stated['epsilon']}, {stated['delta']}"),
        ("Protected", stated["protected"]),
        ("Unit", stated["unit"]),
        ("Neighbouring data", stated["neighbours"]),
        ("Public by declaration", stated["public_facts"]),
        ("Composition", stated["composition"]),
    ])  # fmt: skip
    yield bullets(promise_lines(epsilon, delta))
    right = round(100.0 * best_guess(epsilon, delta))
    label = f"Of 100 guesses the best attacker gets at most {right} right"
    yield f"<figure>{icon_svg(right, label)}<figcaption>{label}.</figcaption></figure>"


def _method(certificate: Mapping[str, Any]) -> Iterator[str]:
    yield paragraph(_in_words(certificate["public"]))
    yield facts(_draw(release, draw) for release in certificate["releases"] for draw in release["draws"])


def _in_words(public: Mapping[str, Any]) -> str:
    scored = (
        "a score measured how much what the curve leaves still depends on the supposed cause. The arrow goes the way "
        "of the smaller score."
    )
    if "blocks" in public:
        return (
            f"{public['complete_rows']:,} complete rows were dealt at random into {public['blocks']:,} blocks. In "
            f"each, one part of the rows trained a curve each way; on the rest {scored} Then both changed places. "
            "Every block has one vote, and random noise was added to the votes before they were compared."
        )
    return (
        f"Of {public['complete_rows']:,} complete rows {public['n_train']:,} trained a curve each way; on the other "
        f"{public['n_test']:,} {scored} Random noise was added before the comparison."
    )


def _draw(release: Mapping[str, Any], draw: Mapping[str, Any]) -> tuple[str, str]:
    name = f"{get_score(release['score']).title}: {draw['statistic']}"
    return name, f"{release['mechanism']}, scale {draw['noise_scale']}"
