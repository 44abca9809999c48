"""A season as it is asked for and as it is shown: on a page, as CSV, on paper, over REST."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import cast, get_args

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.options import FAMILIES
from scorekeeper.domain.season import Order, Standing, Value
from scorekeeper.domain.story import Moment, story
from scorekeeper.i18n import Language, most_decimals
from scorekeeper.services import groups
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.seasons import FIRST_DAY, LAST_DAY, Choices, Span
from scorekeeper.wire.strict import shown

ORDERS: tuple[Order, ...] = get_args(Order)
EVERY = "all"
MOST_ROUNDS = 10_000
MOST_LEADS = 4
"""So many changes of the lead are told one by one."""
BY_POINTS = ("points", "average", "league")
"""What says little across families: minus points of Rommé and plus points of gin."""


@dataclass(frozen=True)
class Question:
    """Which table is wanted."""

    by: Order
    span: Span
    unit: str | None
    min_rounds: int


@dataclass(frozen=True)
class Season:
    """A season table about to be shown."""

    group: Group
    question: Question
    standings: tuple[Standing, ...]

    @cached_property
    def decimals(self) -> int:
        """How many decimals the amounts of a table of money take."""
        values = (one.value for one in self.standings if one.value is not None)
        return most_decimals(map(Fraction, values))

    @property
    def listed(self) -> tuple[Standing, ...]:
        return tuple(one for one in self.standings if one.rank is not None)

    @property
    def apart(self) -> tuple[Standing, ...]:
        """Too few rounds, or nothing to compare."""
        return tuple(one for one in self.standings if one.rank is None)


def season(ledger: Ledger, group: Group, question: Question) -> Season:
    """The table that is asked for."""
    standings = groups.season(
        ledger,
        group,
        question.by,
        question.span,
        unit=question.unit or "",  # nobody ever played for money: nothing to compare
        min_rounds=question.min_rounds,
    )
    return Season(group, question, standings)


def asked(fields: Mapping[str, str], choices: Choices, today: date) -> Question:
    """The question of an address: ``by``, ``year`` or ``from`` and ``to``, ``min_rounds``, ...

    What is left out is this year, by the average, in the family and the unit that the group
    plays most. RuleError with every field that cannot be read.
    """
    found: list[Problem] = []
    by = _one_of("by", fields.get("by", "average"), ORDERS, found)
    most_played = choices.families[0] if choices.families else EVERY
    usual = most_played if by in BY_POINTS else EVERY
    family = _one_of("family", fields.get("family") or usual, (*FAMILIES, EVERY), found)
    year = fields.get("year", "")
    dated = bool(fields.get("from") or fields.get("to"))
    if not year and not dated:
        this = str(today.year)
        year = this if this in choices.years or not choices.years else choices.years[0]
    if dated or year == EVERY:
        first = _day("from", fields.get("from"), FIRST_DAY, found)
        last = _day("to", fields.get("to"), LAST_DAY, found)
    else:
        first = _day("year", f"{year}-01-01", FIRST_DAY, found)
        last = first[:4] + LAST_DAY[4:]
    if first > last:
        found.append(Problem("E_FORM", {"why": "dates"}, ("to",)))
    rounds = _rounds(fields.get("min_rounds") or "0", found)
    unit = fields.get("unit") or next(iter(choices.units), None)
    if by == "money" and choices.units and unit not in choices.units:
        found.append(Problem("E_UNIT", {"units": choices.units}, ("unit",)))
    if found:
        raise RuleError.of(found)
    return Question(
        by=cast(Order, by),
        span=Span(first=first, last=last, family=None if family == EVERY else family),
        unit=unit,
        min_rounds=rounds,
    )


def _one_of(name: str, value: str, allowed: Sequence[str], found: list[Problem]) -> str:
    if value not in allowed:
        facts = {"why": "choice", "value": shown(value), "allowed": tuple(allowed)}
        found.append(Problem("E_FORM", facts, (name,)))
    return value


def _day(name: str, text: str | None, usual: str, found: list[Problem]) -> str:
    try:
        return date.fromisoformat(text).isoformat() if text else usual
    except ValueError:
        found.append(Problem("E_FORM", {"why": "date", "value": shown(text or "")}, (name,)))
        return usual


def _rounds(text: str, found: list[Problem]) -> int:
    if text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= MOST_ROUNDS:
        return int(text)
    facts = {"why": "range", "least": 0, "most": MOST_ROUNDS}
    found.append(Problem("E_FORM", facts, ("min_rounds",)))
    return 0


# ---- in words ------------------------------------------------------------------------


def span_words(span: Span, lang: Language) -> str:
    """``2026``, ``ab 1. März 2026``, or nothing for all evenings."""
    first, last = span.first, span.last
    if (first, last) == (FIRST_DAY, LAST_DAY):
        return lang("season.always")
    if first[:4] == last[:4] and (first[4:], last[4:]) == ("-01-01", "-12-31"):
        return first[:4]
    if last == LAST_DAY:
        return lang("season.since", day=lang.day(first))
    if first == FIRST_DAY:
        return lang("season.until", day=lang.day(last))
    return lang("season.between", first=lang.day(first), last=lang.day(last))


def value_words(value: Value, table: Season, lang: Language) -> str:
    """What a table is ordered by, as the reader writes it; an average with one decimal."""
    question = table.question
    if value is None:
        return lang("season.nothing")
    if question.by == "money":
        return lang.money(Fraction(value), question.unit or "", True, table.decimals)
    if question.by == "average":
        return lang.tenths(Fraction(value), signed=True)
    return lang.number(int(value), signed=question.by != "wins")


def member_name(group: Group, member: int, lang: Language) -> str:
    """A member's name, or his number where the name was erased."""
    return group.players[member] or lang("groups.erased", number=member + 1)


def named(game: Game, group: Group, lang: Language) -> Game:
    """An evening of the group, its players called as the group calls them."""
    members = enumerate(group.evenings[game.id].members)
    names = {f"name.{seat}": member_name(group, member, lang) for seat, member in members}
    return replace(game, texts={**game.texts, **names})


def story_words(game: Game, lang: Language) -> Iterator[str]:
    """The story of an evening in sentences; a lead that wandered is told in one."""
    moments = list(story(game.sheet))
    leads = [moment for moment in moments if moment.code == "lead"]
    if len(leads) > MOST_LEADS:
        yield lang("season.story.leads", n=len(leads))
    for moment in moments:
        if moment.code != "lead" or len(leads) <= MOST_LEADS:
            yield moment_words(game, moment, lang)


def moment_words(game: Game, moment: Moment, lang: Language) -> str:
    """A moment of an evening as a sentence."""
    facts, key = moment.facts, f"season.story.{moment.code}"
    sides = {
        name: game.sides[facts[fact]]
        for fact, name in (("side", "player"), ("before", "before"))
        if fact in facts
    }
    points = facts.get("points", 0)
    if moment.code == "biggest" and (game.rules.rank.measure == "minus" or points < 0):
        key += ".minus"
    elif moment.code in ("closest", "gap") and not points:
        key += ".level"
    return lang(key, **{**facts, **sides, "n": abs(points)})


def order_words(season: Season, lang: Language) -> Iterator[str]:
    """What the table is ordered by, who is listed apart, and what was left out."""
    question = season.question
    yield lang(f"season.order.{question.by}")
    if question.span.family:
        yield lang(f"season.only.{question.span.family}")
    if season.apart:
        yield lang("season.apart", least=max(question.min_rounds, 1))
