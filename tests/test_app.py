"""The application as a whole: headers, the rights table, and a missing database."""

from pathlib import Path
from typing import Any

import pytest

from scorekeeper import create_app
from scorekeeper.store.errors import Unreadable
from scorekeeper.web import permissions


@pytest.fixture
def app(tmp_path: Path) -> Any:
    app = create_app({"DATA": tmp_path / "games.sqlite", "TESTING": True})
    yield app
    app.extensions["ledger"].close()


def test_a_route_without_a_row_in_the_rights_table_stops_the_start(app: Any) -> None:
    app.add_url_rule("/new-route", "new_route", lambda: "in")

    with pytest.raises(RuntimeError, match="new_route"):
        permissions.check_permissions(app)


@pytest.mark.parametrize(
    ("path", "kind"), [("/", "text/html"), ("/api/v1/games/x", "application/problem+json")]
)
def test_an_unreadable_database_gets_an_error_page(
    app: Any, monkeypatch: pytest.MonkeyPatch, path: str, kind: str
) -> None:
    def broken(*_: object) -> None:
        raise Unreadable("gone")

    client = app.test_client()
    client.set_cookie("browser", "known")
    monkeypatch.setattr(app.extensions["ledger"].store.engine, "rows", broken)

    answer = client.get(path, headers={"Authorization": "Bearer x"})

    assert (answer.status_code, answer.mimetype) == (503, kind)
