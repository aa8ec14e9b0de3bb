"""How much is read at most; the pages and the README quote these."""

MAX_UPLOAD_BYTES = 50 * 1024 * 1024  # one uploaded file; not applied on the command line
MAX_UNPACKED_BYTES = 200 * 1024 * 1024  # all that one archive, workbook or Parquet file unpacks to
MAX_ENTRIES = 10_000  # files in one archive, directory or upload
MAX_COLUMNS = 5_000  # of one table
MAX_SHEET_ROWS = 1 << 20  # what Excel itself allows
MAX_SHEET_CELLS = 20_000_000  # of one sheet, empty ones between others included
