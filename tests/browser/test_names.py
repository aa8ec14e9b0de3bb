"""Where names stand, measured: the cause left of the arrow, the effect right of it, whatever the names hold."""

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from privcause_core.explore.analysis import analyse
from privcause_core.pair import Direction, Pair
from privcause_core.release import (
    Ledger,
    certificate,
    release,
)
from privcause_core.report import public_report, teaching_report
from privcause_core.settings import Settings
from privcause_core.text.names import visible
from privcause_core.verdicts.outcome import Released
from tests.browser.test_pages import drawn, opened, upload
from tests.unit.releasing import NOW, WIDE, pair, plan

pytestmark = pytest.mark.browser
NAMES = [("גיל", "לחץ"), ("عمر المريض", "ضغط"), ("\u202eage", "bp"), ("age", "לחץ")]
# Of every innermost element that holds an arrow between both names: where the first name, the arrow and the
# second name stand.
BOXES = """([root, names]) => {
  const box = (nodes, text) => {
    for (const node of nodes) {
      const start = node.data.indexOf(text);
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + text.length);
      const found = range.getBoundingClientRect();
      return [found.left, found.right];
    }
    return null;
  };
  const inOrder = text => [...names].sort((a, b) => text.indexOf(a) - text.indexOf(b));
  const holds = one => {
    const text = one.textContent, [first, second] = inOrder(text), end = text.indexOf(first) + first.length;
    return names.every(name => text.includes(name)) && /^\\P{L}*→\\P{L}*$/u.test(text.slice(end, text.indexOf(second)));
  };
  const all = [...document.querySelectorAll(root + ' *')].filter(holds);
  return all.filter(one => !all.some(other => other !== one && one.contains(other))).map(one => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) nodes.push(walker.currentNode);
    const said = inOrder(one.textContent);
    return [box(nodes, said[0]), box(nodes, '→'), box(nodes, said[1])];
  });
}"""


def assert_causes_left(page: Page, root: str, x_name: str, y_name: str) -> None:
    """Check every arrow that is shown: what is said first stands left of it, the other name right."""
    found = page.evaluate(BOXES, [root, [visible(x_name), visible(y_name)]])
    seen = [[end for box in boxes for end in box] for boxes in found if boxes[0][1] > boxes[0][0]]
    assert seen
    for ends in seen:
        assert all(left <= right + 0.5 for left, right in pairwise(ends))


def named(x_name: str, y_name: str, content: Pair) -> Pair:
    return Pair("trial", x_name, y_name, content.x, content.y)


def read(page: Page, folder: Path, report: str) -> None:
    """Open a report from a file, always the same: what the browser compiled for the one before serves again."""
    path = folder / "report.html"
    path.write_text(report, encoding="utf-8")
    page.goto(path.as_uri())


def test_a_certificate_shows_the_cause_left_of_the_arrow_decided_or_not(page: Page, tmp_path: Path) -> None:
    for number, (x_name, y_name) in enumerate(NAMES):
        ledger = Ledger(tmp_path / f"ledger{number}.sqlite")
        receipt = release(plan(epsilon="2"), named(x_name, y_name, pair()), ledger, now=NOW, budget=WIDE)
        for margin, undecided in ((0.01, True), (0.9, False)):
            outcome = Released((0.0, margin), margin, Direction.X_TO_Y)
            issued = certificate(replace(receipt, outcomes=(outcome,)))
            read(page, tmp_path, public_report(issued))
            assert page.get_by_text("Undecided at 95 %").is_visible() == undecided
            assert_causes_left(page, "body", x_name, y_name)


def test_a_teaching_report_shows_the_cause_left_of_the_arrow(page: Page, tmp_path: Path) -> None:
    for x_name, y_name in NAMES:
        analysis = analyse(named(x_name, y_name, pair(200)), Settings(draws=10))
        read(page, tmp_path, teaching_report(analysis, "privcause analyse pair.csv"))
        assert_causes_left(page, "main", x_name, y_name)


def test_explore_shows_x_left_of_the_drawn_arrow_and_y_right_of_it(page: Page, address: str) -> None:
    rows = "".join(f"{k / 60:.4f},{math.tanh(k / 20) + k * 37 % 11 / 30:.4f}\n" for k in range(60))
    drawn(opened(page, address))
    line = page.locator(".arrow-line")
    for number, (x_name, y_name) in enumerate(NAMES):
        upload(page, f"names{number}.csv", f"{x_name},{y_name}\n{rows}".encode())
        page.get_by_text(f"Loaded: names{number}.csv").wait_for()
        for place, name in (("x", x_name), ("y", y_name)):
            expect(line.locator(f".name.{place}")).to_have_text(visible(name))
        expect(page.locator("input[type=file]")).to_have_count(1)  # the next upload has a fresh box
        boxes = [line.locator(part).bounding_box() for part in (".name.x", ".arrow", ".name.y")]
        assert all(left["x"] + left["width"] <= right["x"] + 0.5 for left, right in pairwise(boxes))
