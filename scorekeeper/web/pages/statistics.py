"""What a group talks about: its statistics, a page per member, a page per evening."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flask import abort

from scorekeeper.domain.group import Group
from scorekeeper.domain.season import Figures
from scorekeeper.i18n.seasons import member_name, story_words, with_member_names
from scorekeeper.services.statistics import Statistics, records, statistics
from scorekeeper.store.evenings import Best, Kept
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages import pad
from scorekeeper.web.pages.blueprint import page, pages
from scorekeeper.web.pages.chart import Chart, Line, chart, drawn, thinned

MOST_LINES = 6
"""So many lines can be told apart without colour, and so many columns fit on a phone."""
LAST_EVENINGS = 10


@pages.get("/s/<group_id>/statistics")
def group_statistics(group_id: str) -> str:
    """Who wins, how, against whom; the records."""
    group, found = ledger().group(group_id), statistics(ledger(), group_id)
    everybody = found.runs([one.member for one in found.figures])
    regulars = [one.member for one in found.figures[:MOST_LINES]]
    return page(
        "statistics.html",
        group=group,
        found=found,
        regulars=regulars,
        chart=course(group, found, regulars),
        ends={one: run[-1][1] for one, run in everybody.items()},
        grid={(met.one, met.other): met for met in found.encounters},
        records=list(records_told(group, found)),
        extras=[name for name in EXTRAS if any(getattr(one, name) for one in found.figures)],
        share=share,
        average_left=average_left,
    )


EXTRAS = ("hand_rommes", "gins", "undercuts")
"""What not every group has: shown where it ever happened."""


@pages.get("/s/<group_id>/m/<int:member>")
def member(group_id: str, member: int) -> str:
    """One member: figures, points over time, head to head, the last evenings."""
    group = ledger().group(group_id)
    if member >= group.members:
        abort(404)
    found = statistics(ledger(), group_id, member=member)
    return page(
        "member.html",
        group=group,
        member=member,
        found=found,
        own=found.figures[0] if found.figures else None,
        chart=course(group, found, [member]),
        evenings=ledger().seasons.evenings(group_id, member=member, over=True, most=LAST_EVENINGS),
        share=share,
        average_left=average_left,
        place_of=place_of,
    )


@pages.get("/s/<group_id>/e/<game_id>")
def evening(group_id: str, game_id: str) -> str:
    """One evening: how it ended, how it went, and its story."""
    if ledger().seasons.group_of(game_id) != group_id:
        abort(404)
    group, lang = ledger().group(group_id), language()
    game = with_member_names(ledger().game(game_id), group, lang)
    return page(
        "evening.html",
        group=group,
        game=game,
        heads=pad.heads(game, lang),
        chart=chart(game, lang, 340, 220),
        story=list(story_words(game, lang)),
        why_over=pad.why_over(game, lang) if game.is_over else "",
    )


# ---- pictures and numbers ------------------------------------------------------------


def course(group: Group, found: Statistics, members: Sequence[int]) -> Chart | None:
    """Points over time: what everyone got from the others, added up."""
    lang, runs, days = language(), found.runs(members), found.days
    if not runs:
        return None
    best = max(run[-1][1] for run in runs.values())
    ends = sorted(runs.items(), key=lambda pair: -pair[1][-1][1])
    return drawn(
        [
            Line(member_name(group, member, lang), thinned(run), leads=run[-1][1] == best)
            for member, run in runs.items()
        ],
        [lang.month(day) for day in days],
        lang,
        title=lang("season.course"),
        words=", ".join(
            f"{member_name(group, member, lang)} {lang.number(run[-1][1], signed=True)}"
            for member, run in ends
        ),
    )


def records_told(group: Group, found: Statistics) -> Iterator[tuple[str, Best]]:
    """The records as sentences, each with where it was set."""
    lang = language()
    best_of = dict[str, Best](records(ledger(), group.id))
    if found.brought:
        best_of["brought"] = found.brought
    for what, best in best_of.items():
        player = member_name(group, best.member, lang)
        yield lang(f"season.record.{what}", player=player, n=best.value), best


def share(part: int, whole: int) -> int:
    """A part in percent."""
    return round(Fraction(100 * part, whole)) if whole else 0


def average_left(one: Figures) -> str:
    """What was left on hand in a round lost, with one decimal."""
    lang = language()
    if not one.lost:
        return lang("season.never")
    return lang.tenths(Fraction(one.left, one.lost))


def place_of(kept: Kept, member: int) -> int | None:
    """How a member ended an evening."""
    results = zip(kept.seating.members, kept.evening.results, strict=True)
    return next((result.rank for one, result in results if one == member), None)
