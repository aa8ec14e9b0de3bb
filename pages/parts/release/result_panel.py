"""Step 6 of a release: the stored result, from what it is, its certificate, what remains of the budget, the ledger."""

import json
from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.release import budget_panel, source, spending
from pages.parts.release.confirm_step import rows_text
from pages.parts.release.spending import Origin
from pages.parts.release.tables import table, to_the_second
from pages.shared import panels
from pages.shared.panels import PRIVATE_BADGE
from pages.shared.wording import chip, literal, score_title
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.release import (
    Receipt,
    Refused,
    Released,
    Terms,
    certificate,
    certificate_json,
    confidence_in_arrow,
    confidence_text,
    decimal_text,
    margin_interval,
    value_interval,
)
from privcause_core.release.certificate import CONFIDENCE
from privcause_core.report import public_report
from privcause_core.text.names import machine_text
from privcause_core.text.words import guesses_right, score_text

OUTPUT_TITLES = {
    "score_xy": "private score x → y",
    "score_yx": "private score y → x",
    "margin": "private margin (y → x minus x → y)",
    "log_iqr_x": "private log IQR of x",
    "log_iqr_residual_y": "private log IQR of y's residual",
    "log_iqr_y": "private log IQR of y",
    "log_iqr_residual_x": "private log IQR of x's residual",
}
_KEEP = (
    "Stored; showing it again draws nothing. Keep this page's address: whoever has it sees this output and nothing "
    "else of your session."
)
_LINK = (
    "You opened the link of one stored release. It shows private outputs and public facts only; there is nothing to "
    "upload, and nothing else of the sender's session is here."
)
_OTHERS = "The data loaded now are others than those of this result: {}. Nothing below is about them."


def draw(receipt: Receipt) -> None:
    """Show the private outputs, their intervals and the certificate."""
    issued, origin = certificate(receipt), spending.origin(receipt)
    st.header("Result")
    if origin is Origin.OTHER_DATA:
        st.warning(_OTHERS.format(chip(source.name())), icon=":material/difference:")
    elif origin is Origin.LINK:
        st.info(_LINK, icon=":material/link:")
    _about(receipt)
    for one, outcome in receipt.results:
        _outcome(receipt, one, outcome)
    if origin is Origin.THESE_DATA:
        st.caption(_KEEP)
    cost = receipt.quote.cost
    st.markdown(
        f"**Promise.** (ε, δ) = ({decimal_text(cost.epsilon)}, {decimal_text(cost.delta)}) for one replaced row. "
        f"Protected: {issued['guarantee']['protected']}. Of 100 coin-flip bets on whether a protected row is in, the "
        f"best attacker gets {guesses_right(float(cost.epsilon), float(cost.delta))}."
    )
    with st.container(horizontal=True):
        _download("Certificate (JSON)", certificate_json(receipt), "certificate.json", "application/json")
        page = partial(public_report, issued, vouched_for=True)
        _download("Certificate (HTML, for anyone to read)", page, "certificate.html", "text/html")
    with st.expander("The whole certificate", key="certificate"):
        st.code(machine_text(json.dumps(issued, indent=2, ensure_ascii=False)), language="json")
    if origin is Origin.THESE_DATA:
        _what_remains()


def _about(receipt: Receipt) -> None:
    facts = [
        ("File", chip(receipt.pair_name)),
        ("X, Y", f"{chip(receipt.x_name)}, {chip(receipt.y_name)}"),
        rows_text(receipt.quote),
        ("Released", literal(to_the_second(receipt.time))),
    ]
    panels.strip(facts, "result_strip")


def _what_remains() -> None:
    account = spending.account()
    if account is None:
        return
    st.subheader("Budget of this table")
    budget_panel.remaining(account)
    budget_panel.history(account)


def _outcome(receipt: Receipt, one: Terms, outcome: Released | Refused) -> None:
    with st.container(border=True, key=f"outcome_{one.score}"):
        st.markdown(f"{PRIVATE_BADGE} **{score_title(one.score)}**")
        if isinstance(outcome, Refused):
            st.subheader("No arrow released")
            st.markdown("The stability test refused at least one of the four values. It costs the same.")
        else:
            _arrow(receipt, one, outcome)
        table(_rows(one, outcome))
        st.caption(f"Laplace noise scale of each private value: {one.noise_scale:.6g}")


def _arrow(receipt: Receipt, one: Terms, outcome: Released) -> None:
    names = (receipt.x_name, receipt.y_name)
    cause, effect = names if outcome.direction is Direction.X_TO_Y else names[::-1]
    arrow, interval = f"{chip(cause)} → {chip(effect)}", margin_interval(one, outcome, CONFIDENCE)
    if interval is None:
        st.subheader(arrow)
        st.markdown("One of the values is an IQR of zero, which is smaller than any other: there is no interval.")
        return
    undecided = interval.low <= 0.0 <= interval.high
    st.subheader("Undecided at 95 %" if undecided else arrow)
    settings = receipt.plan.settings
    blocks = f" votes (of {settings.blocks:,} blocks; noise can take it beyond)"
    unit = blocks if coverage(settings).votes else ""
    said = f"The private margin is {outcome.margin:.6g}{unit}, 95 % interval {interval.low:.4g} to {interval.high:.4g}:"
    if undecided:
        st.markdown(
            f"{said} it points {arrow} and includes 0, so the noise alone could have made this arrow. Do not read it "
            "as a finding."
        )
    else:
        st.markdown(
            f"{said} it excludes 0, up to a confidence of **{confidence_text(confidence_in_arrow(one, outcome))}**. "
            "That says nothing of whether the noise-free arrow is right."
        )


def _rows(one: Terms, outcome: Released | Refused) -> list[dict[str, str]]:
    rows = []
    for name, value in zip(one.verdict.outputs, outcome.values, strict=True):
        interval = value_interval(one, value, CONFIDENCE)
        rows.append(
            {
                "ε Output": OUTPUT_TITLES[name],
                "Value": _value(value),
                "95 % interval": f"{interval.low:.4g} to {interval.high:.4g}" if interval else "",
            }
        )
    return rows


def _value(value: float | None) -> str:
    return "not released" if value is None else score_text(value, 6)


def _download(label: str, text: str | Callable[[], str], name: str, mime: str) -> None:
    st.download_button(label, text, name, mime, key=f"download_{name}", icon=":material/download:", on_click="ignore")
