"""Rommé ohne Auslegen: the winner shows all melds, then the others meld (RULES 6.3, 7.3)."""

from collections.abc import Iterator
from dataclasses import replace

from scorekeeper.domain.errors import Findings, Problem, problem
from scorekeeper.domain.melds import hand_value
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import Round, ScoreLine, Seat
from scorekeeper.domain.rounds.scoring.holding import (
    Holding,
    check_declared_melds,
    own_melds,
    quick,
)
from scorekeeper.domain.rounds.scoring.receipt import Receipt
from scorekeeper.domain.rounds.scoring.table import read_melds
from scorekeeper.domain.rules import RuleSet


def score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Check a round of family hand and return its receipt."""
    holdings: dict[int, Holding] = {}
    findings += checks.check_deck(facts, rules)
    for i in facts.present:
        seat = facts.seats[i]
        whole = checks.expected(facts, rules, i)
        findings += check_no_lay_offs(seat, i)
        if i == facts.winner:
            findings += checks.check_ways(seat, rules, i, needed=False)
            holdings[i] = winner_rest(seat, rules, whole, i)
            findings += checks.check_out(facts, rules, holdings[i].points)
            findings += check_winner_count(facts, rules, whole)
        else:
            findings += check_declared_melds(seat, rules, i)
            melds = rules.out.opponent_melds != "none"
            holdings[i] = quick(seat, rules, whole, i) or own_melds(seat, rules, i, melds=melds)
            findings += check_loser_count(facts, whole, i)
        findings += holdings[i].findings
    findings.refuse_errors()
    return Receipt(
        winner=facts.winner,
        lines=tuple(price(facts, rules, holdings)),
        verifications=tuple(holding.verification for holding in holdings.values()),
    )


def price(facts: Round, rules: RuleSet, holdings: dict[int, Holding]) -> Iterator[ScoreLine]:
    """Yield what each player has left, the winner included; nothing is doubled (RULES 7.3)."""
    for i, holding in holdings.items():
        reason = "rest" if i == facts.winner else "unmelded"
        if holding.points or i != facts.winner:
            yield ScoreLine(seat=i, reason=reason, minus=holding.points, facts=holding.facts)
    if rules.score.winner_reduction and facts.winner is not None:
        yield ScoreLine(
            seat=facts.winner, reason="reduction", reduction=rules.score.winner_reduction
        )


def winner_rest(seat: Seat, rules: RuleSet, whole: int, i: int) -> Holding:
    """Return the winner's rest: their ``hand`` lists only the rest, not all cards (RULES 6.3)."""
    melds, findings = read_melds(seat, rules, i)
    rest = seat.hand or ()
    held = quick(seat, rules, whole, i) or Holding(
        points=hand_value(rest, rules), rest=rest, verification=checks.verification_of(rest, None)
    )
    if not seat.all_melds:
        return held
    return replace(held, melds=tuple(melds.values()), findings=(*held.findings, *findings))


def check_winner_count(facts: Round, rules: RuleSet, whole: int) -> Iterator[Problem]:
    """Check the number of cards in the winner's melds and rest (RULES 6.6.3)."""
    i = facts.winner or 0
    seat = facts.seats[i]
    rest = seat.hand if seat.hand is not None else seat.rest
    if seat.melds is None or (rest is None and seat.points is not None):
        return
    shown = sum(map(len, seat.melds)) + len(rest or ())
    least, most = checks.ender_bounds(seat, rules, whole)
    yield from checks.check_count(facts, i, "melds", shown, least, most)


def check_loser_count(facts: Round, whole: int, i: int) -> Iterator[Problem]:
    """Check that a loser lists all cards: only discards have left the hand (RULES 6.6.3)."""
    hand = facts.seats[i].hand
    if hand is not None:
        yield from checks.check_count(facts, i, "hand", len(hand), whole, whole)


def check_no_lay_offs(seat: Seat, i: int) -> Iterator[Problem]:
    """Refuse lay-offs, which these families do not have (RULES 7.3.2)."""
    for k, layoff in enumerate(seat.layoffs or ()):
        at = ("seats", i, "layoffs", k)
        yield problem("E_LAYOFF", at, why="none", seat=i, card=layoff.card)
