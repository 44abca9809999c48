"""Starting without garbage collections."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collections() -> Iterator[None]:
    """Collect no garbage while modules are imported, and let later collections skip them.

    Modules stay, but the more of them there are, the longer each collection looks at them: a tenth
    of the start of a server.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
