"""A demo group with plausible evenings, from a random seed.

The same settings give the same group, except for ids and secrets.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from fractions import Fraction
from random import Random

from scorekeeper.domain.game.changes import NewGame, PlayedEvening
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rules import RuleSet
from scorekeeper.services import groups
from scorekeeper.services.backfill import played_game
from scorekeeper.services.clock import TIME, set_clock
from scorekeeper.services.games import new_rules
from scorekeeper.services.groups import CreatedGroup
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.writes import PROGRAM

NAMES = (
    *("Anna", "Bernd", "Claire", "Dieter", "Eva", "Fränz", "Greta", "Henri", "Inge", "Jupp"),
    *("Käthe", "Luc", "Maria", "Nico", "Oma", "Paul", "Renée", "Sepp", "Trude", "Uli"),
)
ROUNDS = 30
UNIT = "ct"
STAKE = {"point_value": Fraction(1, 2), "unit": UNIT}
PLAYS_ON = {"end.mode": "manual"}
"""Without a limit of points, so that every evening has ROUNDS rounds."""


@dataclass(frozen=True)
class DemoSettings:
    """The settings of a demo group."""

    evenings: int
    members: int
    seed: int
    until: date
    """The day of the last evening."""
    name: str = "Demo"


def make(
    ledger: Ledger, settings: DemoSettings, step: Callable[[int], None] = lambda _: None
) -> CreatedGroup:
    """Found the group and play its evenings, a few at a time with payments after them.

    ``step`` is called with the number of evenings written.
    """
    random = Random(settings.seed)
    people = people_of(settings.members, random)
    nights = _nights(settings, random)
    house = _rules("german-family")
    new_group = NewGroup(settings.name, tuple(person.name for person in people), house)
    with set_clock(_time(nights[0] - timedelta(days=1), 0)):
        founded = groups.create_group(ledger, new_group)
    while nights:
        some = [nights.pop(0) for _ in range(min(len(nights), random.randint(8, 40)))]
        with ledger.book_transaction(founded.group.id) as book:
            for night in some:
                evening = evening_of(people, night, random)
                with set_clock(evening.at[-1]):
                    groups.add_played_game(ledger, book, *played_game(evening))
                step(1)
        with set_clock(_time(some[-1], ROUNDS + 10)):
            _money(ledger, founded.group.id, random)
    return CreatedGroup(ledger.group(founded.group.id), founded.pen, founded.watch)


@dataclass(frozen=True)
class Person:
    name: str
    skill: int
    """How often the player goes out; 100 is average."""
    habit: int
    """How often the player comes, up to 100."""


def people_of(count: int, random: Random) -> list[Person]:
    """Return players of different skill and attendance."""
    names = [
        NAMES[number % len(NAMES)]
        + (f" {number // len(NAMES) + 1}" if number >= len(NAMES) else "")
        for number in range(count)
    ]
    return [Person(name, random.randint(70, 140), random.randint(40, 100)) for name in names]


def _nights(settings: DemoSettings, random: Random) -> list[date]:
    """Return the days of the evenings, a few days apart, up to the last one."""
    nights, day = [], settings.until
    for _ in range(settings.evenings):
        nights.append(day)
        day -= timedelta(days=random.randint(1, 5))
    return nights[::-1]


def _time(night: date, round_: int) -> str:
    """Return the time of a round: evenings begin at 18:00, a round takes six minutes."""
    began = datetime(night.year, night.month, night.day, 18)
    return (began + timedelta(minutes=6 * round_)).strftime(TIME)


def _rules(name: str) -> RuleSet:
    return new_rules(name, PLAYS_ON, STAKE)


def evening_of(people: list[Person], night: date, random: Random) -> PlayedEvening:
    """Return an evening of three to five members, or of two in gin."""
    game = random.choices(("german-family", "robber", "wiener", "gin-palast"), (85, 5, 5, 5))[0]
    rules = _rules(game)
    most = min(len(people), 5)
    seats = 2 if game == "gin-palast" else random.randint(min(most, 3), most)
    here = _some(people, seats, random)
    new_game = NewGame("", "", rules, tuple(person.name for person in here))
    play = _gin_round if game == "gin-palast" else _round
    played = tuple(play(here, rules, random) for _ in range(ROUNDS))
    return PlayedEvening(
        new_game, played, tuple(_time(night, number) for number in range(ROUNDS + 2))
    )


def _some(people: list[Person], count: int, random: Random) -> list[Person]:
    """Choose different people, regulars more often than others."""
    return sorted(people, key=lambda one: random.randint(1, one.habit))[-count:]


def _one(here: list[Person], random: Random) -> int:
    return random.choices(range(len(here)), [person.skill for person in here])[0]


def _round(here: list[Person], rules: RuleSet, random: Random) -> Round:
    """Return a round in which one player goes out and the others have cards left."""
    winner = _one(here, random)
    return Round(
        outcome="out",
        winner=winner,
        hand_romme=rules.family == "lay" and random.random() < 0.03,
        seats=tuple(
            Seat() if seat == winner else Seat(points=_left(person, random))
            for seat, person in enumerate(here)
        ),
    )


def _left(person: Person, random: Random) -> int:
    """Return points left in a hand, more often few than many."""
    few = min(random.randint(2, 130), random.randint(2, 130))
    return max(2, few * 100 // person.skill)


def _gin_round(here: list[Person], rules: RuleSet, random: Random) -> Round:
    knocker = _one(here, random)
    deadwood = [0 if random.random() < 0.15 else random.randint(1, 10), random.randint(1, 60)]
    seats = tuple(Seat(deadwood=points) for points in deadwood)
    return Round(outcome="knock", knocker=knocker, seats=seats[:: -1 if knocker else 1])


def _money(ledger: Ledger, group_id: str, random: Random) -> None:
    """Enter a payment, or sometimes settle everything."""
    group = ledger.group(group_id)
    due = list(group_changes.open_payments(group, UNIT))
    if not due:
        return
    if random.random() < 0.3:
        groups.settle_up(ledger, group_id, UNIT, PROGRAM)
        return
    payment = random.choice(due)
    half = replace(payment, amount=Fraction(max(payment.amount // 2, 1)))
    groups.pay(ledger, group_id, half, UNIT, PROGRAM)
