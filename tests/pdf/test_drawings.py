"""Every drawing is as it was when somebody last looked at it."""

from collections.abc import Callable

import pytest

from drawings import ALL, Drawings, kept


@pytest.mark.parametrize("draw", ALL)
def test_drawings_are_as_they_were_last_looked_at(draw: Callable[[], Drawings]) -> None:
    """If this fails on purpose: look at what has changed, then ``python -m tests.drawings``."""
    assert dict(draw()) == kept(draw)
