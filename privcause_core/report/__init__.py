"""Reports as self-contained HTML: one plotly.js inside, nothing fetched, no share button.

Two kinds, never mixed: a *teaching* report holds true values and says so on every page and section; a *public* one
is built from a certificate alone, so it holds private outputs and public facts only.
"""

from privcause_core.report.board import board_summary
from privcause_core.report.public import public_report
from privcause_core.report.teaching import teaching_report

__all__ = ["board_summary", "public_report", "teaching_report"]
