"""The statistics of a group, and the pages of a member and an evening."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flask import abort, request

from scorekeeper.domain.group.season import Figures, Span
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.units import in_unit, moneys
from scorekeeper.export.charts import ChartLine
from scorekeeper.services.statistics import Statistics, records, statistics
from scorekeeper.store.evenings import Best, StoredEvening
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import page, pages
from scorekeeper.web.pages.chart import Caption, Chart, chart, line_chart, thin_out
from scorekeeper.wording import pad
from scorekeeper.wording.amounts import sums_format
from scorekeeper.wording.seasons import member_name, story_words, with_member_names

MAX_LINES = 6
"""As many lines as can be told apart without colour, and as many columns as fit on a phone."""
LAST_EVENINGS = 10


@dataclass(frozen=True)
class ChosenSystem:
    """The rule system that a page of statistics is about.

    Points, hands and records of different systems cannot be compared, so a page shows one of
    them, as friends would: who is best at gin, and who at Scala 40 [dec].
    """

    presets: Sequence[str]
    """Those that were played, the most frequent first."""
    span: Span


def chosen_system(group_id: str, member: int | None = None) -> ChosenSystem:
    """Return the system of the query, or the one played most; without a choice, everything."""
    presets = ledger().seasons.choices(group_id, member=member).presets
    wanted = request.args.get("system")
    preset = wanted if wanted in presets else presets[0] if len(presets) > 1 else None
    return ChosenSystem(presets, Span(preset=preset))


@pages.get("/s/<group_id>/statistics")
def group_statistics(group_id: str) -> str:
    """Show who wins, how, and against whom, and the records."""
    group = ledger().group(group_id)
    chosen = chosen_system(group_id)
    numbers = statistics(ledger(), group_id, chosen.span)
    everybody = numbers.runs([figure.member for figure in numbers.figures])
    regulars = [figure.member for figure in numbers.figures[:MAX_LINES]]
    return page(
        "statistics.html",
        group=group,
        chosen=chosen,
        numbers=numbers,
        regulars=regulars,
        chart=points_chart(group, numbers, regulars),
        ends={one: run[-1][1] for one, run in everybody.items()},
        grid={(met.one, met.other): met for met in numbers.encounters},
        records=list(records_in_words(group, numbers, chosen.span)),
        extras=[
            name for name in EXTRAS if any(getattr(figure, name) for figure in numbers.figures)
        ],
        share=share,
        average_left=average_left,
    )


EXTRAS = ("hand_rommes", "gins", "undercuts")
"""Columns shown only if the event ever happened in the group."""


@pages.get("/s/<group_id>/m/<int:member>")
def member(group_id: str, member: int) -> str:
    """Show a member: figures, points over time, results against others, last evenings."""
    group = ledger().group(group_id)
    if member >= group.members:
        abort(404)
    chosen = chosen_system(group_id, member)
    numbers = statistics(ledger(), group_id, chosen.span, member=member)
    own = numbers.figures[0] if numbers.figures else None
    won = own.amounts if own else {}
    return page(
        "member.html",
        group=group,
        chosen=chosen,
        member=member,
        numbers=numbers,
        own=own,
        money={unit: in_unit(won, unit) for unit in moneys(won)},
        chart=points_chart(group, numbers, [member]),
        evenings=ledger().seasons.evenings(group_id, member=member, over=True, limit=LAST_EVENINGS),
        share=share,
        average_left=average_left,
        rank_in=rank_in,
        sums_format=sums_format,
    )


@pages.get("/s/<group_id>/e/<game_id>")
def evening(group_id: str, game_id: str) -> str:
    """Show an evening: its result, its chart and its story."""
    if ledger().group_of(game_id) != group_id:
        abort(404)
    group, lang = ledger().group(group_id), language()
    game = with_member_names(ledger().game(game_id), group, lang)
    return page(
        "evening.html",
        group=group,
        game=game,
        heads=pad.heads(game, lang),
        chart=chart(game, lang),
        story=list(story_words(game, lang)),
        winners=pad.winners(game, lang),
        why_over=pad.why_over(game, lang),
    )


# ---- pictures and numbers ------------------------------------------------------------


def points_chart(group: Group, numbers: Statistics, members: Sequence[int]) -> Chart | None:
    """Return the chart of points over time, summed up."""
    lang, runs, times = language(), numbers.runs(members), numbers.times
    if not runs:
        return None
    best = max(run[-1][1] for run in runs.values())
    ends = sorted(runs.items(), key=lambda pair: -pair[1][-1][1])
    return line_chart(
        [
            ChartLine(member_name(group, member, lang), thin_out(run), leads=run[-1][1] == best)
            for member, run in runs.items()
        ],
        [lang.month(at) for at in times],
        lang,
        Caption(
            lang("season.course"),
            ", ".join(
                f"{member_name(group, member, lang)} {lang.number(run[-1][1], signed=True)}"
                for member, run in ends
            ),
        ),
    )


def records_in_words(group: Group, numbers: Statistics, span: Span) -> Iterator[tuple[str, Best]]:
    """Yield the records as sentences, each with where it was set."""
    lang = language()
    best_of = dict[str, Best](records(ledger(), group.id, span))
    if best_of and numbers.best_evening:
        best_of["brought"] = numbers.best_evening
    for what, best in best_of.items():
        player = member_name(group, best.member, lang)
        yield lang(f"season.record.{what}", player=player, n=best.value), best


def share(part: int, whole: int) -> int:
    """Return a share in percent."""
    return round(Fraction(100 * part, whole)) if whole else 0


def average_left(one: Figures) -> str:
    """Return the average points left in lost rounds, with one decimal."""
    lang = language()
    if not one.lost:
        return lang("season.never")
    return lang.tenths(Fraction(one.left, one.lost))


def rank_in(stored: StoredEvening, member: int) -> int | None:
    """Return a member's rank in an evening."""
    results = zip(stored.seating.members, stored.evening.results, strict=True)
    return next((result.rank for one, result in results if one == member), None)
