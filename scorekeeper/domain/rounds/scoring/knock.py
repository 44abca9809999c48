"""Knock Rummy: players pay the difference to the lowest count (RULES 6.5, 7.7)."""

from collections.abc import Iterator

from scorekeeper.domain.errors import Findings, Problem, problem
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import Round, ScoreLine
from scorekeeper.domain.rounds.scoring.hand import check_no_lay_offs
from scorekeeper.domain.rounds.scoring.holding import (
    Holding,
    check_declared_melds,
    own_melds,
    quick,
)
from scorekeeper.domain.rounds.scoring.receipt import Receipt
from scorekeeper.domain.rules import RuleSet


def score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Check a round of Knock Rummy and return its receipt, which adds up to zero."""
    assert facts.knocker is not None
    dealt = rules.deal.to(len(facts.present))
    holdings: dict[int, Holding] = {}
    findings += checks.check_deck(facts, rules)
    for i in facts.present:
        seat = facts.seats[i]
        findings += check_no_lay_offs(seat, i)
        findings += check_declared_melds(seat, rules, i)
        melds = i == facts.knocker or rules.out.opponent_melds != "none"
        holdings[i] = quick(seat, rules, dealt, i) or own_melds(seat, rules, i, melds=melds)
        findings += holdings[i].findings
        if seat.hand is not None:
            knocks = i == facts.knocker
            least, most = checks.ender_bounds(seat, rules, dealt) if knocks else (dealt, dealt)
            findings += checks.check_count(facts, i, "hand", len(seat.hand), least, most)
    findings += checks.check_discard(facts.seats[facts.knocker], rules, facts.knocker)
    findings += check_knock_limit(facts, rules, holdings[facts.knocker])
    findings.refuse_errors()
    counts = {i: holdings[i].points for i in from_left(facts, facts.knocker)}
    rummy = holdings[facts.knocker].nothing_left
    winners = lowest(counts, facts.knocker, rummy=rummy and rules.knock.rummy_unbeatable)
    takers = winners if rules.knock.ties == "split" else winners[:1]
    lines = [
        *(ScoreLine(seat=i, reason="count", facts=h.facts) for i, h in holdings.items()),
        *price(counts, facts.knocker, winners, takers, rules, rummy=rummy),
    ]
    return Receipt(
        winner=takers[0] if len(takers) == 1 else None,  # a split round has no winner
        lines=tuple(lines),
        verifications=tuple(holding.verification for holding in holdings.values()),
    )


def check_knock_limit(facts: Round, rules: RuleSet, holding: Holding) -> Iterator[Problem]:
    """Refuse a knock above the limit, if the table has one (RULES 6.6.8)."""
    limit = rules.knock.limit
    if limit is not None and holding.points > limit:
        at = ("seats", facts.knocker or 0)
        yield problem("E_KNOCK_LIMIT", at, seat=facts.knocker, reached=holding.points, most=limit)


def from_left(facts: Round, knocker: int) -> list[int]:
    """Return who played, in the order in which they sat, from the left of the knocker on."""
    place = facts.clockwise.index(knocker) + 1
    around = (*facts.clockwise[place:], *facts.clockwise[:place])
    return [seat for seat in around if seat in facts.present]


def lowest(counts: dict[int, int], knocker: int, *, rummy: bool) -> list[int]:
    """Return the winners, from the left of the knocker, who wins no tie (RULES 7.7.1, 2).

    So the counts must be in the order of ``from_left``.
    """
    least = min(counts.values())
    others = [i for i, count in counts.items() if count == least and i != knocker]
    return [knocker] if rummy or not others else others


def price(
    counts: dict[int, int],
    knocker: int,
    winners: list[int],
    takers: list[int],
    rules: RuleSet,
    *,
    rummy: bool,
) -> Iterator[ScoreLine]:
    """Yield the payments, the difference to the lowest count, and the pot (RULES 7.7.3-5)."""
    least = min(counts.values())
    payments: list[tuple[int, str, int]] = [
        (i, "difference", counts[i] - least) for i in sorted(counts) if i not in winners
    ]
    if counts[knocker] > least:
        payments.append((knocker, "penalty", rules.knock.penalty))
    if rummy and winners == [knocker]:
        losers = [i for i in counts if i != knocker]
        payments += [(i, "rummy", bonus) for i, bonus in rummy_bonus(losers, rules)]
    for seat, reason, amount in payments:
        if amount:
            yield ScoreLine(seat=seat, reason=reason, minus=amount, facts={"least": least})
    pot = sum(amount for _, _, amount in payments)
    for place, seat in enumerate(takers):
        share = pot // len(takers) + (place < pot % len(takers))
        yield ScoreLine(
            seat=seat, reason="pot", plus=share, facts={"pot": pot, "shared": len(takers)}
        )


def rummy_bonus(losers: list[int], rules: RuleSet) -> Iterator[tuple[int, int]]:
    """Yield each opponent's part of the bonus for rummy: all of it, or a share ([004], [dec])."""
    bonus = rules.knock.rummy_bonus
    for place, seat in enumerate(losers):
        if rules.knock.rummy_bonus_from == "each":
            yield seat, bonus
        else:
            yield seat, bonus // len(losers) + (place < bonus % len(losers))
