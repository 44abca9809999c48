"""Work that requests move to the pool: rounds that take long to score, and nothing else."""

from typing import Any

import pytest
from flask import Flask

from rest import Table
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.web import background

KNOCK = {
    "outcome": "knock",
    "knocker": 0,
    "seats": [
        {"hand": "4C 5C 6C 9H 9S 9D JD QD KD 6H", "discard": "8S"},
        {"hand": "2S 3S 4S QH QC QS 7C 9C 10D AC"},
    ],
}  # G07: the defender lays off three


@pytest.fixture
def gin(app: Flask) -> Table:
    """Return a game of gin for two."""
    return Table(app).begin("gin-palast", "AB")


def test_a_hard_round_is_scored_in_the_pool_and_goes_before_others_when_it_is_saved(
    app: Flask, gin: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Any] = []
    whole = app.extensions["workers"].run

    def run(job: Any, *given: Any, **named: Any) -> Any:
        jobs.append((job, named["urgent"], app.extensions["ledger"].store.engine.is_writing))
        return whole(job, *given, **named)

    monkeypatch.setattr(background, "QUICK_STEPS", 0)
    monkeypatch.setattr(app.extensions["workers"], "run", run)

    preview = gin.post("/games/{id}/rounds/preview", KNOCK)
    recorded = gin.record(KNOCK)
    corrected = gin.call("PUT", "/games/{id}/rounds/1", KNOCK, match=gin.version)

    assert [one.status_code for one in (preview, recorded, corrected)] == [200, 201, 200]
    assert recorded.json["score"]["scores"] == preview.json["scores"]
    assert [score["plus"] for score in preview.json["scores"]] == [0, 35]
    assert jobs == [(score_round, urgent, False) for urgent in (False, True, True)]


def test_each_client_has_its_own_place_in_the_pool(
    app: Flask, gin: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients: list[Any] = []
    whole = app.extensions["workers"].run

    def run(job: Any, *given: Any, **named: Any) -> Any:
        clients.append(named["client"])
        return whole(job, *given, **named)

    monkeypatch.setattr(background, "QUICK_STEPS", 0)
    monkeypatch.setattr(app.extensions["workers"], "run", run)
    for address in ("192.0.2.7", "192.0.2.8", "127.0.0.1"):
        peer = {"REMOTE_ADDR": address}
        gin.post("/games/{id}/rounds/preview", KNOCK, environ_overrides=peer)

    assert clients == ["192.0.2.7", "192.0.2.8", None]
