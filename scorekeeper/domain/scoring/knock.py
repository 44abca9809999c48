"""Knock Rummy: whoever knocks should be lowest; each pays his difference (RULES 6.5, 7.7)."""

from collections.abc import Iterator

from scorekeeper.domain import checks
from scorekeeper.domain.errors import Findings, Problem
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Round, ScoreLine
from scorekeeper.domain.scoring.hand import no_lay_off
from scorekeeper.domain.scoring.holding import Holding, check_shown, own_melds, quick
from scorekeeper.domain.scoring.receipt import Receipt


def score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Check a round of Knock Rummy and price it; its net adds up to zero."""
    assert facts.knocker is not None
    dealt = rules.deal.to(len(facts.present))
    holdings: dict[int, Holding] = {}
    findings += checks.check_deck(facts, rules)
    for i in facts.present:
        seat = facts.seats[i]
        findings += no_lay_off(seat, i)
        findings += check_shown(seat, rules, i)
        melds = i == facts.knocker or rules.out.opponent_melds != "none"
        holdings[i] = quick(seat, rules, dealt, i) or own_melds(seat, rules, i, melds=melds)
        findings += holdings[i].findings
        if seat.hand is not None:
            knocks = i == facts.knocker
            least, most = checks.ender_bounds(seat, rules, dealt) if knocks else (dealt, dealt)
            findings += checks.check_count(facts, i, "hand", len(seat.hand), least, most)
    findings += checks.check_discard(facts.seats[facts.knocker], rules, facts.knocker)
    findings += knock_limit(facts, rules, holdings[facts.knocker])
    findings.refuse_errors()
    counts = {i: holding.points for i, holding in holdings.items()}
    rummy = holdings[facts.knocker].nothing_left
    winners = lowest(counts, facts.knocker, rummy=rummy and rules.knock.rummy_unbeatable)
    takers = winners if rules.knock.ties == "split" else winners[:1]
    lines = [
        *(ScoreLine(seat=i, reason="count", facts=h.facts) for i, h in holdings.items()),
        *price(counts, facts.knocker, winners, takers, rules, rummy=rummy),
    ]
    return Receipt(
        winner=takers[0] if len(takers) == 1 else None,  # a split round is nobody's win
        lines=tuple(lines),
        marks=tuple(holding.mark for holding in holdings.values()),
    )


def knock_limit(facts: Round, rules: RuleSet, holding: Holding) -> Iterator[Problem]:
    """Some tables allow a knock only up to a limit (RULES 6.6.8)."""
    limit = rules.knock.limit
    if limit is not None and holding.points > limit:
        at = ("seats", facts.knocker or 0)
        yield checks.problem(
            "E_KNOCK_LIMIT", at, seat=facts.knocker, reached=holding.points, most=limit
        )


def from_left(seat: int, seats: list[int]) -> list[int]:
    """Seats in their order, beginning left of one of them."""
    return sorted(seats, key=lambda other: (other <= seat, other))


def lowest(counts: dict[int, int], knocker: int, *, rummy: bool) -> list[int]:
    """Who wins, the first left of the knocker first: the knocker only alone (RULES 7.7.1, 2)."""
    least = min(counts.values())
    others = [i for i, count in counts.items() if count == least and i != knocker]
    if rummy or not others:
        return [knocker]
    return from_left(knocker, others)


def price(
    counts: dict[int, int],
    knocker: int,
    winners: list[int],
    takers: list[int],
    rules: RuleSet,
    *,
    rummy: bool,
) -> Iterator[ScoreLine]:
    """Everyone pays what he has more than the lowest, and the winners share it (RULES 7.7.3-5)."""
    least = min(counts.values())
    payments: list[tuple[int, str, int]] = [
        (i, "difference", count - least) for i, count in counts.items() if i not in winners
    ]
    if counts[knocker] > least:
        payments.append((knocker, "penalty", rules.knock.penalty))
    if rummy and winners == [knocker]:
        losers = from_left(knocker, [i for i in counts if i != knocker])
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
    """The bonus for rummy, from each opponent or shared out among them ([004], [dec])."""
    bonus = rules.knock.rummy_bonus
    for place, seat in enumerate(losers):
        if rules.knock.rummy_bonus_from == "each":
            yield seat, bonus
        else:
            yield seat, bonus // len(losers) + (place < bonus % len(losers))
