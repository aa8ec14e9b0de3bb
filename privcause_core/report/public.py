"""The certificate's page: a release in plain words. It is given the certificate alone, so it can say nothing else."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from privcause_core.figures.icons import icon_svg
from privcause_core.figures.private import private_margin
from privcause_core.release import confidence_text, receipt_of
from privcause_core.report.document import Kind, Section, bullets, chart, code, document, facts, paragraph
from privcause_core.scores import get_score
from privcause_core.text.names import arrow_text, isolated, machine_text
from privcause_core.text.words import best_guess, promise_lines

_VOUCHED = "Verified when this page was written: the ledger that issued it, or its known key, vouched for it."
_NOT_VOUCHED = (
    "Not verified: when this page was written neither the ledger that should have issued the certificate nor its "
    "public key was at hand. Its claims go together, but anybody can invent such a certificate."
)


def public_report(certificate: Mapping[str, Any], *, vouched_for: bool = False) -> str:
    """Return a release's certificate as a self-contained HTML page for anyone to read.

    Parameters
    ----------
    certificate : mapping
    vouched_for : bool
        Whether the ledger or a known key confirmed it just now; said on the page either way.

    Raises
    ------
    DataError
        If it is not a complete certificate.
    """
    receipt_of(certificate)
    pair = certificate["pair"]
    sections = _sections(certificate, vouched_for=vouched_for)
    title = f"{isolated(pair['x'])} and {isolated(pair['y'])}: a private verdict"
    return document(Kind.PUBLIC, title, sections)


def _sections(certificate: Mapping[str, Any], *, vouched_for: bool) -> Iterator[Section]:
    for release in certificate["releases"]:
        title = get_score(release["score"]).title
        yield Section(f"The answer: {title}", [*_answer(title, release, certificate["pair"])])
    yield Section("What people in the data were promised", [*_promise(certificate)])
    yield Section("How it was made", [*_method(certificate)])
    yield Section("What was decided beforehand", [facts((_words(k), _text(v)) for k, v in _typed(certificate))])
    if "reading" in certificate:
        stated = {key: value for key, value in certificate["reading"].items() if value is not None and value != []}
        declared = ((_words(key), isolated(_text(value))) for key, value in stated.items())
        yield Section("How the file was read, declared beforehand", [facts(declared)])
    yield Section("The certificate", [*_record(certificate, vouched_for=vouched_for)])


def _answer(title: str, release: Mapping[str, Any], pair: Mapping[str, str]) -> Iterator[str]:
    outcome = release["outcome"]
    if outcome["refused"]:
        yield paragraph("No arrow.", "answer")
        yield paragraph(
            "The stability test kept back at least one of the four values. That says little about the data and costs "
            "as much as an arrow."
        )
    else:
        yield from _arrow(title, outcome, pair)
    percent = f"{outcome['confidence_of_intervals']:.0%}"
    yield facts((f"Private {_words(name)}", _value(entry, percent)) for name, entry in outcome["values"].items())


def _arrow(title: str, outcome: Mapping[str, Any], pair: Mapping[str, str]) -> Iterator[str]:
    cause, effect = outcome["direction"].split("->")
    arrow = arrow_text(pair[cause], pair[effect])
    margin, percent = outcome["margin"], f"{100 * outcome['confidence_of_intervals']:.0f} %"
    if margin["interval"] is not None and margin["interval"][0] <= 0.0 <= margin["interval"][1]:
        yield paragraph(f"Undecided at {percent} (ε private)", "answer")
        yield paragraph(
            f"The noisy margin points {arrow}, but its {percent} interval includes 0: the noise alone could have made "
            "this arrow. Do not read it as a finding."
        )
    else:
        yield paragraph(f"{arrow} (ε private)", "answer")
    if margin["interval"] is None:
        yield paragraph("One of the values is an IQR of zero, which is smaller than any other: there is no interval.")
    else:
        low, high = margin["interval"]
        chance = (1.0 - outcome["confidence_in_direction"]) / 2.0
        yield paragraph(
            "If both arrows were level without noise, noise alone would give a margin as clear as this, this way, "
            f"with probability {f'{chance:.2g}' if chance else 'below 1e-16'}. That the rows are themselves a sample "
            "is not part of this number, nor whether the scores point the right way."
        )
        yield chart(private_margin(title, margin["value"], low, high, outcome["confidence_of_intervals"]))
        sure = confidence_text(outcome["confidence_in_direction"])
        yield facts([("Largest confidence at which the margin's interval excludes 0", sure)])


def _promise(certificate: Mapping[str, Any]) -> Iterator[str]:
    stated = certificate["guarantee"]
    epsilon, delta = float(stated["epsilon"]), float(stated["delta"])
    yield facts([
        ("Total ε, δ", f"{stated['epsilon']}, {stated['delta']}"),
        ("Protected", stated["protected"]),
        ("Unit", stated["unit"]),
        ("Neighbouring data", stated["neighbours"]),
        *((("How rows were dealt", stated["dealing"]),) if "dealing" in stated else ()),
        ("Public by declaration", stated["public_facts"]),
        ("Composition", stated["composition"]),
    ])  # fmt: skip
    yield bullets(promise_lines(epsilon, delta))
    right = round(100.0 * best_guess(epsilon, delta))
    label = f"Of 100 guesses about one row the best attacker gets on average at most {right} right"
    yield f"<figure>{icon_svg(right, label)}<figcaption>{label}.</figcaption></figure>"
    if (person := stated.get("person")) and person["rows_at_most"] > 1:
        yield paragraph(
            f"A person may have up to {person['rows_at_most']:,} rows. For a person the promise is ε = "
            f"{person['epsilon']}, δ = {person['delta']}, so many times that of a row: of 100 guesses about a "
            f"person the best attacker gets on average at most {100.0 * person['best_guess']:.1f} right."
        )


def _method(certificate: Mapping[str, Any]) -> Iterator[str]:
    yield paragraph(_in_words(certificate["public"]))
    for release in certificate["releases"]:
        yield facts(_mechanism(release))


def _mechanism(release: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    yield "Score", get_score(release["score"]).title
    yield "Mechanism", release["mechanism"]
    yield "Cost", f"ε = {release['cost']['epsilon']}, δ = {release['cost']['delta']}"
    proved = release.get("sensitivity_proved")
    yield "Sensitivity", str(release["sensitivity_formula"]) + ("" if proved is None else f" = {proved}")
    if "eta" in release:
        yield "eta", f"{release['eta']}, {release['eta_formula']}"
    for draw in release["draws"]:
        yield (
            f"Noise on each {draw['statistic']}",
            f"Laplace, scale {draw['noise_scale']}, at most {draw['at_most']} draw(s) of ε = {draw['epsilon']} "
            f"(sensitivity {draw['sensitivity']}, roundings included)",
        )
    if "threshold" in release:
        column = release["one_column_changed"]
        yield "Threshold of the stability test", release["threshold"]
        yield "If only one column of a row changed", f"ε = {column['epsilon']:.6g}, δ = {column['delta']:.3g}"


def _in_words(public: Mapping[str, Any]) -> str:
    scored = (
        "a score measured how much what the curve leaves still depends on the supposed cause. The arrow goes the way "
        "of the smaller score."
    )
    if "blocks" in public:
        rows = public.get("rows", public.get("complete_rows"))
        return (
            f"{rows:,} rows were dealt at random into {public['blocks']:,} blocks. In each, one part of the rows "
            f"trained a curve each way; on the rest {scored} Then both changed places. Every block has one vote, and "
            "random noise was added to the votes before they were compared."
        )
    return (
        f"Of {_rows_in_words(public)} {public['n_train']:,} trained a curve each way; on the other "
        f"{public['n_test']:,} {scored} Random noise was added before the comparison."
    )


def _rows_in_words(public: Mapping[str, Any]) -> str:
    complete = public.get("complete_rows", public.get("rows"))
    if "complete_rows" not in public:
        return f"{complete:,} rows"
    rows = public.get("rows", complete)
    return f"{complete:,} complete rows" + (f", of {rows:,} rows in all," if rows > complete else "")


def _typed(certificate: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    plan, unused = certificate["plan"], set(certificate["not_used"])
    yield from ((key, value) for key, value in plan.items() if key not in {"epsilon", "delta", *unused})
    yield "epsilon of each verdict", plan["epsilon"]
    if "delta" not in unused:
        yield "delta of each verdict that uses it", plan["delta"]


def _record(certificate: Mapping[str, Any], *, vouched_for: bool) -> Iterator[str]:
    pair = certificate["pair"]
    yield paragraph(_VOUCHED if vouched_for else _NOT_VOUCHED)
    yield facts([
        ("Pair", isolated(pair["name"])),
        ("X", isolated(pair["x"])),
        ("Y", isolated(pair["y"])),
        *((_words(key).capitalize(), number) for key, number in certificate["public"].items()),
        ("Time", certificate["time"]),
        ("Entry", certificate["entry"]),
        *((("Signed with the key", certificate["signature"]["public_key"]),) if "signature" in certificate else ()),
        *((f"Version of {name}", number) for name, number in certificate["software"].items()),
    ])  # fmt: skip
    yield paragraph(
        "Anyone can recompute its claims, and who knows the holder's public key can tell it from an invention: save "
        "it as certificate.json and run privcause verify certificate.json --key KEY."
    )
    yield code(machine_text(json.dumps(certificate, indent=2, ensure_ascii=False)))


def _value(entry: Mapping[str, Any], percent: str) -> str:
    if entry["value"] is None:
        return "refused"
    if entry["interval"] is None:
        return str(entry["value"])
    low, high = entry["interval"]
    return f"{entry['value']} ({percent} interval {low:.4g} to {high:.4g})"


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _words(key: str) -> str:
    return key.replace("_", " ")
