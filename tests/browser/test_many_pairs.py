"""A zip of 100 pairs in Chromium: upload, progress, stop, resume, download."""

import csv
import io
import zipfile

import numpy as np
import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PAIRS = 100


@pytest.fixture(scope="module")
def hundred_pairs() -> bytes:
    """Return a zip in the Tübingen form: every third pair has its columns the other way round."""
    rng, packed, meta = np.random.default_rng(0), io.BytesIO(), []
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1, PAIRS + 1):
            x = rng.uniform(-1, 1, 1_010)  # enough rows for worker processes
            columns = [x, np.tanh(3 * x) + 0.3 * rng.normal(size=x.size)]
            cause, effect = (2, 1) if number % 3 == 0 else (1, 2)
            rows = zip(columns[cause - 1], columns[effect - 1], strict=True)
            archive.writestr(f"set/pair{number:04d}.txt", "".join(f"{a:.6f} {b:.6f}\n" for a, b in rows))
            meta.append(f"{number:04d} {cause} {cause} {effect} {effect} 1\n")
        archive.writestr("set/pairmeta.txt", "".join(meta))
    return packed.getvalue()


def test_a_hundred_pairs_go_from_upload_to_csv_with_a_stop_in_between(
    page: Page, address: str, hundred_pairs: bytes
) -> None:
    page.set_default_timeout(120_000)  # a hundred pairs are measured
    page.goto(f"{address}/many_pairs")
    page.get_by_text("Download CSV").wait_for()
    page.get_by_text("Upload", exact=True).first.click()
    page.locator("input[type=file]").set_input_files(
        {"name": "pairs.zip", "mimeType": "application/zip", "buffer": hundred_pairs}
    )
    page.get_by_text(f"of {PAIRS} pairs").first.wait_for()
    page.get_by_role("button", name="Stop", exact=True).click()
    page.get_by_text("Stopped after").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_text("Stopped after").wait_for(state="detached")
    page.get_by_text("Measuring both directions").wait_for(state="detached")
    with page.expect_download() as download:
        page.get_by_text("Download CSV").click()
    table = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8-sig"))))
    assert len({row["pair"] for row in table}) == PAIRS
    reversed_ones = {row["pair"] for row in table if row["truth"] == "y->x"}
    assert reversed_ones == {f"pair{number:04d}" for number in range(3, PAIRS + 1, 3)}
    assert {row["reason"] for row in table} == {""}


@pytest.fixture(scope="module")
def twenty_columns() -> bytes:
    rng = np.random.default_rng(1)
    columns = np.cumsum(rng.normal(size=(80, 20)), axis=1)
    rows = "".join(",".join(f"{value:.5f}" for value in row) + "\n" for row in columns)
    return (",".join(f"measurement number {k}" for k in range(20)) + "\n" + rows).encode()


def test_the_matrix_of_twenty_columns_is_whole_and_readable_also_on_a_phone(
    page: Page, address: str, twenty_columns: bytes
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}/many_pairs?many=A+whole+table")
    page.get_by_text("Upload", exact=True).first.click()
    page.locator("input[type=file]").set_input_files(
        {"name": "wide.csv", "mimeType": "text/csv", "buffer": twenty_columns}
    )
    page.get_by_text("wide.csv: 80 rows").wait_for()
    page.get_by_role("combobox").last.click()
    page.get_by_text("Select all").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Measure them").click()
    page.get_by_text("190 pairs of columns at").wait_for(timeout=120_000)
    for width, height in ((1440, 900), (390, 844)):
        whole_and_readable(page, width, height)


def whole_and_readable(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    chart = page.locator(".stPlotlyChart").first
    chart.evaluate("one => one.scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(1_000)  # Plotly draws anew for the other width
    seen = chart.evaluate(
        """one => {
            const box = node => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
            return {
                chart: box(one), texts: [...one.querySelectorAll(".main-svg text")].map(box),
                letters: [...one.querySelectorAll(".ytick text, .xtick text")]
                    .map(t => parseFloat(getComputedStyle(t).fontSize)),
                across: [...one.querySelectorAll(".xtick text")].map(t => box(t)[0]),
                arrows: [...one.querySelectorAll(".scatterlayer .point")].map(box),
            };
        }"""
    )
    left, top, right, bottom = seen["chart"]
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= height
    assert all(left <= x0 and y0 >= top and x1 <= right + 1 and y1 <= bottom for x0, y0, x1, y1 in seen["texts"])
    assert len(seen["letters"]) == 40
    assert min(seen["letters"]) >= 10
    assert len(seen["arrows"]) == 380
    pitch = (seen["across"][-1] - seen["across"][0]) / 19
    assert max(x1 - x0 for x0, _, x1, _ in seen["arrows"]) <= pitch  # neighbours stay apart
