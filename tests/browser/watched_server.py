"""Streamlit's server with a window: what its upload store holds and whether an upload went to disk, as a JSON file."""

import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from streamlit import runtime
from streamlit.web import cli

on_disk = []


def watch(report: Path) -> None:
    """Write what is held, several times a second; the file is replaced whole."""
    while True:
        held: dict[str, int] = {"bytes": 0, "rows": 0, "on_disk": len(on_disk)}
        if runtime.exists():
            stored = list(runtime.get_instance().uploaded_file_mgr.file_storage.values())
            held["bytes"] = sum(len(one.data) for files in stored for one in list(files.values()))
        visitors = getattr(sys.modules.get("pages.shared.leaving"), "_visitors", {})  # imported by the first visit
        uploads = [visitor.state.upload for visitor in list(visitors.values())]
        held["rows"] = sum(one.rows_read for upload in uploads if upload for one in upload.items)
        report.with_suffix(".new").write_text(json.dumps(held))
        report.with_suffix(".new").replace(report)
        time.sleep(0.05)


def main() -> None:
    """Serve; the first argument is the report, the others are Streamlit's."""
    report = Path(sys.argv.pop(1))
    rollover = tempfile.SpooledTemporaryFile.rollover

    def noted(spooled: tempfile.SpooledTemporaryFile) -> None:
        on_disk.append(os.getpid())
        rollover(spooled)

    tempfile.SpooledTemporaryFile.rollover = noted
    threading.Thread(target=watch, args=(report,), daemon=True).start()
    cli.main()


if __name__ == "__main__":
    main()
