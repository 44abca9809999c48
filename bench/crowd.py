"""A file with as many games as a large club plays in many years.

A few hundred evenings are played and scored. They are stored repeatedly under new ids, days and
keys by the regular functions, so that every game has a hash chain of its own and ``check``
finds the file good. The same arguments give the same file, except secrets and group ids.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from uuid import UUID

import click

from scorekeeper.domain.cards.card import JOKER, PACK
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.services import groups
from scorekeeper.services.backfill import played_game
from scorekeeper.services.clock import set_clock
from scorekeeper.services.demo import Person, evening_of, people_of
from scorekeeper.services.writes import request_digest
from scorekeeper.store import open_ledger
from scorekeeper.store.ledger import Ledger

ROUNDS = 20
PATTERNS = 300
"""The evenings that are played; all others are copies of them."""
IN_CARDS = 3
"""Every third evening is entered in cards, the others in points."""
IN_GROUP = 50
"""Evenings of one group; they alternate with as many games of one browser without a group."""
MEMBERS = 8
FIRST_DAY = date(2016, 1, 1)
Pattern = tuple[Game, list[Event]]


@dataclass(frozen=True)
class Crowd:
    """The number of games and the seed."""

    games: int
    seed: int = 1
    rounds: int = ROUNDS


def fill(ledger: Ledger, crowd: Crowd, step: Callable[[int], None] = lambda _: None) -> None:
    """Write all games, a group's evenings or a browser's games in one transaction each.

    ``step`` is called with the number of games written.
    """
    chance = Random(crowd.seed)
    people = people_of(MEMBERS, chance)
    patterns = list(_patterns(people, crowd, chance))
    begun = range(0, crowd.games, IN_GROUP)
    for number, first in enumerate(begun):
        some = min(IN_GROUP, crowd.games - first)
        day = FIRST_DAY + timedelta(days=chance.randint(0, 3000))
        evenings = (
            _again(chance.choice(patterns), day + timedelta(days=7 * week), chance)
            for week in range(some)
        )
        write = _as_group if number % 2 else _alone
        with ledger.transaction(), set_clock(f"{day}T12:00:00Z"):
            write(ledger, evenings, people, number)
        step(some)


def _patterns(people: list[Person], crowd: Crowd, chance: Random) -> Iterator[Pattern]:
    for number in range(min(PATTERNS, crowd.games)):
        played = evening_of(people, FIRST_DAY, chance)
        played = replace(
            played, rounds=played.rounds[: crowd.rounds], at=played.at[: crowd.rounds + 2]
        )
        if number % IN_CARDS == 0 and played.new_game.rules.family == "lay":
            rounds = tuple(_in_cards(facts, chance) for facts in played.rounds)
            played = replace(played, rounds=rounds)
        yield played_game(played)


def _in_cards(facts: Round, chance: Random) -> Round:
    """Return a round of points as a round of cards that are left."""
    stock = [*PACK, *PACK, JOKER, JOKER]
    chance.shuffle(stock)
    hands = (tuple(stock.pop() for _ in range(chance.randint(1, 10))) for _ in facts.seats)
    seats = (
        seat if number == facts.winner else Seat(hand=hand)
        for number, (seat, hand) in enumerate(zip(facts.seats, hands, strict=True))
    )
    return replace(facts, seats=tuple(seats))


def _again(pattern: Pattern, day: date, chance: Random) -> Pattern:
    """Return an evening copied to another day, with a new id and new keys."""
    game, events = pattern

    def at(time: str) -> str:
        return f"{day}{time[10:]}"

    new = replace(
        game,
        id="".join(chance.choices("abcdefghjkmnpqrstuvwxyz23456789", k=10)),
        created_at=at(game.created_at),
        changed_at=at(game.changed_at),
        sheet=replace(
            game.sheet,
            written=tuple(replace(row, at=at(row.at)) for row in game.sheet.written),
        ),
    )
    return new, [_sent(replace(event, at=at(event.at)), chance) for event in events]


def _sent(event: Event, chance: Random) -> Event:
    if event.kind != "round":
        return event
    key = str(UUID(int=chance.getrandbits(128), version=4))
    return replace(event, key=key, digest=request_digest(["round", event.payload["round"]]))


def _alone(ledger: Ledger, evenings: Iterator[Pattern], people: list[Person], number: int) -> None:
    for game, events in evenings:
        pen, _ = ledger.import_book(game, events)
        ledger.rights.remember(browser(number), game.id, pen)


def _as_group(
    ledger: Ledger, evenings: Iterator[Pattern], people: list[Person], number: int
) -> None:
    new_group = NewGroup(f"Club {number}", tuple(person.name for person in people))
    group = groups.create_group(ledger, new_group, browser=browser(number), key="bench").group
    with ledger.book_transaction(group.id) as book:
        for game, events in evenings:
            groups.add_played_game(ledger, book, game, events)


def browser(number: int) -> str:
    """Return the secret of a browser that holds a group or its share of games."""
    return f"browser-{number}"


def main() -> None:
    """Write a file to inspect or measure."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.file.exists():
        sys.exit(f"{options.file} is there already")
    ledger = open_ledger(options.file)
    with click.progressbar(length=options.games, show_pos=True, file=sys.stderr) as bar:
        fill(ledger, Crowd(options.games, options.seed), bar.update)
    ledger.close()


if __name__ == "__main__":
    main()
