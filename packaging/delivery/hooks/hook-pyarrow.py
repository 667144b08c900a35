"""PyInstaller hook: the parts of pyarrow that read and write tables, instead of all of it.

Compiled modules import others that PyInstaller cannot see. So a table is written and read, and the modules loaded by
then are listed.
"""

from PyInstaller import isolated

# Files on other computers; pyarrow goes on without.
excludedimports = ["pyarrow._s3fs", "pyarrow._gcsfs", "pyarrow._azurefs", "pyarrow._hdfs", "pyarrow._flight"]


def loaded() -> list[str]:
    """Return the names of the modules that reading and writing load."""
    import io
    import sys

    import pyarrow
    import pyarrow.parquet

    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"a": ["x", None]}), file)
    pyarrow.parquet.read_table(io.BytesIO(file.getvalue())).to_pylist()
    return sorted(name for name in sys.modules if name.partition(".")[0] == "pyarrow")


hiddenimports = sorted(set(isolated.call(loaded)) - set(excludedimports))
