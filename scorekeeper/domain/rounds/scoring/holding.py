"""The cards left to a player after melds and lay-offs (families hand, gin and knock).

Declared melds are checked and used as declared; cards without declared melds are arranged
as well as possible (RULES 5.6, 6.1). A better arrangement only causes a warning.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.errors import Problem, Where, has_errors, problem
from scorekeeper.domain.melds import Meld, hand_value
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import Cards, Round, Seat, Verification
from scorekeeper.domain.rounds.scoring.table import read_melds
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver import (
    Arrangement,
    all_left,
    arrange,
    arrange_with_lives,
    has_lives,
)


@dataclass(frozen=True, kw_only=True)
class Holding:
    """The points that one seat has left, and the cards that they come from."""

    points: int
    rest: Cards | None = None
    """The cards left over; None if only points were given."""
    melds: tuple[Meld, ...] = ()
    laid_off: Cards = ()
    reason: str = ""
    """The reason of its line in the score, if it is a special one."""
    verification: Verification = "verified"
    findings: tuple[Problem, ...] = ()

    @property
    def nothing_left(self) -> bool:
        """Whether no card is unmatched or, if only points were given, no points are left."""
        return self.points == 0 if self.rest is None else not self.rest

    @property
    def facts(self) -> dict[str, object]:
        """The facts that a line of the score shows."""
        if self.rest is None:
            return {"points": self.points}
        shown = {"melds": tuple(meld.cards for meld in self.melds), "laid_off": self.laid_off}
        return {"cards": self.rest, **{name: value for name, value in shown.items() if value}}


def check_declared_melds(seat: Seat, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Check that a seat that declares melds or lay-offs lists all of its cards."""
    yield from checks.check_ways(seat, rules, i)
    if checks.ways_stated(seat, rules) and seat.hand is None:
        # Refuse facts that cannot be checked rather than ignore them [dec].
        for name in ("melds", "layoffs") if rules.family == "gin" else ("melds",):
            if getattr(seat, name):
                yield problem("E_FORM", ("seats", i, name), why="melds_without_hand", seat=i)


def quick(seat: Seat, rules: RuleSet, cards: int, i: int) -> Holding | None:
    """Return the holding of a seat that gave points or ranks; None if it gave cards.

    ``cards`` is the most cards that it can be left with.
    """
    name = checks.WAYS[rules.family][-1]
    points = getattr(seat, name)
    if points is not None:
        possible = checks.possible_points(rules, cards)
        findings = [
            *checks.check_cap(seat, rules, i),
            *checks.check_points(i, name, points, possible, zero=True),
        ]
        return Holding(points=points, verification="unverified", findings=tuple(findings))
    if seat.rest is not None:
        return Holding(
            points=hand_value(seat.rest, rules),
            rest=seat.rest,
            verification=checks.verification_of(seat.rest, None),
        )
    return None


def without(hand: Cards, used: Sequence[Cards], at: Where) -> tuple[Cards, list[Problem]]:
    """Return the rest of a hand, with E_NOT_IN_HAND or E_CARD_TWICE for missing cards (6.6.2)."""
    if not used:
        return tuple([card.physical for card in hand]), []
    left = Counter([card.physical for card in hand])
    findings: list[Problem] = []
    for k, cards in enumerate(used):
        for card in cards:
            if left[card.physical]:
                left[card.physical] -= 1
            else:
                there = card.physical in (other.physical for other in hand)
                code = "E_CARD_TWICE" if there else "E_NOT_IN_HAND"
                findings.append(problem(code, (*at, k), card=card.physical))
    return tuple(left.elements()), findings


def suits_missing(hand: Cards, at: Where) -> Iterator[Problem]:
    """Refuse a hand with ranks only, which cannot be melded (RULES 6.1)."""
    for card in hand:
        if not card.suit and card.is_bare:  # most have a suit, which is quicker to see
            yield problem("E_SUIT_NEEDED", at, rank=card, cards=hand)
            return


def aces_without_suit(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Refuse aces without a suit where red ones have a value of their own (RULES-MORE 6.9)."""
    if rules.value.ace_red is None:
        return
    for i, seat in enumerate(facts.seats):
        for name in ("hand", "rest"):
            cards = getattr(seat, name) or ()
            ace = next((card for card in cards if card.is_bare and card.rank is Rank.ACE), None)
            if ace:
                yield problem("E_SUIT_NEEDED", ("seats", i, name), why="ace", rank=ace, cards=cards)


def own_melds(
    seat: Seat, rules: RuleSet, i: int, *, melds: bool = True, table: Sequence[Meld] = ()
) -> Holding:
    """Return the rest of a hand after its own melds, as declared or the best possible ones.

    Without ``melds`` no melds are formed, and all cards are left (``out.opponent_melds``). Cards
    that are in none of them may also be laid off on the melds of ``table``.
    """
    hand, at = seat.hand or (), ("seats", i, "melds")
    findings = list(suits_missing(hand, ("seats", i, "hand")))
    if findings:
        return Holding(points=0, rest=(), findings=tuple(findings))
    if seat.melds is None:
        if melds and rules.meld.lives[1]:
            return _with_lives(hand, rules, table)
        return _holding(arrange(hand, rules, table, melds=melds))
    read, findings = read_melds(seat, rules, i)
    rest, missing = without(hand, seat.melds, at)
    findings += missing
    if not has_lives(read.values(), rules):
        lost = all_left(hand, rules)
        findings += [] if has_errors(findings) else better(hand, rules, lost.points, at, i)
        return _holding(lost, reason="no_lives", findings=tuple(findings))
    held = _holding(arrange(rest, rules, table, melds=False) if table else all_left(rest, rules))
    if not has_errors(findings):
        findings += better(hand, rules, held.points, at, i, table)
    return replace(held, melds=tuple(read.values()), findings=tuple(findings))


def _with_lives(hand: Cards, rules: RuleSet, table: Sequence[Meld]) -> Holding:
    """Return the rest of a hand with the lives it needs; without them every card counts."""
    best = arrange_with_lives(hand, rules, table)
    return _holding(best) if best else _holding(all_left(hand, rules), reason="no_lives")


def _holding(found: Arrangement, **more: Any) -> Holding:
    laid_off = tuple(card for card, _ in found.layoffs)
    return Holding(
        points=found.points, rest=found.rest, melds=found.melds, laid_off=laid_off, **more
    )


def better(
    hand: Cards, rules: RuleSet, points: int, at: Where, i: int, table: Sequence[Meld] = ()
) -> Iterator[Problem]:
    """Warn if there is a better arrangement; the declared one still counts (RULES 5.6)."""
    arranged = arrange_with_lives if rules.meld.lives[1] else arrange
    best = arranged(hand, rules, table)
    if best and best.points < points:
        yield problem(
            "W_BETTER_ARRANGEMENT", at, seat=i, reached=points, best=best.points, cards=best.rest
        )
