"""The process in which foreign files are read: a template that forks a worker a request, each with its own limits.

The template does nothing but fork, so a worker starts in milliseconds with every library loaded; what a hostile file
does to a worker ends with it. Nothing is written to disk: requests and answers go through pipes.
"""

import os
import pickle
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from privcause_core.errors import DataError
from privcause_core.loading import load_files
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.reading import Reading

_PATIENCE = 6  # times the processor time that may pass on the clock
_STATM = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class Request:
    """What a worker reads, and how much it may take for it.

    Parameters
    ----------
    files : tuple of (name, content)
    max_bytes : int, optional
    decimal, reading : optional
        As in ``load_files``.
    memory : int
        Bytes beyond what the template holds.
    seconds : float
        Of processor time.
    """

    files: tuple[tuple[str, bytes], ...]
    max_bytes: int | None
    decimal: DecimalMark | None
    reading: Reading | None
    memory: int
    seconds: float


def main(control: int) -> None:
    """Serve requests until the other end of the socket is closed; each comes as two pipe ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for workers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt ends the owner, and that ends this
    with socket.socket(fileno=control) as owner:
        while True:
            message, ends, _, _ = socket.recv_fds(owner, 1, 2)
            if not message:
                return
            if not os.fork():
                owner.close()
                _work(*ends)
            for end in ends:
                os.close(end)


def _work(request_end: int, answer_end: int) -> None:
    """Answer one request and end; never returns."""
    with suppress(BaseException), open(request_end, "rb") as source, open(answer_end, "wb") as sink:
        request: Request = pickle.load(source)
        _limit(request.memory, request.seconds)
        pickle.dump(_answer(request), sink, protocol=5)
    os._exit(0)


def _answer(request: Request) -> tuple[str, Any]:
    try:
        loaded = load_files(
            request.files, max_bytes=request.max_bytes, decimal=request.decimal, reading=request.reading
        )
    except DataError as error:
        return "refused", str(error)
    except MemoryError:
        return "memory", None
    return "loaded", loaded


def _limit(memory: int, seconds: float) -> None:
    import resource  # POSIX only, as forking is

    # Their signals end the process, whatever library is at work. A busy machine may take longer for the same work.
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, _PATIENCE * seconds)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if _STATM.exists():
        used = int(_STATM.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))


if __name__ == "__main__":
    main(int(sys.argv[1]))
