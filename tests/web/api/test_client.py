"""The REST client: keys, versions, retries, errors, and secrets that never leak."""

import socket
import subprocess
import sys
from ast import literal_eval
from collections.abc import Callable
from http.client import RemoteDisconnected
from typing import Any, get_args

import pytest
from flask import Flask

from rest import QUICK
from scorekeeper.client import Game, Lost, Refused, Reply, Request, Server, Stale, Unknown
from scorekeeper.client import server as client_server
from scorekeeper.domain.rules import Measure, SettlingMode
from scorekeeper.i18n import LANGUAGES
from tools.openapi import over_test_client

NAMES = ("Anna", "Ben", "Carl", "Doris")
ROUND: Any = QUICK
NOTED: Any = {**QUICK, "note": "written by another"}


@pytest.fixture
def game(server: Server) -> Game:
    return server.new_game("Abend", "german-family", NAMES)


class Flaky:
    """A transport that delivers every request but loses the first answers."""

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
    """Return a flaky transport, and the same game over it with two retries."""
    transport = Flaky(app, lost)
    server = Server("http://test", transport=transport, waits=(0, 0))
    return transport, server.game(game.id, game.secret)


# ---- lost answers --------------------------------------------------------------------


@pytest.mark.parametrize("lost", [1, 2])
def test_a_round_without_an_answer_is_sent_again_and_counts_once(
    app: Flask, game: Game, lost: int
) -> None:
    transport, flaky_game = flaky(app, game, lost)

    recorded = flaky_game.record(ROUND)

    assert len({request.headers["Idempotency-Key"] for request in transport.sent}) == 1
    assert len(transport.sent) == lost + 1
    assert recorded["number"] == 1
    assert len(game.read()["rounds"]) == 1


def test_a_change_without_an_answer_is_sent_again_unchanged(app: Flask, game: Game) -> None:
    game.record(ROUND)
    _, flaky_game = flaky(app, game, 1)
    flaky_game.version = game.version

    struck = flaky_game.strike(1)

    assert struck["struck_at"]
    assert [change["kind"] for change in game.history()].count("struck") == 1


def test_a_request_without_any_answer_raises_lost(app: Flask, game: Game) -> None:
    transport, flaky_game = flaky(app, game, 9)

    with pytest.raises(Lost, match="no answer to POST"):
        flaky_game.record(ROUND)
    assert len(transport.sent) == 3


def test_a_request_that_could_create_two_games_is_sent_once(app: Flask) -> None:
    transport = Flaky(app, 1)

    with pytest.raises(Lost):
        Server("http://test", transport=transport).new_game("Abend", "german-family", NAMES)
    assert len(transport.sent) == 1


def test_a_round_may_have_a_key_of_its_own(game: Game) -> None:
    game.record(ROUND, key="friday-1")
    game.record(ROUND, key="friday-1")

    assert len(game.read()["rounds"]) == 1


# ---- versions ------------------------------------------------------------------------


def test_a_single_writer_need_not_handle_versions(game: Game) -> None:
    game.record(ROUND)
    game.correct(1, ROUND)
    game.strike(1)
    game.restore(1)
    game.rename(title="Neu")

    assert game.end()["over"]
    assert not game.reopen()["over"]


def test_an_outdated_version_is_refused_until_read_again(server: Server, game: Game) -> None:
    other = server.game(game.id, game.secret)
    game.record(ROUND)
    other.read()
    game.rename(title="Neu")

    with pytest.raises(Stale):
        other.strike(1)
    assert not game.round(1)["struck_at"]

    other.read()
    assert other.strike(1)["struck_at"]


UNSEEING: dict[str, Callable[[Game], object]] = {
    "record": lambda game: game.record(ROUND),
    "preview": lambda game: game.preview(ROUND),
    "round": lambda game: game.round(2),
    "story": lambda game: game.story(),
    "links": lambda game: game.links(),
    "print_code": lambda game: game.print_code(),
    "open_code": lambda game: game.open_code(),
    "replace_secret": lambda game: game.replace_secret("watch"),
    "export": lambda game: game.export(),
    "export_csv": lambda game: game.export_csv(),
    "sheet_pdf": lambda game: game.sheet_pdf(),
    "picture": lambda game: game.picture(),
    "rematch": lambda game: game.rematch(),
}


@pytest.mark.parametrize("call", UNSEEING.values(), ids=UNSEEING)
def test_a_call_that_does_not_show_other_changes_lets_none_be_overwritten(
    server: Server, game: Game, call: Callable[[Game], object]
) -> None:
    game.record(ROUND)
    game.record(ROUND)
    other = server.game(game.id, game.secret)
    other.read()
    game.correct(1, NOTED)

    call(other)

    with pytest.raises(Stale):
        other.correct(1, ROUND)
    other.read()
    assert other.correct(1, ROUND)["number"] == 1


@pytest.mark.parametrize("call", UNSEEING.values(), ids=UNSEEING)
def test_no_call_of_a_single_writer_makes_the_next_change_stale(
    game: Game, call: Callable[[Game], object]
) -> None:
    game.record(ROUND)
    game.record(ROUND)

    call(game)

    assert game.correct(1, ROUND)["number"] == 1


def test_a_rematch_leaves_the_version_of_the_first_game(server: Server, game: Game) -> None:
    other = server.game(game.id, game.secret)
    game.record(ROUND)

    second = other.rematch()

    assert (other.version, second.version) == (None, "1")
    assert other.strike(1)["struck_at"]


@pytest.mark.parametrize("read", ["read", "history", "settlement"])
def test_what_shows_all_changes_allows_the_next(server: Server, read: str) -> None:
    game = server.new_game("Abend", "german-family", NAMES, stake={"point_value": "1"})
    other = server.game(game.id, game.secret)
    game.record(ROUND)
    other.read()
    game.correct(1, NOTED)

    getattr(other, read)()

    assert other.correct(1, ROUND)["number"] == 1


def test_a_group_is_settled_as_its_money_was_seen(server: Server) -> None:
    group = server.new_group("Kegelclub", NAMES, rules="german-family")
    other = server.group(group.id, group.secret)
    other.read()
    group.pay(0, 1, "5", "ct")
    other.pay(1, 2, "3", "ct")

    with pytest.raises(Stale):
        other.settle_up("ct")
    other.money()
    assert other.settle_up("ct")["entry"]["kind"] == "settled"

    group.add_member("Emil")  # the answer shows the whole group
    assert len(group.rename("Skatclub")["members"]) == 5


def test_a_change_before_any_read_uses_the_current_version(server: Server, game: Game) -> None:
    game.record(ROUND)

    assert server.game(game.id, game.secret).strike(1)["struck_at"]


# ---- refusals ------------------------------------------------------------------------


def test_an_error_has_code_place_and_message_in_the_clients_language(app: Flask) -> None:
    german = Server("http://test", language="de", transport=over_test_client(app))
    game = german.new_game("Abend", "german-family", NAMES)
    wrong: Any = {"outcome": "out", "winner": 0, "seats": [{}, {"points": -5}, {}, {}]}

    with pytest.raises(Refused) as refused:
        game.record(wrong)

    error = refused.value
    assert (error.status, error.code, error.place) == (422, "E_POINTS", ("seats", 1, "points"))
    assert str(error) == f"422 E_POINTS seats/1/points {error.message}"
    assert error.message.isprintable() and " " in error.message


def test_a_wrong_secret_and_a_missing_game_raise_the_same_error(server: Server, game: Game) -> None:
    for one in (server.game(game.id, "wrong"), server.game("nothing", game.secret)):
        with pytest.raises(Unknown) as refused:
            one.read()
        assert (refused.value.code, refused.value.place) == ("E_NOT_FOUND", ())


def test_recording_with_the_watch_secret_is_refused(server: Server, game: Game) -> None:
    with pytest.raises(Refused) as refused:
        server.game(game.id, game.watch).record(ROUND)

    assert refused.value.status == 403
    assert refused.value.message == "This secret may only read. Changes need the pen."


@pytest.mark.parametrize("body", [b"<h1>Bad Gateway</h1>", b"", b"[]", b"null", b'{"problems": 3}'])
def test_an_error_answer_of_a_proxy_is_refused_too(body: bytes) -> None:
    server = Server("http://test", transport=lambda _: Reply(502, {}, body))

    with pytest.raises(Refused) as refused:
        server.presets()
    assert str(refused.value) == "502"


# ---- secrets -------------------------------------------------------------------------


def test_a_new_secret_replaces_the_old_one(server: Server, game: Game) -> None:
    old = (game.secret, game.watch)

    assert game.replace_secret("pen") == game.secret != old[0]
    assert game.replace_secret("watch") == game.watch != old[1]
    assert game.read()["title"] == "Abend"
    with pytest.raises(Unknown):
        server.game(game.id, old[0]).read()


def test_no_repr_contains_a_secret(app: Flask) -> None:
    seen: list[Any] = []
    send = over_test_client(app)

    def recording(request: Request) -> Reply:
        seen.extend((request, reply := send(request)))
        return reply

    server = Server("http://test", transport=recording)
    game = server.new_game("Abend", "german-family", NAMES)
    group = server.new_group("Runde", NAMES)
    game.record(ROUND)
    with pytest.raises(Refused) as refused:
        game.round(7)
    dead = Server("http://test", transport=Flaky(app, 9), waits=()).game(game.id, game.secret)
    with pytest.raises(Lost) as lost:
        dead.read()

    text = f"{seen!r} {server!r} {game!r} {group!r} {refused.value!r} {lost.value!r} {lost.value}"
    assert game.id in text
    for book in (game, group):
        assert book.secret not in text
        assert book.watch not in text


# ---- over the wire -------------------------------------------------------------------


def test_the_client_works_with_a_real_server(address: str) -> None:
    begun = Server(address).new_game("Abend", "german-family", NAMES)
    game = Server(f"{address}/").game(begun.id, f" {begun.secret}\n")  # as read from a file
    game.record(ROUND)

    assert [tally["minus"] for tally in game.read()["totals"]] == [0, 12, 35, 60]
    assert game.sheet_pdf("A5").startswith(b"%PDF")


@pytest.mark.usefixtures("external")
def test_a_refused_connection_raises_lost_after_the_last_retry() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    with pytest.raises(Lost):
        Server(f"http://127.0.0.1:{port}", waits=(0,)).presets()


@pytest.mark.parametrize(
    "address",
    ["ftp://here", "here:8000", "file:///etc/hosts", "http://", "http://anna:secret@here"],
)
def test_an_address_that_is_not_http_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="http") as refused:
        Server(address)
    assert "secret" not in str(refused.value)


def test_a_group_evening_works_through_the_client(server: Server) -> None:
    """Found a group, play, settle and read the season."""
    group = server.new_group(
        "Kegelclub", NAMES[:3], rules="german-family", stake={"point_value": "1", "unit": "ct"}
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


def test_rules_may_be_named_in_every_call_that_takes_them(server: Server) -> None:
    sheet = "Date;Anna;Ben\n2026-03-05;0;35\n"
    group = server.new_group("Kegelclub", NAMES[:2])
    evening = group.preview_sheet(sheet, rules="wiener")["evenings"][0]
    group.keep_house_rules("wiener")
    group.import_sheet(sheet, rules="wiener")
    group.open_evening(NAMES[:2], rules="wiener")
    planned = group.tournament.create(format="random", rounds=2, rules="german-family")
    changed = group.tournament.change(format="random", rounds=3, rules="wiener")

    assert evening["rounds"] == 1
    assert {one["preset"] for one in group.evenings()["games"]} == {"wiener"}
    assert planned["plan"]["rules"]["preset"] == "german-family"
    assert changed["plan"]["rules"]["preset"] == "wiener"


def test_words_of_the_client_are_those_of_the_server() -> None:
    assert get_args(client_server.Mode) == get_args(SettlingMode)
    assert get_args(client_server.Measure) == get_args(Measure)
    assert set(get_args(client_server.Language)) == set(LANGUAGES)


def test_totals_are_settled_for_the_winners_named_or_the_best(server: Server) -> None:
    def amounts(**more: Any) -> Any:
        terms: Any = {"mode": "winner", "point_value": "1", "unit": "ct"}
        return server.settle([0, 10, 25], "minus", **terms, **more)["amounts"]

    assert amounts() == amounts(winners=[]) == amounts(winners=None) == amounts(winners=(0,))
    assert amounts(winners=[1]) != amounts()


def test_tables_are_texts_without_a_byte_order_mark(server: Server, game: Game) -> None:
    group = server.new_group("Kegelclub", NAMES)

    assert game.export_csv().startswith("round,")
    assert game.export_csv("totals").startswith("player,")
    assert "\ufeff" not in group.export_csv() + group.season_csv()


@pytest.mark.usefixtures("external")
def test_the_client_needs_only_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import scorekeeper.client; "
        "print(set(sys.modules) - before)"
    )

    text = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    imported = {name.partition(".")[0] for name in literal_eval(text.stdout)}
    # zoneinfo imports a module of the standard library that is named after the platform.
    imported = {name for name in imported if not name.startswith("_sysconfigdata")}
    assert imported <= {"scorekeeper", *sys.stdlib_module_names}
