"""Make every REST call once and write the description with real examples: ``make openapi``.

``docs/openapi.json`` is the description, with requests and answers as its examples, and
``scorekeeper/client/shapes.py`` holds the types of the client. Every run gives the same files.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper import create_app
from scorekeeper.client import Game, Group, Reply, Request, Server
from scorekeeper.client.http import ROOT as API
from scorekeeper.client.http import Transport
from scorekeeper.services.clock import set_clock
from scorekeeper.store.errors import NotSaved
from scorekeeper.web.api.description import HEADERS, complete_document, format_json
from scorekeeper.web.api.examples import ROUNDS, SCORES, TABLES, Example
from scorekeeper.web.api.referee import HANDS, MELDS, TURNS
from tools.client_types import client_types

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "openapi.json"
PLAYED = ROOT / "scorekeeper" / "web" / "api" / "recorded_calls.json"
SHAPES = ROOT / "scorekeeper" / "client" / "shapes.py"

USUAL = "played"
NAMES = ("Anna", "Bernd", "Claire", "Dieter")
SEEN = [
    {
        "cards": [
            {"card": "7H", "sure": 0.9991, "box": [0.12, 0.3, 0.16, 0.29], "alternatives": []},
            {
                "card": "8H",
                "sure": 0.81,
                "box": [0.3, 0.3, 0.16, 0.29],
                "alternatives": ["8H", "6H"],
            },
            {"card": "JK", "sure": 0.9987, "box": [0.49, 0.31, 0.15, 0.28], "alternatives": []},
        ]
    }
]
"""The cards in the photograph of the example, which is never looked at."""
QUICK: Any = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 35}, {"hand": "K 9 A"}]}
STAKE: Any = {"point_value": "1/10", "unit": "ct"}
SHEET = "date;Anna;Bernd;Claire\n2026-01-08;0;35;12\n;20;0;5\n"
EXAMPLE_HEADERS = ("If-Match", "Idempotency-Key")
"""The request headers that examples show."""
SHOWN_ITEMS = 2
"""How many items of a long list of presets or options examples show."""


def over_test_client(
    app: Flask, check: Callable[[str, TestResponse], None] = lambda *_: None
) -> Transport:
    """Return a transport to an app in this process that validates every answer."""

    def send(request: Request) -> Reply:
        answer = app.test_client().open(
            request.path, method=request.method, headers=dict(request.headers), data=request.body
        )
        check(request.method, answer)
        headers = {name.lower(): value for name, value in answer.headers}
        return Reply(answer.status_code, headers, answer.data)

    return send


class Recorder:
    """A transport that records the first call of every operation."""

    def __init__(self, app: Flask, calls: dict[str, list[dict[str, Any]]]) -> None:
        self.app, self.send, self.calls = app, over_test_client(app), calls
        self.name = USUAL

    def __call__(self, request: Request) -> Reply:
        """Send a request; record it unless it is refused."""
        reply = self.send(request)
        if reply.status < 300:
            self._keep(request, reply)
        return reply

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        """Give this name to the examples recorded within the block."""
        self.name = name
        yield
        self.name = USUAL

    def _keep(self, request: Request, reply: Reply) -> None:
        with self.app.test_request_context(request.path, method=request.method) as context:
            rule, placed = context.request.url_rule, context.request.view_args or {}
            query = context.request.args.to_dict()
        assert rule is not None
        operation = rule.endpoint.removeprefix("api.")
        known = self.calls.setdefault(operation, [])
        status = str(reply.status)
        if any((call["name"], call["status"]) == (self.name, status) for call in known):
            return
        stated = {name: value for name, value in request.headers.items() if name in EXAMPLE_HEADERS}
        call = {"name": self.name, "status": status, "given": placed | query | stated}
        if request.headers.get("Content-Type") == "application/json":
            call["body"] = json.loads(request.body or b"")
        call["headers"] = {
            name: reply.headers[name.lower()] for name in HEADERS if name.lower() in reply.headers
        }
        kind = reply.headers["content-type"].partition(";")[0]
        if kind == "application/json":
            call["answer"] = shortened(json.loads(reply.body))
        elif kind == "text/csv":
            call["answer"] = reply.body.decode("utf-8-sig")
        known.append(call)


def shortened(answer: Any) -> Any:
    """Return an answer with long lists of presets and options cut short."""
    if isinstance(answer, list):
        return [shortened(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    short = {name: shortened(value) for name, value in answer.items()}
    match short.get("options"), short.get("presets"):
        case dict() as options, _:
            short["options"] = dict(list(options.items())[:SHOWN_ITEMS])
        case list() as options, _:
            short["options"] = options[:SHOWN_ITEMS]
        case None, list() as presets:
            short["presets"] = presets[:SHOWN_ITEMS]
    return short


# ---- the calls -----------------------------------------------------------------------


def play(recorder: Recorder, elsewhere: Transport) -> None:
    """Make every call at least once, in the order of an evening and a season."""
    server = Server("http://play", transport=recorder)
    other = Server("http://elsewhere", transport=elsewhere)
    ask_about_rules(server, recorder)
    ask_the_referee(server, recorder)
    record_every_family(server, recorder)
    game = one_evening(server, recorder)
    print_everything(server, game)
    group = one_group(server, game)
    money(group)
    season(group)
    other.import_game(game.export())
    other.import_group(group.export())
    game.erase_player(3)
    group.erase_member(3)
    share(server, group)
    tournament(server)


def ask_about_rules(server: Server, recorder: Recorder) -> None:
    """Call everything about presets, options and house rules."""
    server.presets()
    server.preset("robber")
    server.options()
    server.check_rules({"preset": "german-family", "options": {"joker.hand_value": 50}})
    totals = (220, 360, 140, 490)
    server.settle(totals, "minus", point_value="1/10", unit="Pf", payable="1")
    with recorder.named("stake"):
        server.settle(totals, "minus", mode="none", unit="EUR", stake="5", winners=[2])


def ask_the_referee(server: Server, recorder: Recorder) -> None:
    """Make the referee's example calls, and score a round of every family."""
    with seen():
        server.recognise(b"a photograph", packs=2, jokers=6)
    calls: list[tuple[Callable[..., Any], Mapping[str, Example]]] = [
        (server.check_meld, MELDS),
        (server.arrange, HANDS),
        (server.check_table, TURNS),
        (lambda round, **about: server.score_round(round, **about), SCORES),
    ]
    for call, examples in calls:
        for name, example in examples.items():
            with recorder.named(name):
                call(**example["value"])


@contextmanager
def seen() -> Iterator[None]:
    """Have every photograph show the same cards, whatever the networks are."""
    views = "scorekeeper.web.api.photographs"
    with (
        patch(f"{views}.is_installed", return_value=True),
        patch(f"{views}.in_pool_unless", return_value=SEEN),
    ):
        yield


def record_every_family(server: Server, recorder: Recorder) -> None:
    """Record the example round of every family."""
    for family, example in ROUNDS.items():
        with recorder.named(family):
            players = NAMES[: TABLES[family]["players"]]
            game = server.new_game("Friday", TABLES[family]["rules"], players)
            game.record(example["value"])
    recorder.calls["create_game"].clear()  # one is enough


def one_evening(server: Server, recorder: Recorder) -> Game:
    """Play a game from its first round to the last payment."""
    game = server.new_game("Friday", "german-family", NAMES[:3], place="at Anna's", stake=STAKE)
    game.record(QUICK)
    game.record({"outcome": "out", "winner": 1, "seats": [{"points": 20}, {}, {"points": 5}]})
    game.preview(QUICK)
    with seen():
        game.recognise(b"a photograph")
    game.correct(2, {"outcome": "out", "winner": 2, "seats": [{"points": 20}, {"points": 5}, {}]})
    game.round(2)
    game.strike(2)
    game.restore(2)
    game.rename(title="Friday evening")
    with recorder.named("frame"):
        game.correct_frame(
            began="2026-03-05T19:00:00Z",
            players=[{}, {"name": "Berndt"}],
            order=[0, 2, 1],
            dealers=[{"round": 3, "seat": 2}],
            options={"hand_romme.factor": 3},
            stake={"point_value": "1/2"},
        )
    game.insert(2, QUICK)
    given = game.give_points(0, minus=10, note="showed a card")["given"]
    game.take_back_points(given[0]["number"])
    game.throw_away()
    game.bring_back()
    game.add_player("Dieter")
    game.end()
    game.reopen()
    game.read()
    game.settlement()
    game.mark_paid(0)
    game.history()
    game.story()
    game.rematch()
    share(server, game)
    game.export_csv()
    return game


def share(server: Server, book: Game | Group) -> None:
    """Let others watch by link and by short code; print a code and withdraw it."""
    book.replace_secret("watch")
    if isinstance(book, Game):
        book.print_code()
    book.links()
    code = book.open_code()["code"]
    server.enter_code(code)
    book.end_code(code)
    if isinstance(book, Game):
        book.withdraw_paper()


def print_everything(server: Server, game: Game) -> None:
    """Fetch every PDF."""
    game.sheet_pdf("A5", details=True, lang="de")
    game.settlement_pdf(0)
    game.picture("de")
    game.rules_card_pdf("lb")
    server.rules_card_pdf("robber", "de")
    server.rules_card_pdf({"preset": "robber", "options": {"joker.hand_value": 50}})
    server.pad_pdf("romme-palast", size="A4", up=2, players=4, names="Anna,Bernd,Claire,Dieter")


def one_group(server: Server, game: Game) -> Group:
    """Play a group with two evenings, one of which began outside the group."""
    group = server.new_group("Thursday", NAMES[:3], rules="german-family", stake=STAKE)
    group.rename("Thursdays")
    group.keep_house_rules("german-family", STAKE)
    group.add_member("Eva")
    group.rename_member(3, "Ève", everywhere=True)
    evening = group.open_evening(NAMES[:3], title="The first")
    evening.record(QUICK)
    evening.end()
    group.read()
    group.admit(game.id, pen=game.secret)
    group.release(game.id)
    group.evenings(training="no", limit=10)
    group.evening(evening.id)
    group.preview_sheet(SHEET)
    group.import_sheet(SHEET)
    return group


def money(group: Group) -> None:
    """Make every kind of entry, from a debt until it is settled."""
    group.money()
    group.pay(1, 0, "9/5", "ct", "in cash")
    settled = group.settle_up("ct")
    group.reverse(settled["entry"]["number"])
    group.agree_rate("ct", "EUR", "1/100")
    group.convert("ct", "EUR")
    group.statement(member=1)
    group.history()


def tournament(server: Server) -> None:
    """Play a tournament of six: two tables of three, one of which is typed afterwards."""
    rules = {"preset": "german-family", "options": {"end.mode": "rounds", "end.rounds": 1}}
    club = server.new_group("Club night").tournament
    plan: dict[str, Any] = {"format": "danish", "rounds": 3, "rules": rules}
    club.create(**plan)
    club.change(**plan, minutes=45, money={"fee": "5", "unit": "EUR"})
    club.enter([{"names": [name]} for name in (*NAMES[:4], "Eva")])
    club.enter([{"names": ["Fabienne"], "club": "Trier"}])
    club.draw()
    club.undraw()
    drawn = club.draw()["rounds"][0]
    club.check_draw(1)
    club.table(drawn["tables"][0]["game"]).record(QUICK)
    club.read()
    club.state_result(1, 1, [{"points": points} for points in (7, 0, 3)])
    club.unstate_result(1, 1)
    club.state_result(1, 2, [{"points": 20, "wins": 1}, {"points": 35}, {"points": 50}])
    club.close()
    club.withdraw(5)
    club.bring_back(5)
    club.standings(after=1)
    club.standings_pdf(after=1, lang="de")
    club.table_cards_pdf("fr")
    club.certificates_pdf("lb")
    club.end()


def season(group: Group) -> None:
    """Fetch the season and its tables."""
    query: dict[str, Any] = {"by": "points", "year": "2026", "family": "lay"}
    group.season(**query)
    group.season_pdf(lang="de", **query)
    group.season_csv(**query)
    group.encounters(from_="2026-01-01", to="2026-12-31")
    group.member(1)
    group.export_csv("payments")


# ---- the errors ----------------------------------------------------------------------


def refused(app: Flask) -> dict[str, Any]:
    """Return an example of every error answer, by status."""
    send = over_test_client(app)
    game = Server("http://play", transport=send).new_game("Friday", "german-family", NAMES[:3])
    rounds, one = f"{API}/games/{game.id}/rounds", f"{API}/games/{game.id}"

    def call(secret: str, method: str, path: str, body: bytes, **headers: str) -> Reply:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        about = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        return send(Request(method, path, about | named, body))

    def example_of(reply: Reply) -> tuple[str, Any]:
        return str(reply.status), reply.read(dict)

    quick, title, key = json.dumps(QUICK).encode(), b'{"title": "x"}', {"Idempotency_Key": "1"}
    wrong = b'{"outcome": "out", "winner": 0, "seats": [{}, {"hand": "KH 9"}, {"points": -5}]}'
    replies: list[Callable[[], Reply]] = [
        lambda: call(game.secret, "POST", rounds, b'{"outcome": ', **key),
        lambda: call(game.watch, "POST", rounds, quick, **key),
        lambda: call("", "POST", rounds, quick, **key),
        lambda: call(game.secret, "PATCH", one, title, If_Match='"7"'),
        lambda: call(game.secret, "PATCH", one, b" " * 100_000, If_Match='"1"'),
        lambda: call(game.secret, "POST", rounds, quick, Content_Type="text/plain", **key),
        lambda: call(game.secret, "POST", rounds, wrong, **key),
        lambda: call(game.secret, "PATCH", one, title),
    ]
    found = [example_of(reply()) for reply in replies]
    with patch("scorekeeper.web.api.photographs.is_installed", return_value=False):
        picture = {"Content_Type": "image/jpeg"}
        found.append(
            example_of(call("", "POST", f"{API}/cards/recognise", b"a photograph", **picture))
        )
    for error in (NotSaved("locked"), NotSaved("disk full", disk_full=True)):
        with (
            patch("scorekeeper.services.games.record_round", side_effect=error),
            patch.object(logging.getLogger("scorekeeper.errors"), "disabled", True),
        ):
            found.append(example_of(call(game.secret, "POST", rounds, quick, **key)))
    return dict(sorted(found))


# ---- the files -----------------------------------------------------------------------


@contextmanager
def same_every_time() -> Iterator[tuple[Flask, Flask]]:
    """Yield two apps whose ids, secrets and times are the same in every run."""
    with ExitStack() as stack:
        stack.enter_context(patch("secrets.choice", Random(1).choice))
        stack.enter_context(set_clock("2026-03-05T19:30:00Z"))
        keys = (f"key-{number}" for number in count(1))
        stack.enter_context(patch("scorekeeper.client.books.new_key", side_effect=keys))
        folder = Path(stack.enter_context(TemporaryDirectory()))
        where = (folder / "here.sqlite", folder / "there.sqlite")
        here, there = (
            create_app({"DATA": data, "TIMEZONE": "UTC", "SECRET_KEY": f"examples {data.stem}"})
            for data in where
        )
        for app in (here, there):
            stack.callback(app.extensions["ledger"].close)
        yield here, there


def made() -> dict[Path, str]:
    """Return the contents of the three files."""
    calls: dict[str, list[dict[str, Any]]] = {}
    with same_every_time() as (here, there):
        play(Recorder(here, calls), Recorder(there, calls))
        recorded_calls = {"calls": calls, "refusals": refused(here)}
        interface = here.extensions["flask-smorest"]["apis"][""]["ext_obj"]
        document = complete_document(interface.build(), recorded_calls)
    return {
        PLAYED: format_json(recorded_calls),
        DOCUMENT: format_json(document),
        SHAPES: client_types(document),
    }


def main() -> None:
    """Write the files."""
    for path, text in made().items():
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {len(text.encode()) // 1024} kB")


if __name__ == "__main__":
    main()
