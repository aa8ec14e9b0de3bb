"""The bytes of uploaded files: kept in memory while they are read, then removed from the web server's store."""

from collections.abc import Iterable

from starlette.formparsers import MultiPartParser
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile


def keep_in_memory() -> None:
    """Tell the web server never to put a part of an upload into a temporary file, whatever its size.

    It would from 1 MB. What an upload may have at most is ``server.maxUploadSize``, refused while it arrives.
    """
    MultiPartParser.spool_max_size = 0  # no size from which a file is used


def remove(files: Iterable[UploadedFile]) -> None:
    """Remove files of this session that have been read; the upload boxes of other pages keep theirs."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for one in files:
            context.uploaded_file_mgr.remove_file(context.session_id, one.file_id)


def remove_all() -> None:
    """Remove every file of this session."""
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_session_files(context.session_id)
