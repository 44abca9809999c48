"""Whether a database would save a round now: its last commit shows it, or else a probe."""

import threading
import time
from collections.abc import Callable

AfterCommit = Callable[[BaseException | None], object]
"""Called with None once a change is durable, or with the error if it is not."""
PROBE_EVERY_S = 5
"""The shortest time between two writes that only probe whether writing works."""
NEVER = -float("inf")


class WriteStatus:
    """The base of an engine: the times of its last commit and of its last probe."""

    def __init__(self) -> None:
        self._saved_at = self._probed_at = NEVER
        """By the monotonic clock."""
        self._takes = True
        self._probing = threading.Lock()

    def takes_writes(self) -> bool:
        """Return whether a round would be saved now, without waiting for running writes.

        The last commit shows it, or else a probe. There is at most one probe in
        ``PROBE_EVERY_S``; its result is valid until the next.
        """
        now = time.monotonic()
        if now - self._saved_at < PROBE_EVERY_S:
            return True
        if now - self._probed_at >= PROBE_EVERY_S and self._probing.acquire(blocking=False):
            try:
                self._probed_at = now
                self._takes = self._probe()
            finally:
                self._probing.release()
        return self._takes

    def quiet_s(self) -> float:
        """Return the seconds since this process last saved something."""
        return time.monotonic() - self._saved_at

    def _probe(self) -> bool:
        """Write something that changes nothing, and return whether it is durable."""
        raise NotImplementedError

    def _mark_saved(self) -> None:
        self._saved_at = time.monotonic()

    def _mark_failed(self) -> None:
        self._saved_at = NEVER
