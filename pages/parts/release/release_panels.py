"""What the Release page shows: the plan's price before, the private result after."""

import json
import math
from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.parts.release import spending
from pages.shared import panels, state
from pages.shared.panels import PRIVATE_BADGE, UNIT_OF_PRIVACY
from pages.shared.wording import chip, literal, score_title
from privcause_core.explore.block_planning import recommended_blocks, vote_certainty
from privcause_core.names import machine_text
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.release import (
    DEFAULT_BUDGET,
    Account,
    Quote,
    Receipt,
    Terms,
    certainty_for,
    certificate,
    certificate_json,
    confidence_in_arrow,
    decimal_text,
    margin_interval,
    value_interval,
)
from privcause_core.report import public_report
from privcause_core.scores import all_scores
from privcause_core.verdicts.attacker import best_guess
from privcause_core.verdicts.outcome import Refused, Released
from privcause_core.verdicts.propose_test_release import IqrVerdict

CONFIDENCE = 0.95
OUTPUT_TITLES = {
    "score_xy": "private score x → y",
    "score_yx": "private score y → x",
    "margin": "private margin (y → x minus x → y)",
    "log_iqr_x": "private log IQR of x",
    "log_iqr_residual_y": "private log IQR of y's residual",
    "log_iqr_y": "private log IQR of y",
    "log_iqr_residual_x": "private log IQR of x's residual",
}


def strip(quote: Quote) -> None:
    """Sum up the public facts and the promise."""
    pair = state.pair()
    facts = [
        ("Pair", f"{chip(pair.x_name)}, {chip(pair.y_name)}"),
        ("Complete rows, public", coverage(quote.plan.settings).rows_text(pair.rows, quote.n_train, quote.n_test)),
        ("Unit of privacy", UNIT_OF_PRIVACY),
        ("Protected", coverage(quote.plan.settings).title),
        ("This release spends in all", f"ε = {decimal_text(quote.cost.epsilon)}, δ = {decimal_text(quote.cost.delta)}"),
    ]
    panels.strip(facts, "release_strip")


def choose_columns() -> None:
    """Ask for the two columns where the table has more; stop until people have chosen."""
    if spending.columns_chosen():
        return
    pair = state.pair()
    st.info(
        "This table has more than two columns of numbers. Choose X and Y in the sidebar, or confirm those it shows: "
        "which ones the program proposes depends on private values, so a release waits for your choice.",
        icon=":material/view_column:",
    )
    shown = f"Use {chip(pair.x_name)} and {chip(pair.y_name)}"
    st.button(shown, key="choose_columns", on_click=spending.choose_shown_columns)
    st.stop()


def choose_scores() -> None:
    """Let people choose the scores; the sidebar's at first."""
    st.multiselect(
        "Scores to release (their costs add)",
        [score.name for score in all_scores()],
        default=spending.sidebar_scores(),
        format_func=score_title,
        key=spending.SCORES,
    )


def terms(quote: Quote) -> None:
    """Show what each verdict does and costs; needs no data."""
    st.subheader("What will be drawn")
    rows = []
    for one in quote.terms:
        rows += [
            {
                "Score": score_title(one.score),
                "Draws": f"{draw.count} × {draw.statistic}",
                "Sensitivity": f"{draw.sensitivity:.6g}",
                "ε per draw": f"{draw.epsilon:.6g}",
                "Noise scale": f"{draw.scale:.6g}",
                "Costs in all (ε, δ)": f"({decimal_text(one.cost.epsilon)}, {decimal_text(one.cost.delta)})",
            }
            for draw in one.draws
        ]
    _table(rows)
    st.caption(
        "Sensitivity: the most that one row can move the number drawn; the noise is scaled to it. ε per draw is the "
        "published paper's epsilon. Laplace noise comes from the OpenDP library, unseeded."
    )
    for warning in quote.warnings:
        st.info(literal(warning), icon=":material/info:")


def certainty(quote: Quote) -> None:
    """Show how sure the arrow would be under an assumption that people type, never the loaded data's own values."""
    st.subheader("Would it be worth it?")
    if coverage(quote.plan.settings).votes:
        _vote_certainty(quote)
        return
    margin = st.number_input(
        "Assumed margin between the two scores",
        min_value=0.0,
        value=0.05,
        step=0.01,
        format="%.4g",
        key="assumed_margin",
        help="From earlier studies or a guess. The loaded data's own margin is private: tuning to it reveals it.",
    )
    for one in quote.terms:
        when = " once released." if isinstance(one.verdict, IqrVerdict) else "."
        sure = f"probability **{_percent(certainty_for(one, margin))}**{when}"
        st.markdown(f"{score_title(one.score)}: the private arrow would be the true one with {sure}")
        if isinstance(one.verdict, IqrVerdict):
            _stability(one, one.largest_distance(quote.n_test))


def _vote_certainty(quote: Quote) -> None:
    blocks, epsilon = quote.plan.settings.blocks, float(quote.plan.epsilon)
    agreement = st.number_input(
        "Assumed share of blocks that point the true way",
        min_value=0.5,
        max_value=1.0,
        value=0.9,
        step=0.05,
        key="assumed_agreement",
        help="A guess, or the share on synthetic pairs as long as a block; never the loaded data's own votes.",
    )
    sure = _percent(vote_certainty(blocks, agreement, epsilon))
    st.markdown(f"{blocks} blocks: the private arrow would be the true one with probability **{sure}**.")
    advised = recommended_blocks(state.pair().rows, epsilon)
    st.caption(f"Recommended from the number of rows and ε alone: {advised} blocks.")


def _stability(one: Terms, largest: int) -> None:
    half, mostly = one.distance_needed(0.5), one.distance_needed(0.9)
    st.markdown(
        f"The IQR is released only if the data are far from instability: at {half:,} rows in half of all runs, at "
        f"{mostly:,} rows in nine of ten. No data of this size are farther than {largest:,}."
    )


def budget(quote: Quote, account: Account | None) -> bool:
    """Show the table's budget; return whether the plan fits, judged without the data."""
    st.subheader("Budget of this table")
    if account is None:
        return _first_budget(quote)
    left, spent = account.remaining, account.spent
    columns = st.columns(2)
    columns[0].metric("Remaining ε", decimal_text(left.epsilon), border=True)
    columns[1].metric("Remaining δ", decimal_text(left.delta), border=True)
    st.caption(
        f"Of ({decimal_text(account.budget.epsilon)}, {decimal_text(account.budget.delta)}), spent "
        f"({decimal_text(spent.epsilon)}, {decimal_text(spent.delta)}). The budget belongs to the table, whatever the "
        "file format, row order or column names, on this machine and for all sessions."
    )
    if account.split:
        where = " by place in the file" if account.split.seed is not None else ""
        st.caption(f"Its test rows are fixed for ever{where}: test share {account.split.test_share:g}.")
    fits = not account.retired and quote.cost.fits(left)
    if account.retired:
        st.error("This table's account is retired: no further release.")
    elif not fits:
        st.error("The plan costs more than what remains; choose a smaller ε or fewer scores. Nothing is charged.")
    _separate_acts(account)
    return fits


def _first_budget(quote: Quote) -> bool:
    split = "" if coverage(quote.plan.settings).every_row else " and the test share"
    st.markdown(f"No release yet. The first one fixes the budget{split} of this table.")
    columns = st.columns(2)
    columns[0].text_input("Budget ε", decimal_text(DEFAULT_BUDGET.epsilon), key=spending.BUDGET_EPSILON)
    columns[1].text_input("Budget δ", decimal_text(DEFAULT_BUDGET.delta), key=spending.BUDGET_DELTA)
    fits = quote.cost.fits(spending.first_budget())
    if not fits:
        st.error("The plan costs more than this budget.")
    return fits


def _separate_acts(account: Account) -> None:
    with st.expander("Raise or retire the budget (recorded)", key="separate_acts"):
        epsilon = st.text_input("New budget ε", decimal_text(account.budget.epsilon), key="raise_epsilon")
        delta = st.text_input("New budget δ", decimal_text(account.budget.delta), key="raise_delta")
        reason = st.text_input("Why", key="act_reason", help="Kept in the ledger for ever.")
        st.button("Raise the budget", key="raise", on_click=spending.raise_budget, args=(epsilon, delta, reason))
        st.button("Retire this table", key="retire", on_click=spending.retire, args=(reason,))


def before_you_spend() -> None:
    """Say once more what looking costs."""
    st.warning(
        "Score, ε, δ and every other setting must have been chosen before looking at the true scores, or from public "
        "facts: a setting tuned to the data reveals the data. A refusal costs as much as an answer.",
        icon=":material/visibility_off:",
    )


def history(account: Account | None) -> None:
    """Show the table's charges; the outputs stay with whoever holds their address."""
    if account is None or not account.history:
        return
    st.subheader("Ledger of this table")
    rows = [
        {
            "Time": charge.time,
            "ε": decimal_text(charge.cost.epsilon),
            "δ": decimal_text(charge.cost.delta),
            "Scores": ", ".join(map(str, charge.purpose.get("scores", []))),
            "Result stored": "yes" if charge.complete else "no (interrupted; spent all the same)",
        }
        for charge in account.history
    ]
    _table(rows)


def result(receipt: Receipt) -> None:
    """Show a stored result: private outputs, their intervals and the certificate."""
    issued = certificate(receipt)
    st.caption(
        "The stored output of one release; showing it again draws nothing. Keep this page's address: whoever has it "
        "can see this output, and nothing else of your session."
    )
    for one, outcome in receipt.results:
        _outcome(receipt, one, outcome)
    cost = receipt.quote.cost
    st.markdown(
        f"**Promise.** (ε, δ) = ({decimal_text(cost.epsilon)}, {decimal_text(cost.delta)}) for one replaced row. "
        f"Protected: {issued['guarantee']['protected']}. Of 100 coin-flip bets on whether a protected row is in, the "
        f"best attacker wins at most {100 * best_guess(float(cost.epsilon), float(cost.delta)):.0f}. "
        "The number of complete rows is public."
    )
    with st.container(horizontal=True):
        _download("Certificate (JSON)", certificate_json(receipt), "certificate.json", "application/json")
        page = partial(public_report, issued, vouched_for=True)
        _download("Certificate (HTML, for anyone to read)", page, "certificate.html", "text/html")
    with st.expander("The whole certificate", key="certificate"):
        st.code(machine_text(json.dumps(issued, indent=2, ensure_ascii=False)), language="json")


def _outcome(receipt: Receipt, one: Terms, outcome: Released | Refused) -> None:
    with st.container(border=True, key=f"outcome_{one.score}"):
        st.markdown(f"{PRIVATE_BADGE} **{score_title(one.score)}**")
        if isinstance(outcome, Refused):
            st.subheader("No arrow released")
            st.markdown("The stability test refused at least one of the four values. It costs the same.")
        else:
            _arrow(receipt, one, outcome)
        _table(_rows(one, outcome))
        st.caption(f"Laplace noise scale of each private value: {one.noise_scale:.6g}")


def _arrow(receipt: Receipt, one: Terms, outcome: Released) -> None:
    names = (receipt.x_name, receipt.y_name)
    cause, effect = names if outcome.direction is Direction.X_TO_Y else names[::-1]
    st.subheader(f"{chip(cause)} → {chip(effect)}")
    interval = margin_interval(one, outcome, CONFIDENCE)
    sure = confidence_in_arrow(one, outcome)
    if interval is not None:
        settings = receipt.plan.settings
        blocks = f" votes (of {settings.blocks:,} blocks; noise can take it beyond)"
        unit = blocks if coverage(settings).votes else ""
        st.markdown(
            f"The private margin is {outcome.margin:.6g}{unit}, 95 % interval {interval.low:.4g} to "
            f"{interval.high:.4g}: {_reading(interval.low <= 0.0 <= interval.high)} The largest confidence at which it "
            f"excludes 0 is **{_percent(sure)}**. None of this says whether the true scores point the right way."
        )


def _reading(includes_zero: bool) -> str:
    if includes_zero:
        return "it includes 0, so the noise alone could have made this arrow."
    return "it excludes 0, so the noise alone hardly made this arrow."


def _table(rows: list[dict[str, str]]) -> None:
    st.table({name: [row[name] for row in rows] for name in rows[0]}, hide_index=True)


def _percent(share: float) -> str:
    """Return a share as a percentage that never rounds up to certainty."""
    return "more than 99.99 %" if share > 0.9999 else f"{100 * share:.4g} %"


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
    if value is None:
        return "not released"
    return "IQR is zero" if math.isinf(value) else f"{value:.6g}"


def _download(label: str, text: str | Callable[[], str], name: str, mime: str) -> None:
    st.download_button(label, text, name, mime, key=f"download_{name}", icon=":material/download:", on_click="ignore")
