"""How the Release page writes tables, shares and times."""

from datetime import UTC, datetime

import streamlit as st


def table(rows: list[dict[str, str]]) -> None:
    """Draw rows of equal keys."""
    st.table({name: [row[name] for row in rows] for name in rows[0]}, hide_index=True)


def percent(share: float) -> str:
    """Return a share as a percentage that never rounds up to certainty."""
    return "more than 99.99 %" if share > 0.9999 else f"{100 * share:.4g} %"


def to_the_second(time: str) -> str:
    """Return an ISO 8601 time to the second, in UTC."""
    return datetime.fromisoformat(time).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
