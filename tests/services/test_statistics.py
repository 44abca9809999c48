"""Seasons and statistics against a plain recomputation from the events of all evenings."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest

import short
from scorekeeper.domain.game.changes import NewGame, PlayedEvening
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.season import ALWAYS, Choices, Question, Span
from scorekeeper.services import demo, games, groups
from scorekeeper.services.backfill import played_game
from scorekeeper.services.clock import set_clock
from scorekeeper.services.games import new_rules
from scorekeeper.services.seasons import season
from scorekeeper.services.statistics import records, statistics
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.evenings import Best
from scorekeeper.store.writes import Write

CENT = {"point_value": Fraction(1, 2), "unit": "ct"}
MARKS = {"point_value": Fraction(1, 3), "unit": "Mark"}
GINS = ("gin", "big_gin", "small_gin")


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.external)]
)
def ledger(request, tmp_path_factory) -> Iterator[Ledger]:
    if request.param == "postgres":
        server = request.getfixturevalue("postgres_server")
        ledger = open_ledger(server.new_database())
    else:
        ledger = open_ledger(tmp_path_factory.mktemp("season") / "group.sqlite")
    yield ledger
    ledger.close()


@pytest.fixture(scope="module")
def group(ledger: Ledger) -> str:
    """Evenings of all kinds, some changed later, some that do not count."""
    wishes = demo.DemoSettings(evenings=18, members=5, seed=11, until=date(2026, 2, 20))
    group_id = demo.make(ledger, wishes).group.id
    with set_clock("2026-02-21T20:00:00Z"):
        _others(ledger, group_id)
    groups.erase_member(ledger, group_id, 2, write=Write())
    return group_id


def _others(ledger: Ledger, group_id: str) -> None:
    changed = evening(ledger, group_id, MARKS, (0, 30, None), (12, 0, 40), (0, 0, 25), (9, 0, 1))
    games.strike_round(ledger, changed, 2, write=Write())
    games.strike_round(ledger, changed, 4, write=Write())
    games.restore_round(ledger, changed, 4, write=Write())
    write(ledger, changed, (0, 60, 7), number=3)
    evening(ledger, group_id, CENT, (0, 999, 999), training=True)
    evening(ledger, group_id, CENT, (888, 0, 888), ends=False)
    reopened = evening(ledger, group_id, CENT, (777, 777, 0))
    games.reopen_game(ledger, reopened, write=Write())


def evening(
    ledger: Ledger, group_id: str, stake: Any, *rounds: Sequence[int | None], ends: bool = True,
    training: bool = False,
) -> str:  # fmt: skip
    names = ledger.group(group_id).players[:3]
    order = NewGame("", "", new_rules("german-family", {}, stake), names)
    game = groups.open_evening(ledger, group_id, order, training=training, write=Write()).id
    for points in rounds:
        write(ledger, game, points)
    if ends:
        games.end_game(ledger, game, write=Write())
    return game


def write(ledger: Ledger, game: str, points: Sequence[int | None], number: int = 0) -> None:
    if number:
        short.correct(ledger, game, number, *points)
    else:
        short.record(ledger, game, *points)


# ---- by hand, from the events --------------------------------------------------------


@dataclass
class Night:
    """A finished evening, computed from its events."""

    game: str
    began: str
    family: str
    unit: str
    value: Fraction
    members: list[int]
    rounds: list[dict[str, Any]]
    sign: int
    """Minus points of Rommé count against, plus points of gin for a player."""

    @property
    def day(self) -> str:
        return self.began[:10]

    def seats(self) -> Iterator[tuple[int, int]]:
        return enumerate(self.members)  # type: ignore[return-value]

    def points(self, number: int, seat: int) -> int | None:
        """Return what a round was worth to a seat."""
        row = self.rounds[number]["score"]["scores"][seat]
        return None if row is None else (-row[0] if self.sign < 0 else row[1])

    def all(self, seat: int) -> list[int]:
        points = (self.points(number, seat) for number in range(len(self.rounds)))
        return [n for n in points if n is not None]

    def wins(self, seat: int) -> list[bool]:
        return [
            one["score"]["winner"] == seat
            for number, one in enumerate(self.rounds)
            if self.points(number, seat) is not None
        ]

    def left(self, seat: int) -> list[int]:
        """Return the declared points left in lost rounds."""
        lost = [one for one in self.rounds if one["score"]["winner"] != seat]
        hands = (one["round"]["seats"][seat] for one in lost)
        return [
            hand.get("points", hand.get("deadwood", 0)) for hand in hands if "absent" not in hand
        ]

    def between(self, one: int, other: int) -> list[int]:
        pairs = [
            (self.points(number, one), self.points(number, other))
            for number in range(len(self.rounds))
        ]
        return [mine - theirs for mine, theirs in pairs if mine is not None and theirs is not None]

    def key(self, seat: int) -> tuple[int, int]:
        return sum(self.all(seat)), sum(self.wins(seat))

    def place(self, seat: int) -> int:
        own = self.key(seat)
        return 1 + sum(self.key(at) > own for at, _ in self.seats() if self.all(at))

    def lead(self, seat: int) -> int:
        """Return how far the winner was ahead of the next."""
        own = sum(self.all(seat))
        others = [sum(self.all(at)) for at, _ in self.seats() if at != seat and self.all(at)]
        return own - max(others) if self.place(seat) == 1 else 0

    def got(self, seat: int) -> int:
        """Return the points from all others, pair by pair."""
        return sum(sum(self.between(seat, at)) for at, _ in self.seats() if at != seat)

    def special(self, seat: int, reasons: Sequence[str]) -> int:
        lines = [line for one in self.rounds for line in one["score"]["lines"]]
        return sum(line["seat"] == seat and line["reason"] in reasons for line in lines)


def finished_nights(ledger: Ledger, group_id: str) -> list[Night]:
    """Return every finished evening that is no training, by day and game."""
    found = []
    for event in ledger.events(group_id):
        if event.kind != "game" or event.payload["training"]:
            continue
        game = event.payload["game"]
        first, *others = ledger.events(game)
        options = first.payload["rules"]["options"]
        rounds: dict[int, dict[str, Any]] = {}
        struck: set[int] = set()
        over = False
        for one in others:
            number = one.payload.get("number", 0)
            if one.kind in ("round", "corrected"):
                rounds[number] = dict(one.payload)
            elif one.kind == "struck":
                struck.add(number)
            elif one.kind == "restored":
                struck.discard(number)
            elif one.kind in ("ended", "reopened"):
                over = one.kind == "ended"
        if over:
            found.append(
                Night(
                    game=game,
                    began=first.at,
                    family=options["family"],
                    unit=options["settle.unit"],
                    value=Fraction(options["settle.point_value"]),
                    members=event.payload["members"],
                    rounds=[rounds[number] for number in sorted(rounds) if number not in struck],
                    sign=-1 if options["rank.measure"] == "minus" else 1,
                )
            )
    return sorted(found, key=lambda night: (night.day, night.game))


def streak(wins: Sequence[bool]) -> int:
    return max((len(list(row)) for won, row in groupby(wins) if won), default=0)


def meant(nights: Sequence[Night], span: Span) -> list[Night]:
    return [
        night
        for night in nights
        if span.first <= night.day <= span.last and span.family in (None, night.family)
    ]


SPANS = (
    ALWAYS,
    Span(family="lay"),
    Span(family="gin"),
    Span(first="2026-01-01", last="2026-12-31"),
    Span(first="2026-02-20", last="2026-02-20"),
    Span(last="1999-12-31"),
)


@pytest.fixture(scope="module")
def nights(ledger: Ledger, group: str) -> list[Night]:
    return finished_nights(ledger, group)


def test_the_sample_group_covers_every_feature(nights):
    assert {night.family for night in nights} >= {"lay", "hand", "gin"}
    assert {night.unit for night in nights} == {"ct", "Mark"}
    assert any(
        len(night.all(seat)) < len(night.rounds) for night in nights for seat, _ in night.seats()
    )
    assert len(nights) == 19


@pytest.mark.parametrize("span", SPANS)
def test_every_figure_matches_the_events(ledger, group, nights, span):
    nights = meant(nights, span)
    found = {one.member: one for one in ledger.seasons.figures(group, span)}

    assert set(found) == {member for night in nights for member in night.members}
    for member, one in found.items():
        there = [
            (night, night.members.index(member)) for night in nights if member in night.members
        ]
        left = [points for night, seat in there for points in night.left(seat)]
        amounts: dict[str, Fraction] = defaultdict(Fraction)
        for night, seat in there:
            amounts[night.unit] += night.got(seat) * night.value
        assert one.evenings == sum(bool(night.all(seat)) for night, seat in there)
        assert one.evenings_won == sum(night.place(seat) == 1 for night, seat in there)
        assert one.worth == sum(sum(night.all(seat)) for night, seat in there)
        assert one.played == sum(len(night.all(seat)) for night, seat in there)
        assert one.won == sum(sum(night.wins(seat)) for night, seat in there)
        assert (one.left, one.lost) == (sum(left), len(left))
        assert (one.best, one.worst) == (min(left, default=None), max(left, default=None))
        assert one.streak == max(streak(night.wins(seat)) for night, seat in there)
        assert one.gins == sum(night.special(seat, GINS) for night, seat in there)
        assert one.undercuts == sum(night.special(seat, ["undercut"]) for night, seat in there)
        assert one.amounts == amounts
    for unit in ("ct", "Mark"):
        assert sum(one.amounts.get(unit, 0) for one in found.values()) == 0


@pytest.mark.parametrize("span", SPANS)
def test_results_between_members_match_the_events(ledger, group, nights, span):
    met: dict[tuple[int, int], list[int]] = defaultdict(list)
    for night in meant(nights, span):
        for seat, member in night.seats():
            for at, other in night.seats():
                if seat != at:
                    met[member, other] += night.between(seat, at)
    found = {(one.one, one.other): one for one in statistics(ledger, group, span).encounters}

    assert set(found) == {pair for pair, points in met.items() if points}
    for pair, one in found.items():
        points = met[pair]
        assert (one.points, one.rounds) == (sum(points), len(points))
        assert (one.won, one.lost) == (sum(n > 0 for n in points), sum(n < 0 for n in points))


def test_points_over_time_start_at_zero_and_are_cumulative(ledger, group, nights):
    found = statistics(ledger, group)
    runs = found.runs([0, 1, 4])

    assert found.times == tuple(night.began for night in nights)
    for member in (0, 1, 4):
        total, run = 0, []
        for place, night in enumerate(nights, start=1):
            if member in night.members and night.all(seat := night.members.index(member)):
                if not run:
                    run.append((place - 1, 0))
                total += night.got(seat)
                run.append((place, total))
        assert runs[member] == run


def test_missed_evenings_do_not_end_a_winning_streak(ledger, group, nights):
    found = statistics(ledger, group)

    for member in range(5):
        there = [night for night in nights if member in night.members]
        wins = [
            night.place(seat) == 1
            for night in there
            if night.all(seat := night.members.index(member))
        ]
        assert found.won_in_a_row(member) == streak(wins)


def test_records_are_maxima_over_all_evenings(ledger, group, nights):
    everywhere = [(night, seat, member) for night in nights for seat, member in night.seats()]
    figures = {
        "worst": [max(night.left(seat), default=0) for night, seat, _ in everywhere],
        "won": [sum(night.wins(seat)) for night, seat, _ in everywhere],
        "streak": [streak(night.wins(seat)) for night, seat, _ in everywhere],
        "rounds": [len(night.rounds) for night, _, _ in everywhere],
        "lead": [night.lead(seat) for night, seat, _ in everywhere],
        "lost_by": [-sum(night.all(seat)) for night, seat, _ in everywhere],
        "hand_rommes": [
            sum(
                one["score"]["winner"] == seat and bool(one["round"].get("hand_romme"))
                for one in night.rounds
            )
            for night, seat, _ in everywhere
        ],
        "gins": [night.special(seat, GINS) for night, seat, _ in everywhere],
    }
    expected = {}
    for what, values in figures.items():
        at = values.index(max(values))
        night, _, member = everywhere[at]
        if values[at] > 0:
            expected[what] = Best(night.game, night.began, member, values[at])

    assert dict(records(ledger, group)) == expected
    brought = statistics(ledger, group).best_evening
    assert brought and brought.value == max(night.got(seat) for night, seat, _ in everywhere)


def test_there_are_records_from_the_second_evening_on(ledger):
    group = groups.create_group(ledger, NewGroup("Neu", ("Anna", "Bernd", "Claire"))).group.id
    evening(ledger, group, CENT, (0, 30, 20))
    evening(ledger, group, CENT, (0, 99, 99), training=True)
    evening(ledger, group, CENT, (0, 99, 99), ends=False)

    assert dict(records(ledger, group)) == {}

    evening(ledger, group, CENT, (10, 0, 20))

    assert dict(records(ledger, group))["worst"].value == 30


@pytest.mark.parametrize("by", ["points", "average", "wins", "money", "league"])
@pytest.mark.parametrize("least", [0, 100])
def test_the_ranking_of_a_season_matches_the_events(ledger, group, nights, by, least):
    span = Span(family="lay")
    standings = season(ledger, ledger.group(group), Question(by, span, "ct", least)).standings
    worth, rounds, won = defaultdict(int), defaultdict(int), defaultdict(int)
    money: dict[int, Fraction] = {}
    for night in meant(nights, span):
        for seat, member in night.seats():
            worth[member] += sum(night.all(seat))
            rounds[member] += len(night.all(seat))
            won[member] += night.place(seat) == 1
            if night.unit == "ct":
                money[member] = money.get(member, Fraction()) + night.got(seat) * night.value
    value = {
        "points": worth,
        "average": {one: Fraction(worth[one], rounds[one]) for one in worth},
        "wins": won,
        "money": money,
        "league": dict.fromkeys(worth, 0),
    }[by]
    listed = [one for one in worth if rounds[one] >= max(least, 1) and one in value]
    ranks = {one: 1 + sum(value[other] > value[one] for other in listed) for one in listed}

    assert {one.figures.member: one.rank for one in standings if one.rank} == ranks
    assert all(one.value == value[one.figures.member] for one in standings if one.rank)
    assert {one.figures.member for one in standings} == set(worth)
    order = [one.rank for one in standings if one.rank]
    assert order == sorted(order)


def test_training_and_unfinished_evenings_do_not_count(ledger, group):
    found = statistics(ledger, group)
    training = [one.seating.training for one in ledger.seasons.evenings(group)]

    assert all(one.worst is None or one.worst < 700 for one in found.figures)
    assert dict(records(ledger, group))["worst"].value < 700
    assert ledger.seasons.count_evenings(group) == len(found.times) + 3
    assert (training.count(True), training.count(False)) == (1, len(training) - 1)


@pytest.mark.parametrize("span", SPANS)
def test_statistics_of_one_member_match_those_of_all(ledger, group, span):
    everybody = statistics(ledger, group, span)

    for member in range(5):
        alone = statistics(ledger, group, span, member=member)
        assert {evening.member for evening in alone.evenings} <= {member}
        assert all(member in (met.one, met.other) for met in alone.encounters)
        assert list(alone.figures) == [one for one in everybody.figures if one.member == member]
        assert alone.against(member) == everybody.against(member)
        assert alone.won_in_a_row(member) == everybody.won_in_a_row(member)
        ends = [one.runs([member]).get(member, [(0, 0)])[-1][1] for one in (alone, everybody)]
        assert ends[0] == ends[1]


def test_the_numbers_of_an_erased_member_stay(ledger, group, nights):
    assert ledger.group(group).players[2] == ""
    figures = {one.member: one for one in ledger.seasons.figures(group)}

    assert figures[2].evenings == sum(2 in night.members for night in nights)


def test_amounts_of_any_size_are_summed_exactly(tmp_path):
    """Amounts whose denominators and sums exceed 64 bits."""
    ledger = open_ledger(tmp_path / "huge.sqlite")
    group_id = groups.create_group(ledger, NewGroup("Reich", ("Anna", "Ben"))).group.id
    values = (Fraction(1, 10**21 + 1), Fraction(10**12), Fraction(10**12))
    facts = short.facts(0, 9_000)
    for value in values:
        rules = new_rules("german-family", demo.PLAYS_ON, {"point_value": value, "unit": "ct"})
        order = NewGame("", "", rules, ("Anna", "Ben"))
        played = PlayedEvening(order, (facts,) * 600, ("2026-02-21T20:00:00Z",) * 602)
        with ledger.book_transaction(group_id) as book:
            groups.add_played_game(ledger, book, *played_game(played))
    anna, ben = ledger.seasons.figures(group_id)
    evenings = ledger.seasons.evenings(group_id)
    ledger.close()

    assert anna.amounts == {"ct": 600 * 9_000 * sum(values)}
    assert ben.amounts == {"ct": -600 * 9_000 * sum(values)}
    assert {one.evening.results[0].amount for one in evenings} == {5_400_000 * n for n in values}


def test_the_units_of_a_group_come_by_how_often_it_played_for_them(tmp_path):
    """Cents were played for once a year, in two years; euros once."""
    with closing(open_ledger(tmp_path / "group.sqlite")) as ledger:
        names = ("Anna", "Ben", "Clara")
        group_id = groups.create_group(ledger, NewGroup("Friday", names)).group.id
        before = ledger.seasons.choices(group_id)
        for year, stake in ((2024, CENT), (2025, CENT), (2025, MARKS), (2026, {})):
            with set_clock(f"{year}-02-21T20:00:00Z"):
                evening(ledger, group_id, stake, (0, 10, 20))
        choices = ledger.seasons.choices(group_id)

        years, units = ("2026", "2025", "2024"), ("ct", "Mark", "Pf")

        assert before == Choices((), (), (), ())
        assert choices == Choices(years, ("lay",), ("german-family",), units)


def test_amounts_are_in_the_order_in_which_their_units_were_first_played_for(ledger):
    """Also if the evenings were entered in another order, as those of an import may be."""
    names = ("Anna", "Ben", "Clara")
    group_id = groups.create_group(ledger, NewGroup("Saturday", names)).group.id
    units = {"2024": "ct", "2023": "Mark", "2026": "EUR", "2025": "Pf"}
    for year, unit in units.items():
        with set_clock(f"{year}-02-21T20:00:00Z"):
            evening(ledger, group_id, {"point_value": Fraction(1), "unit": unit}, (0, 10, 20))

    ordered = [units[year] for year in sorted(units)]
    assert [[*one.amounts] for one in ledger.seasons.figures(group_id)] == [ordered] * 3


def test_without_stakes_there_are_no_amounts(tmp_path):
    with closing(open_ledger(tmp_path / "group.sqlite")) as ledger:
        group_id = groups.create_group(
            ledger, NewGroup("Friday", ("Anna", "Ben", "Clara"))
        ).group.id
        evening(ledger, group_id, {"point_value": None}, (0, 10, 20))

        assert [one.amounts for one in ledger.seasons.figures(group_id)] == [{}, {}, {}]
