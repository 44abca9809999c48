"""The store on SQLite: one file, one process."""

import sys


def _load_without_numpy() -> None:
    """Load sqlite-utils, which loads numpy if it is installed, but needs it for no type used here.

    numpy is there for photographs of cards, and takes memory only where somebody takes one.
    """
    if "numpy" in sys.modules:
        return
    sys.modules["numpy"] = None  # type: ignore[assignment]  # so that importing it fails
    try:
        import sqlite_utils  # noqa: F401
    finally:
        del sys.modules["numpy"]


_load_without_numpy()
