"""The container keeps its ledger and its visitors' secrets, and starting the server asks nobody outside."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import textwrap
import time
import urllib.request
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def instructions(name):
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, flags=re.MULTILINE)


def kept_ledger():
    """Return where the image keeps its ledger."""
    (setting,) = [value for value in instructions("ENV") if value.startswith("PRIVCAUSE_LEDGER=")]
    return PurePosixPath(setting.partition("=")[2])


def test_the_base_image_is_one_exact_version():
    (image,) = instructions("FROM")
    assert re.fullmatch(r"python:3\.11\.\d+-slim-[a-z]+", image)


def test_the_ledger_lies_on_a_volume_that_the_documented_start_names():
    ledger = kept_ledger()
    assert str(ledger.parent) in instructions("VOLUME")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for text in (DOCKERFILE, readme):
        runs = re.findall(r"docker run .*", text)
        assert runs
        assert all(re.search(rf"-v \S+:{ledger.parent}\b", run) for run in runs)
        assert "PRIVCAUSE_LEDGER" in text


def test_login_secrets_and_ledgers_are_neither_committed_nor_baked_into_the_image():
    for name in (".gitignore", ".dockerignore"):
        ignored = (ROOT / name).read_text(encoding="utf-8").split()
        assert ".streamlit/secrets.toml" in ignored
        assert "*.sqlite*" in ignored or {"*.sqlite", "*.sqlite.secret", "*.sqlite.key"} <= set(ignored)


def released(folder, table):
    """Release epsilon 1 of a budget of 1 in a process of its own, as a container that sees the folder would."""
    command = ["release", str(table), "--score", "kendall", "--epsilon", "1"]
    budget = ["--budget-epsilon", "1", "--budget-delta", "1e-5"]
    environment = os.environ | {"PRIVCAUSE_LEDGER": str(folder / kept_ledger().name)}
    return subprocess.run(
        [sys.executable, "-m", "privcause_core", *command, *budget], cwd=ROOT, env=environment, capture_output=True
    ).returncode


def test_a_container_started_anew_with_its_volume_refuses_what_was_spent_and_without_it_would_not(tmp_path):
    table, volume = tmp_path / "table.csv", tmp_path / "data"
    table.write_text("dose,effect\n" + "".join(f"{k * 37 % 101},{k * k % 97}\n" for k in range(40)))
    assert released(volume, table) == 0
    assert released(volume, table) == 3
    shutil.rmtree(volume)
    assert released(volume, table) == 0  # what the volume is for


GUARDED = """
    import ipaddress, socket, sys

    def watch(event, details):
        asked = None
        if event == "socket.getaddrinfo" and details[0] not in (None, "", "localhost", "127.0.0.1", "0.0.0.0", "::1"):
            asked = details[0]
        if event == "socket.connect" and isinstance(details[1], tuple) and details[0].type == socket.SOCK_STREAM:
            asked = None if ipaddress.ip_address(details[1][0]).is_loopback else details[1][0]
        if asked:
            print("OUTSIDE", asked, flush=True)
            raise OSError("nothing leaves the machine")

    sys.addaudithook(watch)
    from streamlit.web.cli import main
    sys.argv = ["streamlit", "run", "app.py", *sys.argv[1:]]
    main()
"""


@pytest.mark.parametrize("told", [True, False], ids=["as configured", "twin: not told its address"])
def test_the_container_starts_without_an_outside_request(told, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (command,) = instructions("CMD")
    options = [*json.loads(command)[5:], "--server.port", str(port)]
    home = ROOT
    if not told:
        home = tmp_path
        (home / "app.py").write_text("")
    server = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(GUARDED), *options],
        cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health")
    finally:
        server.terminate()
        said = server.communicate(timeout=60)[0]
    assert ("OUTSIDE" in said) is not told


def wait_for(address):
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                assert answer.status == 200
                return
        except OSError:
            time.sleep(0.1)
    pytest.fail("the server did not start")
