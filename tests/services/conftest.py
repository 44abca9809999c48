"""Databases of these tests are thrown away."""

import pytest


@pytest.fixture(autouse=True)
def _unsynced(unsynced: None) -> None:
    """Do not wait for the disk in any of these tests."""
