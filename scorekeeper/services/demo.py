"""A group that never was, to look at and to measure: plausible evenings from a seed.

The same wishes give the same group, but for the ids and secrets of its books.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from random import Random

from scorekeeper.domain import group_changes
from scorekeeper.domain.changes import NewGame, Played
from scorekeeper.domain.group_changes import NewGroup
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Round, Seat
from scorekeeper.services import groups
from scorekeeper.services.backfill import written
from scorekeeper.services.bookkeeping import as_if_at
from scorekeeper.services.games import new_rules
from scorekeeper.services.groups import Founded
from scorekeeper.store.ledger import Ledger

NAMES = (
    *("Anna", "Bernd", "Claire", "Dieter", "Eva", "Fränz", "Greta", "Henri", "Inge", "Jupp"),
    *("Käthe", "Luc", "Maria", "Nico", "Oma", "Paul", "Renée", "Sepp", "Trude", "Uli"),
)
ROUNDS = 30
UNIT = "ct"
STAKE = {"point_value": Fraction(1, 2), "unit": UNIT}
PLAYS_ON = {"end.mode": "manual"}
"""No limit of points ends an evening before its thirty rounds are played."""


@dataclass(frozen=True)
class Wishes:
    """What the group should be like."""

    evenings: int
    members: int
    seed: int
    until: date
    """The day of the last evening."""
    name: str = "Demo"


def make(ledger: Ledger, wishes: Wishes, step: Callable[[int], None] = lambda _: None) -> Founded:
    """Found the group and let it play; a few evenings and what was paid after them at a time.

    ``step`` hears how many evenings are written.
    """
    chance = Random(wishes.seed)
    people = people_of(wishes.members, chance)
    nights = _nights(wishes, chance)
    house = _rules("german-family")
    order = NewGroup(wishes.name, tuple(person.name for person in people), house)
    with as_if_at(_time(nights[0] - timedelta(days=1), 0)):
        founded = groups.found_group(ledger, order)
    while nights:
        some = [nights.pop(0) for _ in range(min(len(nights), chance.randint(8, 40)))]
        with ledger.book_transaction(founded.group.id) as book:
            for night in some:
                evening = evening_of(people, night, chance)
                with as_if_at(evening.at[-1]):
                    groups.write_down(ledger, book, *written(evening))
                step(1)
        with as_if_at(_time(some[-1], ROUNDS + 10)):
            _money(ledger, founded.group.id, chance)
    return Founded(ledger.group(founded.group.id), founded.pen, founded.watch)


@dataclass(frozen=True)
class Person:
    name: str
    skill: int
    """How often he is the one who goes out, around 100."""
    habit: int
    """How often he comes, up to 100."""


def people_of(count: int, chance: Random) -> list[Person]:
    """People who go out more or less often and come more or less often."""
    names = [
        NAMES[number % len(NAMES)]
        + (f" {number // len(NAMES) + 1}" if number >= len(NAMES) else "")
        for number in range(count)
    ]
    return [Person(name, chance.randint(70, 140), chance.randint(40, 100)) for name in names]


def _nights(wishes: Wishes, chance: Random) -> list[date]:
    """The days of the evenings, some days apart, back from the last one."""
    nights, day = [], wishes.until
    for _ in range(wishes.evenings):
        nights.append(day)
        day -= timedelta(days=chance.randint(1, 5))
    return nights[::-1]


def _time(night: date, round_: int) -> str:
    """The evening begins at six, and a round takes six minutes; all before midnight."""
    began = datetime(night.year, night.month, night.day, 18)
    return (began + timedelta(minutes=6 * round_)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _rules(name: str) -> RuleSet:
    return new_rules(name, PLAYS_ON, STAKE)


def evening_of(people: list[Person], night: date, chance: Random, rounds: int = ROUNDS) -> Played:
    """Three to five of the members at one table, in gin two of them."""
    game = chance.choices(("german-family", "robber", "wiener", "gin-palast"), (85, 5, 5, 5))[0]
    rules = _rules(game)
    most = min(len(people), 5)
    seats = 2 if game == "gin-palast" else chance.randint(min(most, 3), most)
    here = _some(people, seats, chance)
    order = NewGame("", "", rules, tuple(person.name for person in here))
    play = _gin_round if game == "gin-palast" else _round
    played = tuple(play(here, rules, chance) for _ in range(rounds))
    return Played(order, played, tuple(_time(night, number) for number in range(rounds + 2)))


def _some(people: list[Person], count: int, chance: Random) -> list[Person]:
    """Different people, those who like to come more often than others."""
    return sorted(people, key=lambda one: chance.randint(1, one.habit))[-count:]


def _one(here: list[Person], chance: Random) -> int:
    return chance.choices(range(len(here)), [person.skill for person in here])[0]


def _round(here: list[Person], rules: RuleSet, chance: Random) -> Round:
    """One goes out, the others are left with a few cards or with many."""
    winner = _one(here, chance)
    return Round(
        outcome="out",
        winner=winner,
        hand_romme=rules.family == "lay" and chance.random() < 0.03,
        seats=tuple(
            Seat() if seat == winner else Seat(points=_left(person, chance))
            for seat, person in enumerate(here)
        ),
    )


def _left(person: Person, chance: Random) -> int:
    """Points left on a hand: rather few than many."""
    few = min(chance.randint(2, 130), chance.randint(2, 130))
    return max(2, few * 100 // person.skill)


def _gin_round(here: list[Person], rules: RuleSet, chance: Random) -> Round:
    knocker = _one(here, chance)
    deadwood = [0 if chance.random() < 0.15 else chance.randint(1, 10), chance.randint(1, 60)]
    seats = tuple(Seat(deadwood=points) for points in deadwood)
    return Round(outcome="knock", knocker=knocker, seats=seats[:: -1 if knocker else 1])


def _money(ledger: Ledger, group_id: str, chance: Random) -> None:
    """Now and then somebody pays something, or all settle up."""
    group = ledger.group(group_id)
    due = list(group_changes.open_payments(group, UNIT))
    if not due:
        return
    if chance.random() < 0.3:
        groups.settle_up(ledger, group_id, UNIT, expect=None)
        return
    one = chance.choice(due)
    amount = Fraction(max(one.amount // 2, 1))
    groups.pay(ledger, group_id, one.payer, one.payee, amount, UNIT)
