"""Drive the app without a browser."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
PAGES = ("explore", "flip_rates", "curves")
FOLDS = ("scores", "takes", "promise", "residuals", "compare", "twin", "along")  # of Explore, open
ALL_FOLDS = (*FOLDS, "every_row")  # this one measures the pair in three ways

# Each session looks through every installed package for components; they do not change while tests run.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def app_at(page: str = "explore", *, folds: Sequence[str] = FOLDS, **query: str) -> AppTest:
    """Return a fresh session on a page, opened with query parameters, and on Explore with its folds open."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in query.items():
        app.query_params[name] = value
    if page == "explore":
        open_folds(app, folds)
    app.run()
    return app if page == "explore" else switched(app, page)


def open_folds(app: AppTest, folds: Sequence[str] = FOLDS) -> None:
    """Open folds of Explore at the next run."""
    for name in folds:
        app.session_state[f"fold_{name}"] = True


def uploaded(*files: tuple[str, bytes], folds: Sequence[str] = FOLDS, **query: str) -> AppTest:
    """Return a session that opened with the first sample, folded, and then was given files."""
    app = app_at(folds=(), **query)
    open_folds(app, folds)
    return upload(app, *files)


def switched(app: AppTest, page: str) -> AppTest:
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Choose files in the sidebar's upload box, as a person would."""
    if app.button_group(key="source").value != "Upload":
        app.button_group(key="source").set_value("Upload").run()
    app.sidebar.file_uploader[0].set_value([(name, content, "text/csv") for name, content in files]).run()
    assert not app.exception
    return app


def spent(app: AppTest) -> AppTest:
    """Confirm the plan of the Release page and click."""
    app.button(key="confirm").click().run()
    app.button(key="spend").click().run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    """Return everything a person can read outside widgets and charts."""
    kinds = (
        app.title,
        app.header,
        app.subheader,
        app.markdown,
        app.caption,
        app.error,
        app.warning,
        app.info,
        app.text,
    )
    return "\n".join(element.value for kind in kinds for element in kind)


def alerts(app: AppTest) -> list[str]:
    """Return errors and notices without the marks that keep their characters literal."""
    return [one.value.replace("\\", "").replace("\u2060", "") for kind in (app.error, app.warning) for one in kind]


def scores(app: AppTest) -> dict[str, dict[str, str]]:
    """Return Explore's score table: {score: {column: cell}}."""
    frame = next(one.value for one in app.table if "true margin" in one.value)
    return {row["Score"].strip("*"): row for row in frame.to_dict("records")}


def charts(app: AppTest) -> list[dict[str, object]]:
    """Return the charts' specifications."""
    return [json.loads(one.proto.spec) for one in app.get("plotly_chart")]


def scene(app: AppTest) -> dict[str, object]:
    """Return what Explore's first screen draws."""
    return json.loads(app.get("bidi_component")[0].proto.json)


def address(app: AppTest) -> dict[str, str]:
    """Return the query parameters."""
    return {name: value if isinstance(value, str) else value[-1] for name, value in app.query_params.items()}
