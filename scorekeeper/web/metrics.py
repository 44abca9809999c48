"""Metrics for Prometheus; imported only if the setting METRICS is on.

Several processes that serve the same address count in files of a folder that they share, which the
first of them names in the environment. So each of them can answer for all.
"""

import os
from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from scorekeeper.services.clock import now
from scorekeeper.store.backup_state import read_state
from scorekeeper.store.ledger import Ledger

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3)
"""Upper bounds in seconds; a page should arrive within 0.3."""

disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """The metrics of one app; several apps in a process have separate ones."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self, ledger: Ledger) -> None:
        self._registry = CollectorRegistry()
        self._database = CollectorRegistry()
        self._database.register(_DatabaseGauges(ledger))
        self._requests = Counter(
            "scorekeeper_requests",
            "Requests by endpoint and class of status.",
            ("endpoint", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "scorekeeper_request_seconds",
            "Time until a response began.",
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._recorded = Counter(
            "scorekeeper_rounds_recorded", "Rounds recorded.", registry=self._registry
        )
        self._refused = Counter(
            "scorekeeper_rounds_refused",
            "Rounds refused, by code.",
            ("code",),
            registry=self._registry,
        )

    def answered(self, endpoint: str, status: str, seconds: float) -> None:
        """Count a response and its duration."""
        self._requests.labels(endpoint, f"{status[0]}xx").inc()
        self._seconds.observe(seconds)

    def recorded(self) -> None:
        """Count a newly recorded round."""
        self._recorded.inc()

    def refused(self, codes: Iterable[str]) -> None:
        """Count a round that the rules refused, once per code."""
        for code in codes:
            self._refused.labels(code).inc()

    def exposition(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        counted = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            counted = CollectorRegistry()
            MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
        return generate_latest(counted) + generate_latest(self._database)


class _DatabaseGauges(Collector):
    """Gauges read on every scrape: size of the database, free space, age of the last backup."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Return nothing, so that registering does not read the disk."""
        return ()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        inspection, age = self._ledger.store.inspection, read_state(self._ledger).age(now())
        yield _gauge("database_bytes", "Size of the database.", inspection.size())
        if space := inspection.space_line():
            free = int(str(space.facts["free"]))
            yield _gauge("disk_free_bytes", "Free space on the disk of the database.", free)
        if age is not None:
            meaning = "Time since the last verified backup."
            yield _gauge("backup_age_seconds", meaning, age.total_seconds())


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"scorekeeper_{name}", meaning, value)
