"""Rommé ohne Auslegen: the winner shows all melds, then the others meld (RULES 6.3, 7.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scorekeeper.domain.errors import Findings, Problem, has_errors, problem
from scorekeeper.domain.melds import Meld, hand_value
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import Round, ScoreLine, Seat
from scorekeeper.domain.rounds.scoring.holding import (
    Holding,
    aces_without_suit,
    better,
    check_declared_melds,
    own_melds,
    quick,
    without,
)
from scorekeeper.domain.rounds.scoring.receipt import Receipt, at_most
from scorekeeper.domain.rounds.scoring.table import lay_all, read_melds
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver import arrange, has_lives


def score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Check a round of family hand and return its receipt."""
    findings += checks.check_deck(facts, rules)
    findings += aces_without_suit(facts, rules)
    winner = None if facts.winner is None else winner_holding(facts, rules, facts.winner)
    table, misfits = laid_open(facts, rules, winner)
    holdings = {
        i: winner if winner and i == facts.winner else loser_holding(facts, rules, i, table)
        for i in facts.present
    }
    for holding in holdings.values():
        findings += holding.findings
    findings += misfits
    findings += check_room(facts, rules, holdings, table)
    if winner:
        findings += check_one_run(facts, rules, winner)
    findings.refuse_errors()
    return Receipt(
        winner=facts.winner,
        lines=tuple(price(facts, rules, holdings)),
        verifications=tuple(holding.verification for holding in holdings.values()),
    )


def winner_holding(facts: Round, rules: RuleSet, i: int) -> Holding:
    """Return what the winner has left, with all findings about the seat."""
    seat, whole = facts.seats[i], checks.expected(facts, rules, i)
    held = winner_rest(seat, rules, whole, i)
    findings = (
        *check_no_lay_offs(seat, i),
        *checks.check_ways(seat, rules, i, needed=False),
        *checks.check_out(facts, rules, held.points),
        *check_winner_count(facts, rules, whole),
        *check_lives(seat, rules, i, held),
    )
    return replace(held, findings=(*findings, *held.findings))


@dataclass(frozen=True)
class Table:
    """The winner's melds where losers may lay off on them."""

    shown: tuple[Meld, ...] = ()
    laid_on: tuple[Meld, ...] = ()
    """The same with all cards that losers say they have laid off."""


def laid_open(
    facts: Round, rules: RuleSet, winner: Holding | None
) -> tuple[Table, Sequence[Problem]]:
    """Return the melds that losers may lay off on, and wrong lay-offs (RULES-MORE 7.3.7)."""
    losers = [i for i in facts.present if i != facts.winner]
    if rules.out.opponent_melds != "own_and_layoff" or winner is None:
        return Table(), [found for i in losers for found in check_no_lay_offs(facts.seats[i], i)]
    if winner.nothing_left:
        return Table(), [
            problem("E_LAYOFF_GIN", ("seats", i, "layoffs"), seat=i, card=layoff.card)
            for i in losers
            for layoff in (facts.seats[i].layoffs or ())[:1]
        ]
    laid_on, misfits = lay_all(facts, losers, facts.winner or 0, winner.melds, rules)
    return Table(winner.melds, laid_on), () if has_errors(winner.findings) else misfits


def check_room(
    facts: Round, rules: RuleSet, holdings: dict[int, Holding], table: Table
) -> Iterator[Problem]:
    """Refuse cards that were each laid off in the best way if the melds cannot take them all.

    With two packs or jokers, two losers may have a card for the same place. [dec] Nobody says
    who comes first, so it is asked.
    """
    laid = [
        (i, card.physical)
        for i, held in holdings.items()
        if facts.seats[i].layoffs is None
        for card in held.laid_off
    ]
    if len({i for i, _ in laid}) < 2:
        return
    cards = [card for _, card in laid]
    for card in arrange(cards, rules, table.laid_on, melds=False).rest[:1]:
        i = max(seat for seat, own in laid if own == card.physical)
        yield problem("E_LAYOFF", ("seats", i, "hand"), why="taken", seat=i, card=card.physical)


def loser_holding(facts: Round, rules: RuleSet, i: int, table: Table) -> Holding:
    """Return what a loser has left after own melds and, where it is played, lay-offs (7.3.2)."""
    seat, whole = facts.seats[i], checks.expected(facts, rules, i)
    price = checks.drop_price(seat, rules)
    if price is not None:
        how = checks.dropped(seat)
        return Holding(points=price, reason="wrong" if how == "wrong" else f"drop_{how}")
    findings = (*check_declared_melds(seat, rules, i), *check_loser_count(facts, whole, i))
    held = quick(seat, rules, whole, i) or laid_down(seat, rules, i, table)
    return replace(held, findings=(*findings, *held.findings)) if findings else held


def laid_down(seat: Seat, rules: RuleSet, i: int, table: Table) -> Holding:
    """Return what is left of a hand: melds and lay-offs as stated, what is not stated at its best.

    Without the lives nothing may be laid off (RULES-MORE 7.3.3).
    """
    melds, hand, at = rules.out.opponent_melds != "none", seat.hand or (), ("seats", i, "layoffs")
    if not seat.layoffs and (seat.layoffs is None or not table.shown):
        return own_melds(seat, rules, i, melds=melds, table=table.laid_on)
    stated = [(move.card,) for move in seat.layoffs]
    left, missing = without(hand, stated, at)
    held = own_melds(replace(seat, hand=left), rules, i, melds=melds)
    if held.reason == "no_lives":
        return own_melds(replace(seat, layoffs=None), rules, i)
    found = [*missing, *(one for one in held.findings if one.code != "W_BETTER_ARRANGEMENT")]
    if not has_errors(found):
        found += better(hand, rules, held.points, at, i, table.shown)
    return replace(held, laid_off=sum(stated, ()), findings=tuple(found))


def price(facts: Round, rules: RuleSet, holdings: dict[int, Holding]) -> Iterator[ScoreLine]:
    """Yield what each player has left, the winner included; nothing is doubled (RULES 7.3)."""
    winner = facts.winner
    lines: list[ScoreLine] = []
    for i, holding in holdings.items():
        reason = holding.reason or ("rest" if i == winner else "unmelded")
        if holding.points or i != winner:
            lines.append(priced(facts, rules, i, holding, reason))
    yield from lines
    if winner is None:
        return
    for line in lines if rules.score.mode == "minus_plus" else ():
        if line.seat != winner:
            facts_of = {"of": line.seat}
            yield ScoreLine(seat=winner, reason="collected", plus=line.minus, facts=facts_of)
    if rules.score.winner_reduction:
        yield ScoreLine(seat=winner, reason="reduction", reduction=rules.score.winner_reduction)
    yield from out_bonus(facts, rules, holdings[winner])


def priced(facts: Round, rules: RuleSet, i: int, holding: Holding, reason: str) -> ScoreLine:
    """Return what a player writes: the rest up to the most there is, or the price of leaving."""
    if checks.dropped(facts.seats[i]):
        return ScoreLine(seat=i, reason=reason, minus=holding.points)
    line = ScoreLine(seat=i, reason=reason, minus=holding.points, facts=holding.facts)
    return at_most(rules, line)


def check_lives(seat: Seat, rules: RuleSet, i: int, held: Holding) -> Iterator[Problem]:
    """Check that the winner's melds have the lives; warn if there are no melds to look at."""
    if not rules.meld.lives[1]:
        return
    if seat.melds is None:
        yield problem("W_LIVES_UNCHECKED", ("seats", i), seat=i)
    elif not has_lives(held.melds, rules) and not has_errors(held.findings):
        pure, runs = rules.meld.lives
        yield problem("E_LIVES", ("seats", i, "melds"), seat=i, pure=pure, runs=runs)


def out_bonus(facts: Round, rules: RuleSet, winner: Holding) -> Iterator[ScoreLine]:
    """Yield the plus points of a winner with nothing left, or with one run (RULES-MORE 7.3.6)."""
    seat, one_run = facts.winner or 0, rules.out.one_run
    if one_run != "none" and is_one_run(facts, rules, winner):
        plus = one_run if isinstance(one_run, int) else rules.score.out_bonus
        yield ScoreLine(seat=seat, reason="one_run", plus=plus)
    elif rules.score.out_bonus and winner.nothing_left:
        yield ScoreLine(seat=seat, reason="out_bonus", plus=rules.score.out_bonus)


def is_one_run(facts: Round, rules: RuleSet, winner: Holding) -> bool:
    """Return whether all cards dealt to the winner are one run, as shown or else as stated."""
    if facts.seats[facts.winner or 0].melds is None:
        return bool(facts.one_run)
    whole = checks.expected(facts, rules, facts.winner or 0)
    runs = [len(meld.places) for meld in winner.melds if meld.kind == "run"]
    return winner.nothing_left and len(winner.melds) == 1 and runs == [whole]


def check_one_run(facts: Round, rules: RuleSet, winner: Holding) -> Iterator[Problem]:
    """Refuse a statement about one run that the winner's cards contradict."""
    if facts.one_run is None:
        return
    if facts.one_run and not winner.nothing_left:
        yield problem("E_ONE_RUN", ("one_run",), why="rest", seat=facts.winner)
    elif facts.one_run != is_one_run(facts, rules, winner):
        why = "melds" if facts.one_run else "is_one"
        yield problem("E_ONE_RUN", ("one_run",), why=why, seat=facts.winner)


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
