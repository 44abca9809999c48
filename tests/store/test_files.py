"""Files and folders that must be on the disk before anything relies on them."""

import os
import sqlite3

import pytest

from scorekeeper.store import CannotOpen, files
from scorekeeper.store.sqlite import hold


@pytest.mark.skipif(os.name != "posix", reason="folders are synced on POSIX only")
def test_the_names_in_a_folder_are_synced(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(files.os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))

    files.sync_folder(tmp_path)

    assert synced == [tmp_path.stat().st_ino]


def test_a_database_that_cannot_be_locked_is_named(tmp_path):
    class Broken:
        def execute(self, statement):
            raise sqlite3.OperationalError("disk I/O error")

    with pytest.raises(CannotOpen, match=r"games\.sqlite: disk I/O error"):
        hold._take(Broken(), tmp_path / "games.sqlite", next(iter(hold.LOCKS)))
