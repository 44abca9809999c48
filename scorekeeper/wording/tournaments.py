"""A tournament in the reader's words: entrants, tournament points, tie-breaks."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.tables import worth_of
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.tournament.scale import Line, TieBreak
from scorekeeper.domain.tournament.standings import Standing
from scorekeeper.domain.tournament.state import Tournament
from scorekeeper.i18n import Language
from scorekeeper.wording.amounts import amount_format


def entrant_names(group: Group, tournament: Tournament, lang: Language) -> tuple[str, ...]:
    """Return the names of all entrants; of a pair both, and a stand-in for an erased name."""
    players = group.players
    return tuple(
        " / ".join(players[member] or lang.seat(member) for member in entrant.members)
        for entrant in tournament.entrants
    )


def line_words(line: Line, lang: Language) -> str:
    """Return the reason of tournament points: ``2. Platz am Tisch``."""
    return lang(f"tournament.reason.{line.reason}", **line.facts)


def money_words(amount: Fraction, unit: str, lang: Language) -> str:
    """Return fees and prizes with their unit; whole cents are written in euro."""
    return amount_format(unit, smallest_coin(unit)).words(amount, lang)


def tie_break_words(tournament: Tournament, lang: Language) -> str:
    """Return what decides between equal points, in order; empty if nothing does."""
    breaks = tournament.plan.scale.tie_breaks
    names = [lang(f"tournament.tie.{_measured(name, tournament)}") for name in breaks]
    return lang("tournament.ties", names=", ".join(names)) if names else ""


def first_decision(
    found: Sequence[Standing], names: Sequence[str], tournament: Tournament, lang: Language
) -> str:
    """Return the first case in which a tie-break decided, with its numbers; empty if none did."""
    for better, other in pairwise(found):
        by = other.decided_by
        if by is None:
            continue
        who = {"better": names[better.entrant], "other": names[other.entrant]}
        if by in better.values:
            values = [_as_written(by, one.values[by], tournament) for one in (better, other)]
            numbers = {"first": lang.number(values[0]), "second": lang.number(values[1])}
            return lang(f"tournament.decided.{_measured(by, tournament)}", **who, **numbers)
        return lang(f"tournament.decided.{by}", **who)
    return ""


def _measured(name: TieBreak, tournament: Tournament) -> str:
    """Return a tie-break with its measure: of points fewer may be better."""
    fewer = name == "net" and tournament.plan.rules.rank.measure == "minus"
    return f"{name}.minus" if fewer else name


def _as_written(name: TieBreak, value: int, tournament: Tournament) -> int:
    """Return the value of a tie-break as it stands on the pad."""
    return worth_of(value, tournament.plan.rules) if name == "net" else value
