"""Season tables to print."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from scorekeeper.domain.group.season import Figures, Order, Question, Season, Span, standings
from scorekeeper.domain.group.state import Group

YEAR = Span(first="2026-01-01", last="2026-12-31")


def figures(member: int, worth: int, played: int = 96, **amounts: Fraction) -> Figures:
    zeros = dict.fromkeys(("minus", "plus", "hand_rommes", "gins", "undercuts", "left", "lost"), 0)
    nothing = dict.fromkeys(("best", "worst"))
    return Figures(
        member=member, evenings=12, evenings_won=3, worth=worth, league=0, played=played, won=31,
        streak=1, amounts=amounts, **zeros, **nothing,
    )  # fmt: skip


def season(
    names: Sequence[str], rows: Sequence[Figures], by: Order = "points", group: str = "Stammtisch",
    **options: int | str | None,
) -> Season:  # fmt: skip
    unit, least = str(options.get("unit", "ct")), int(options.get("min_rounds") or 0)
    texts: Mapping[str, str] = {f"member.{at}": name for at, name in enumerate(names)}
    return Season(
        Group(id="group", members=len(names), texts={"name": group, **texts}),
        Question(by=by, span=YEAR, unit=unit, min_rounds=least),
        standings(rows, by, unit=unit, min_rounds=least),
    )
