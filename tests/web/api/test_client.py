"""The client: keys and versions by itself, refusals in words, secrets never shown."""

import socket
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from http.client import RemoteDisconnected
from typing import Any

import pytest
from flask import Flask

from rest import QUICK, served
from scorekeeper.client import Game, Lost, Refused, Reply, Request, Server, Stale, Unknown
from tools.openapi import over_test_client

NAMES = ("Anna", "Ben", "Carl", "Doris")
PLAYED: Any = QUICK


@pytest.fixture
def game(server: Server) -> Game:
    return server.new_game("Abend", "german-family", NAMES)


class Flaky:
    """Brings every request to the app and loses the first answers on the way back."""

    def __init__(self, app: Flask, lost: int) -> None:
        self.send, self.lost = over_test_client(app), lost
        self.sent: list[Request] = []

    def __call__(self, request: Request) -> Reply:
        self.sent.append(request)
        reply = self.send(request)
        if len(self.sent) <= self.lost:
            raise RemoteDisconnected
        return reply


def flaky(app: Flask, game: Game, lost: int) -> tuple[Flaky, Game]:
    """The same game over a bad line that is tried three times."""
    line = Flaky(app, lost)
    return line, Server("http://test", transport=line, waits=(0, 0)).game(game.id, game.secret)


# ---- lost answers --------------------------------------------------------------------


@pytest.mark.parametrize("lost", [1, 2])
def test_a_round_whose_answer_is_lost_is_sent_again_with_its_key_and_counts_once(
    app: Flask, game: Game, lost: int
) -> None:
    line, over_it = flaky(app, game, lost)

    recorded = over_it.record(PLAYED)

    assert len({request.headers["Idempotency-Key"] for request in line.sent}) == 1
    assert len(line.sent) == lost + 1
    assert recorded["number"] == 1
    assert len(game.read()["rounds"]) == 1


def test_a_change_whose_answer_is_lost_is_sent_again_as_it_was(app: Flask, game: Game) -> None:
    game.record(PLAYED)
    _, over_it = flaky(app, game, 1)
    over_it.version = game.version

    struck = over_it.strike(1)

    assert struck["struck_at"]
    assert [change["kind"] for change in game.history()].count("struck") == 1


def test_a_line_that_stays_dead_is_told(app: Flask, game: Game) -> None:
    line, over_it = flaky(app, game, 9)

    with pytest.raises(Lost, match="no answer to POST"):
        over_it.record(PLAYED)
    assert len(line.sent) == 3


def test_what_could_begin_two_games_is_sent_once(app: Flask) -> None:
    line = Flaky(app, 1)

    with pytest.raises(Lost):
        Server("http://test", transport=line).new_game("Abend", "german-family", NAMES)
    assert len(line.sent) == 1


def test_a_round_may_have_a_key_of_its_own(game: Game) -> None:
    game.record(PLAYED, key="friday-1")
    game.record(PLAYED, key="friday-1")

    assert len(game.read()["rounds"]) == 1


# ---- versions ------------------------------------------------------------------------


def test_who_writes_alone_never_thinks_of_versions(game: Game) -> None:
    game.record(PLAYED)
    game.correct(1, PLAYED)
    game.strike(1)
    game.restore(1)
    game.rename(title="Neu")

    assert game.end()["over"]
    assert not game.reopen()["over"]


def test_who_saw_an_old_version_is_refused_and_may_look_again(server: Server, game: Game) -> None:
    other = server.game(game.id, game.secret)
    game.record(PLAYED)
    other.read()
    game.rename(title="Neu")

    with pytest.raises(Stale):
        other.strike(1)
    assert not game.round(1)["struck_at"]

    other.read()
    assert other.strike(1)["struck_at"]


def test_who_never_looked_changes_what_stands(server: Server, game: Game) -> None:
    game.record(PLAYED)

    assert server.game(game.id, game.secret).strike(1)["struck_at"]


# ---- refusals ------------------------------------------------------------------------


def test_a_refusal_has_code_place_and_words_in_the_language_of_the_client(app: Flask) -> None:
    german = Server("http://test", language="de", transport=over_test_client(app))
    game = german.new_game("Abend", "german-family", NAMES)
    wrong: Any = {"outcome": "out", "winner": 0, "seats": [{}, {"points": -5}, {}, {}]}

    with pytest.raises(Refused) as refused:
        game.record(wrong)

    error = refused.value
    assert (error.status, error.code, error.place) == (422, "E_POINTS", ("seats", 1, "points"))
    assert str(error) == f"422 E_POINTS seats/1/points {error.message}"
    assert error.message.isprintable() and " " in error.message


def test_a_wrong_secret_and_a_game_that_is_not_there_look_the_same(
    server: Server, game: Game
) -> None:
    for one in (server.game(game.id, "wrong"), server.game("nothing", game.secret)):
        with pytest.raises(Unknown) as refused:
            one.read()
        assert (refused.value.code, refused.value.place, refused.value.problems) == ("", (), ())


def test_who_may_only_watch_is_told_so(server: Server, game: Game) -> None:
    with pytest.raises(Refused) as refused:
        server.game(game.id, game.watch).record(PLAYED)

    assert refused.value.status == 403
    assert refused.value.message == "Only those who keep score may do this"


@pytest.mark.parametrize("body", [b"<h1>Bad Gateway</h1>", b"", b"[]", b"null", b'{"problems": 3}'])
def test_an_answer_of_somebody_in_between_is_a_refusal_too(body: bytes) -> None:
    server = Server("http://test", transport=lambda _: Reply(502, {}, body))

    with pytest.raises(Refused) as refused:
        server.presets()
    assert str(refused.value) == "502"


# ---- secrets -------------------------------------------------------------------------


def test_a_new_secret_takes_the_place_of_the_old_one(server: Server, game: Game) -> None:
    old = (game.secret, game.watch)

    assert game.replace_secret("pen") == game.secret != old[0]
    assert game.replace_secret("watch") == game.watch != old[1]
    assert game.read()["title"] == "Abend"
    with pytest.raises(Unknown):
        server.game(game.id, old[0]).read()


def test_a_secret_is_in_no_text_about_an_object(app: Flask) -> None:
    seen: list[Any] = []
    send = over_test_client(app)

    def noted(request: Request) -> Reply:
        seen.extend((request, reply := send(request)))
        return reply

    server = Server("http://test", transport=noted)
    game = server.new_game("Abend", "german-family", NAMES)
    group = server.found_group("Runde", NAMES)
    game.record(PLAYED)
    with pytest.raises(Refused) as refused:
        game.round(7)
    dead = Server("http://test", transport=Flaky(app, 9), waits=()).game(game.id, game.secret)
    with pytest.raises(Lost) as lost:
        dead.read()

    told = f"{seen!r} {server!r} {game!r} {group!r} {refused.value!r} {lost.value!r} {lost.value}"
    assert game.id in told
    for book in (game, group):
        assert book.secret not in told
        assert book.watch not in told


# ---- over the wire -------------------------------------------------------------------


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """The app behind a real server."""
    with served(app) as address:
        yield address


def test_it_speaks_to_a_real_server(address: str) -> None:
    begun = Server(address).new_game("Abend", "german-family", NAMES)
    game = Server(f"{address}/").game(begun.id, f" {begun.secret}\n")  # as read from a file
    game.record(PLAYED)

    assert [tally["minus"] for tally in game.read()["totals"]] == [0, 12, 35, 60]
    assert game.sheet_pdf("A5").startswith(b"%PDF")


def test_where_nobody_listens_is_told_after_the_last_try() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(Lost):
        Server(f"http://127.0.0.1:{port}", waits=(0,)).presets()


@pytest.mark.parametrize(
    "address",
    ["ftp://here", "here:8000", "file:///etc/hosts", "http://", "http://anna:secret@here"],
)
def test_an_address_of_no_web_server_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="http") as refused:
        Server(address)
    assert "secret" not in str(refused.value)


def test_the_whole_of_a_group_is_told_through_the_client(server: Server) -> None:
    """Found, play, settle, read the season, all in one go: what every part is worth together."""
    group = server.found_group(
        "Donnerstag", NAMES[:3], rules="german-family", stake={"point_value": "1", "unit": "ct"}
    )
    evening = group.open_evening(NAMES[:3])
    evening.record({"outcome": "out", "winner": 0, "seats": [{}, {"points": 10}, {"points": 25}]})
    evening.end()

    money = group.money()["units"][0]
    group.settle_up("ct")

    assert money["amounts"] == ["35", "5", "-40"]
    assert group.money()["units"][0]["amounts"] == ["0", "0", "0"]
    assert [one["name"] for one in group.season(by="points")["standings"]] == list(NAMES[:3])
    assert group.evenings()["total"] == 1
    assert group.evening(evening.id)["results"][0]["won"] == 1


def test_it_needs_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import scorekeeper.client; "
        "print(set(sys.modules) - before)"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    brought = {name.partition(".")[0] for name in literal_eval(told.stdout)}
    assert brought <= {"scorekeeper", *sys.stdlib_module_names}
