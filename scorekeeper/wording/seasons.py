"""Wording of seasons and group evenings: spans, values, the story of an evening."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.game.story import story
from scorekeeper.domain.group.season import FIRST_DAY, LAST_DAY, Season, Span, Value
from scorekeeper.domain.group.state import Group
from scorekeeper.i18n import Language
from scorekeeper.wording.amounts import AmountFormat, sums_format
from scorekeeper.wording.endings import moment_words

MAX_LEADS = 4
"""More changes of the lead are summed up in one sentence."""


def span_words(span: Span, lang: Language) -> str:
    """Return a span of dates: ``2026``, ``ab 1. März 2026``."""
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
    """Return the value that orders a season table; averages have one decimal."""
    question = table.question
    if value is None:
        return lang("season.nothing")
    if question.by == "money":
        return money_format(table).words(Fraction(value), lang, signed=True)
    if question.by == "average":
        return lang.tenths(Fraction(value), signed=True)
    return lang.number(int(value), signed=question.by not in ("wins", "rating"))


def money_format(table: Season) -> AmountFormat:
    """Return how a table by money writes its amounts."""
    sums = [Fraction(one.value) for one in table.standings if one.value is not None]
    return sums_format(table.question.unit or "", sums)


def member_name(group: Group, member: int, lang: Language) -> str:
    """Return a member's name, or their number if the name was erased."""
    return group.players[member] or lang("groups.erased", number=member + 1)


def evening_title(title: str, began: str, preset: str, lang: Language) -> str:
    """Return the title of an evening, else its day; with the game unless ``preset`` is empty."""
    name = title or lang("pages.untitled", date=lang.date(began))
    return f"{name}, {lang.preset(preset)}" if preset else name


def with_member_names(game: Game, group: Group, lang: Language) -> Game:
    """Return an evening of the group with the players' names as members."""
    members = enumerate(group.evenings[game.id].members)
    names = {f"name.{seat}": member_name(group, member, lang) for seat, member in members}
    return replace(game, texts={**game.texts, **names})


def story_words(game: Game, lang: Language) -> Iterator[str]:
    """Yield the story of an evening in sentences."""
    moments = list(story(game.sheet))
    leads = [moment for moment in moments if moment.code == "lead"]
    if len(leads) > MAX_LEADS:
        yield lang("season.story.leads", n=len(leads))
    for moment in moments:
        if moment.code != "lead" or len(leads) <= MAX_LEADS:
            yield moment_words(f"season.story.{moment.code}", game, moment, lang)


def order_words(season: Season, lang: Language) -> Iterator[str]:
    """Yield the order of the table, its family filter, and who is listed without a rank."""
    question = season.question
    yield lang(f"season.order.{question.by}")
    if question.span.preset:
        yield lang("season.only", system=lang.preset(question.span.preset))
    elif question.span.family:
        yield lang(f"season.only.{question.span.family}")
    else:
        yield lang("season.any_system")
    if season.apart:
        yield lang("season.apart", least=max(question.min_rounds, 1))
