"""Validation of the events of an imported tournament.

A draw is checked for order, not drawn again: a later version may draw differently. Results of
games are checked for form; ``scorekeeper check`` and the director compare them with the games.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from scorekeeper.domain.game.changes import Draft, check_names
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.tournament import changes
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.draw import Draw
from scorekeeper.domain.tournament.plan import Plan, decode_plan
from scorekeeper.domain.tournament.state import Tournament, decode_performances
from scorekeeper.services.import_checks import InvalidEvent, Replay, check_rules
from scorekeeper.store.exports import BOOK_ID

_SEED = re.compile(r"[0-9a-f]{8,64}", re.ASCII)


def _now(group: Group) -> Tournament:
    if group.tournament is None:
        raise InvalidEvent
    return group.tournament


def _whole(*values: Any) -> None:
    if any(type(value) is not int for value in values):
        raise InvalidEvent


def _plan(event: Event) -> Plan:
    check_rules(event.payload["plan"]["rules"])
    return decode_plan(event.payload["plan"])


def _seed(event: Event) -> str:
    seed = event.payload["seed"]
    if not _SEED.fullmatch(seed):
        raise InvalidEvent
    return str(seed)


def _entrant(event: Event) -> int:
    entrant: int = event.payload["entrant"]
    _whole(entrant)
    return entrant


def entered(replay: Replay[Group], group: Group, event: Event) -> Draft:
    """Return the draft of new entrants; erased names and clubs may be empty, and stay so."""
    now, count = _now(group), group.members
    names = list(group.players)
    entries = []
    for one in event.payload["entrants"]:
        for member in one["members"]:
            if member == len(names):
                names.append(replay.name(event, f"member.{member}"))
        entries.append((one["members"], one["club"]))
    check_names(names, "members")
    # Erased names are empty, and clubs may be alike without them: stand-ins tell them apart, and
    # the payload says who is meant.
    told = [name or _stand_in(member) for member, name in enumerate(names)]
    texts = {f"club.{club}": _stand_in(club) for club in range(now.clubs)}
    stated = [
        Entry(tuple(told[member] for member in members), "" if club is None else _stand_in(club))
        for members, club in entries
    ]
    return changes.enter(now, told[:count], texts, stated)


def _stand_in(number: int) -> str:
    return f"\0{number}"


def drawn(_: Replay[Group], group: Group, event: Event) -> Draft:
    payload = event.payload
    tables = tuple(tuple(table) for table in payload["tables"])
    _whole(*(one for table in tables for one in table), *payload["out"])
    if not all(BOOK_ID.fullmatch(game) for game in payload["games"]):
        raise InvalidEvent
    if set(payload["games"]) & {game for one in _now(group).rounds for game in one.games}:
        raise InvalidEvent
    draw = Draw(tables, tuple(payload["out"]))
    return changes.drawn(_now(group), draw, _seed(event), payload["games"])


def result(_: Replay[Group], group: Group, event: Event) -> Draft | None:
    payload = event.payload
    number, table, source, scores = (
        payload[name] for name in ("round", "table", "source", "scores")
    )
    _whole(number, table)
    if source not in ("game", "stated"):
        raise InvalidEvent
    if scores is not None:
        for one in filter(None, scores):
            _whole(one["worth"], one["wins"], one["hand_wins"], *one["left"])
            if "place" in one:
                _whole(one["place"])
                if not 1 <= one["place"] <= len(scores):
                    raise InvalidEvent
        scores = decode_performances(scores)
    return changes.result(_now(group), number, table, scores, source)


TOURNAMENT: Mapping[str, Callable[..., Draft | None]] = {
    "tournament": lambda _, group, event: changes.plan(
        group.tournament, _plan(event), _seed(event)
    ),
    "replanned": lambda _, group, event: changes.replan(_now(group), _plan(event)),
    "entered": entered,
    "withdrawn": lambda _, group, event: changes.withdraw(_now(group), _entrant(event)),
    "returned": lambda _, group, event: changes.bring_back(_now(group), _entrant(event)),
    "drawn": drawn,
    "undrawn": lambda _, group, event: changes.undraw(_now(group)),
    "result": result,
    "closed": lambda _, group, event: changes.close(_now(group), late=bool(event.payload["late"])),
    "concluded": lambda _, group, event: changes.conclude(_now(group)),
}
