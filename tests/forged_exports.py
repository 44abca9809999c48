"""Forged exports: valid games and groups, changed at random, with a valid chain."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from examples import body_of, examples
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame, score_for
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.game.state import Account
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.services import erasure, games, given, groups
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.services.exports import group_json
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.chain import links
from scorekeeper.store.writes import PROGRAM, Write
from scorekeeper.web.api.examples import ROUNDS, TABLES
from scorekeeper.wire.rounds import load_round

Json = dict[str, Any]
NAMES = ("Anna", "Bernd", "Claire", "Dieter")
FIELDS = ("number", "at", "kind", "by", "payload", "key", "digest")


# ---- what is valid -------------------------------------------------------------------


@dataclass(frozen=True)
class Books:
    """Return exports as a server makes them: single games, and groups with their games."""

    games: tuple[str, ...]
    groups: tuple[str, ...]


def books(folder: Path) -> Books:
    """Make a game of every family with all kinds of events, and two groups."""
    ledger = open_ledger(folder / "valid.sqlite")
    games = [whole_game(ledger, family) for family in TABLES]
    clubs = [_demo(ledger), whole_club(ledger)]
    exports = [ledger.export(game_id) for game_id in games]
    whole = ["".join(group_json(ledger, group_id)) for group_id in clubs]
    ledger.close()
    return Books(tuple(map(json.dumps, exports)), tuple(whole))


def _begin(ledger: Ledger, family: str) -> str:
    table = TABLES[family]
    stake = {"point_value": "1/10", "unit": "Pf"}
    rules = new_rules(table["rules"]["preset"], table["rules"].get("options", {}), stake)
    return games.create_game(
        ledger, NewGame("Abend", "Küche", rules, NAMES[: table["players"]])
    ).game.id


def _record(ledger: Ledger, game_id: str, body: Any, note: str = "") -> None:
    if ledger.game(game_id).is_over:
        games.reopen_game(ledger, game_id, PROGRAM)
    facts = load_round({**body, "note": note}).round
    key = f"key-{ledger.version(game_id)}"
    games.record_round(
        ledger, game_id, score_for(ledger.game(game_id), facts), write=Write(key=key)
    )


def whole_game(ledger: Ledger, family: str) -> str:
    """Make a game with every kind of event, among them an erased name."""
    game_id = _begin(ledger, family)
    body = ROUNDS[family]["value"]
    for number in range(4):
        _record(ledger, game_id, body, note="Anna lacht" if number else "")
    for example in examples(family.split()[0])[:12]:
        shown: Any = example.values[0]
        try:
            _record(ledger, game_id, body_of(family.split()[0], shown))
        except RuleError:  # an example of other rules
            continue
    facts = load_round({**body, "note": "neu"}).round
    games.correct_round(ledger, game_id, 2, score_for(ledger.game(game_id), facts), PROGRAM)
    games.strike_round(ledger, game_id, 3, PROGRAM)
    games.restore_round(ledger, game_id, 3, PROGRAM)
    games.strike_round(ledger, game_id, 1, PROGRAM)
    games.change_details(ledger, game_id, {"title": "Anders"}, PROGRAM)
    _frame(ledger, game_id, body)
    games.store_account(ledger, game_id, 0, Account("Anna", "LU280019400644750000"), PROGRAM)
    games.replace_secret(ledger, game_id, "watch", PROGRAM)
    if family in ("lay", "hand", "knock") and ledger.game(game_id).sheet.seats < 4:
        games.add_player(ledger, game_id, "Emil", PROGRAM)
    _record(ledger, game_id, {"outcome": "cancelled"})
    games.end_game(ledger, game_id, PROGRAM)
    due = ledger.game(game_id).settlement()
    if due and due.transfers:
        games.mark_paid(ledger, game_id, 0, True, PROGRAM)
        games.mark_paid(ledger, game_id, 0, False, PROGRAM)
        games.mark_paid(ledger, game_id, 0, True, PROGRAM)
    erasure.erase_player(ledger, game_id, 1, PROGRAM)
    return game_id


def _frame(ledger: Ledger, game_id: str, body: Any) -> None:
    """Correct everything around the rounds, insert one, throw the game away and bring it back."""
    game = ledger.game(game_id)
    rules = game.rules.override({"settle.point_value": "1/5", "end.points": 5000})
    new = Frame(
        words={"place": "Balkon"},
        names={0: "Anne"},
        began="2026-01-02T18:30:00Z",
        order=game.sheet.clockwise[2:] + game.sheet.clockwise[:2],
        dealers={len(game.sheet.written) + 1: 1},
        rules=rules,
    )
    games.correct_frame(ledger, game_id, "frame", lambda _: new, PROGRAM)
    missed = load_round({**body, "note": "vergessen"}).round
    under = game.under(game.sheet.rules_at(2))
    games.insert_round(ledger, game_id, 2, score_for(under, missed), PROGRAM)
    if rules.settle.mode != "balance":
        given.give_points(ledger, game_id, {"side": 0, "plus": 5, "note": "Anna war nett"}, PROGRAM)
        points = given.give_points(ledger, game_id, {"side": 1, "minus": 5}, PROGRAM).sheet.given
        given.take_back_points(ledger, game_id, points[-1].event, PROGRAM)
    games.throw_away(ledger, game_id, PROGRAM)
    games.bring_back(ledger, game_id, PROGRAM)


def _demo(ledger: Ledger) -> str:
    return make(
        ledger, DemoSettings(evenings=3, members=4, seed=7, until=date(2026, 6, 12))
    ).group.id


def whole_club(ledger: Ledger) -> str:
    """Add every kind of event to the account book."""
    wishes = DemoSettings(evenings=2, members=3, seed=9, until=date(2026, 6, 12))
    group = make(ledger, wishes).group
    groups.add_member(ledger, group.id, "Zoe", PROGRAM)
    groups.rename_member(ledger, group.id, 0, "Toni", PROGRAM)
    groups.rename_group(ledger, group.id, "Mittwoch", PROGRAM)
    groups.pay(ledger, group.id, Transfer(0, 1, Fraction(7, 2)), "DM", PROGRAM, note="bar")
    groups.reverse(ledger, group.id, ledger.version(group.id) or 0, PROGRAM)
    groups.pay(ledger, group.id, Transfer(1, 2, Fraction(5)), "DM", PROGRAM)
    groups.agree_rate(ledger, group.id, "DM", "ct", Fraction(51), PROGRAM)
    groups.convert(ledger, group.id, "DM", "ct", PROGRAM)
    groups.settle_up(ledger, group.id, "ct", PROGRAM)
    groups.keep_house_rules(ledger, group.id, new_rules("wiener", {}), PROGRAM)
    game = next(iter(ledger.group(group.id).evenings))
    groups.admit_game(ledger, group.id, game, PROGRAM, training=True)
    groups.admit_game(ledger, group.id, game, PROGRAM, training=False)
    groups.erase_member(ledger, group.id, 1, PROGRAM)
    return group.id


# ---- how it is changed ---------------------------------------------------------------

VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 5, 6, 7, 99, 9_999, 10**6, 10**17, -(10**17), 1.5, 0.0),
    *("", " ", "x", "0", "1", "-1", "1/0", "1/3", "1e9", "9" * 150, "JK", "KD", "JK=9S", "2H=10C"),
    *("pen", "watch", "host", "out", "knock", "void", "cancelled", "minus", "name.0", "ct", "DM"),
    *("gin", "hand", "lay", "undercut", "collected", "W_HAND_COUNT", "E_FIRST_MIN", "romme-palast"),
    *("\u202e", "😀", "\u200b", "漢", "a" * 300, "<b>", "=1+1", "../x", "2026-13-01T00:00:00Z"),
    *("1900-01-01T00:00:00Z", "9998-12-31T23:59:59Z", "0001-01-01T00:00:00Z"),
    *([], {}, [[]], [None], [0], [0, 1], [0, 0], ["K"], {"a": 1}, [[0, "ct", "5"]], [1] * 40),
)
KINDS = (
    *("created", "round", "corrected", "struck", "restored", "player", "details", "account"),
    *("erased", "secret", "ended", "reopened", "paid", "unpaid", "as_it_was", "founded", "member"),
    *("renamed", "house", "game", "left", "booked", "settled", "rate", "converted", "reversed"),
    *("", "nothing"),
)


def forge(book: str, dice: Random, suffix: str) -> Json:
    """Return a valid export with one to three changes, new ids and a valid chain."""
    forged = json.loads(book)
    parts = [forged, *forged.get("games", [])]
    packed = [_packed(part) for part in parts]
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        dice.choice(CHANGES)(dice.choice(packed), dice)
    for part, events in zip(parts, packed, strict=True):
        _unpack(part, events, renumber=dice.random() < 0.95)
    if "games" in forged and dice.random() < 0.05:
        games = forged["games"]
        dice.choice((games.clear, games.reverse, lambda: games.append(deepcopy(games[0]))))()
    text = json.dumps(forged)
    for part in parts:
        text = text.replace(part["id"], part["id"][:4] + suffix)
    made: Json = json.loads(text)
    for part in (made, *made.get("games", [])):
        _seal(part)
    return made


def _packed(part: Json) -> list[Json]:
    texts = part["texts"]
    return [
        {**event, "texts": dict(texts.get(str(number), {}))}
        for number, event in enumerate(part["events"], 1)
    ]


def _unpack(part: Json, events: list[Json], *, renumber: bool) -> None:
    part["texts"] = {}
    for number, event in enumerate(events, 1):
        words = event.pop("texts")
        if renumber:
            event["number"] = number
        if words:
            part["texts"][str(number)] = words
    part["events"] = events


def sealed(book: Json) -> Json:
    """Set the head of an export without texts to that of its events, and return it."""
    events = [Event(**{**one, "texts": {}}) for one in book["events"]]
    *_, head = links(book["id"], events)
    book["head"] = head.hex()
    return book


def _seal(part: Json) -> None:
    """Set the head of a forged book to that of its events."""
    try:
        events = [Event(*(one[name] for name in FIELDS[:5])) for one in part["events"]]
        keyed = [
            Event(**{**vars(event), "key": one["key"], "digest": one["digest"]})
            for event, one in zip(events, part["events"], strict=True)
        ]
        *_, head = links(part["id"], keyed)
        part["head"] = head.hex()
    except (TypeError, ValueError, KeyError):  # nothing that a chain can be made of
        return


def _delete(events: list[Json], dice: Random) -> None:
    if events:
        del events[dice.randrange(len(events))]


def _double(events: list[Json], dice: Random) -> None:
    if events:
        place = dice.randrange(len(events))
        copy = deepcopy(events[place])
        copy["key"] = None if dice.random() < 0.7 else copy["key"]
        events.insert(dice.randrange(len(events)) + 1, copy)


def _move(events: list[Json], dice: Random) -> None:
    if len(events) > 1:
        events.insert(dice.randrange(len(events)), events.pop(dice.randrange(len(events))))


def _many(events: list[Json], dice: Random) -> None:
    """Repeat an event many times."""
    if events:
        again = deepcopy(dice.choice(events)) | {"key": None}
        events += (deepcopy(again) for _ in range(dice.randrange(2, 20)))


def _retype(events: list[Json], dice: Random) -> None:
    if events:
        dice.choice(events)["kind"] = dice.choice(KINDS)


def _about(events: list[Json], dice: Random) -> None:
    if events:
        dice.choice(events)[dice.choice(("at", "by", "key", "digest"))] = dice.choice(VALUES)


def _word(events: list[Json], dice: Random) -> None:
    """Change, add or remove a text of an event."""
    if not events:
        return
    event = dice.choice(events)
    texts = event["texts"]
    fields = (
        "title",
        "place",
        "name",
        "name.0",
        "name.5",
        "note.1",
        "note.99",
        "member.0",
        "iban.0",
    )
    name = dice.choice([*texts] or ["title"]) if dice.random() < 0.6 else dice.choice(fields)
    if dice.random() < 0.2:
        texts.pop(name, None)
    else:
        texts[name] = dice.choice([text for text in VALUES if isinstance(text, str)])


def _value(events: list[Json], dice: Random) -> None:
    """Change, nearly repeat, remove or duplicate one value in a payload."""
    if not events:
        return
    places = list(_places(dice.choice(events)["payload"]))
    if not places:
        return
    holder, key = dice.choice(places)
    now = holder[key]
    match dice.randrange(8):
        case 0 if isinstance(holder, list):
            holder.insert(key, deepcopy(now))
        case 1:
            del holder[key]
        case 2 if isinstance(holder, list):
            dice.shuffle(holder)
        case 3 if isinstance(holder, dict):
            holder[dice.choice(("x", "note", "game", "facts", "seat"))] = dice.choice(VALUES)
        case 4 | 5 if type(now) is int:
            holder[key] = now + dice.choice((-1, 1, 10))
        case 6:
            donor = dice.choice(events)["payload"]
            found = list(_places(donor))
            if found:
                other, name = dice.choice(found)
                holder[key] = deepcopy(other[name])
        case _:
            holder[key] = dice.choice(VALUES)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return every place in a payload, as its container and key."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])


CHANGES: tuple[Callable[[list[Json], Random], None], ...] = (
    *(_delete, _double, _move, _many, _retype, _about, _word, _word),
    *(_value,) * 12,
)
