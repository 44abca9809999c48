"""Rommé mit Auslegen: one goes out, the others count their hands (RULES 6.2, 7.1, 7.2).

If the stock runs out, everybody may count (``stock.exhausted``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.errors import Findings, Problem, problem
from scorekeeper.domain.melds import Meld, card_value, first_meld_points, hand_value
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.contract import check_contract, short_of_contract
from scorekeeper.domain.rounds.facts import MeldRef, Round, ScoreLine, Seat, Swap, Verification
from scorekeeper.domain.rounds.scoring.holding import aces_without_suit
from scorekeeper.domain.rounds.scoring.receipt import Receipt, at_most
from scorekeeper.domain.rounds.scoring.table import Move, Moves, play, read_melds
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver import has_lives

MANY_CARDS = 1_000
"""More than any deck has."""


def score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Check a round of family lay and return its receipt."""
    findings += check(facts, rules)
    findings.refuse_errors()
    return Receipt(
        winner=facts.winner,
        lines=tuple(price(facts, rules)),
        verifications=tuple(verifications(facts)),
    )


# ---- the score -----------------------------------------------------------------------


def price(facts: Round, rules: RuleSet) -> Iterator[ScoreLine]:
    """Yield the lines of a round whose facts have been checked."""
    if rules.score.mode == "melded":
        yield from _melded(facts, rules)
        return
    winner = facts.winner
    losers = [seat for seat in facts.present if seat != winner]
    factor = rules.hand_romme.factor if facts.hand_romme else 1
    if rules.score.mode == "winner_collects":  # [002]: the losers write nothing
        if winner is not None:
            for loser in losers:
                yield from _collected(winner, loser, factor, facts.seats[loser], rules)
        return
    if winner is not None:
        yield from _rest(winner, facts.seats[winner], rules)
    for loser in losers:
        lines = tuple(_of_a_loser(facts, rules, loser, factor))
        yield from lines
        if rules.score.mode == "minus_plus" and winner is not None:
            minus = sum(line.minus for line in lines)
            yield ScoreLine(seat=winner, reason="collected", plus=minus, facts={"of": loser})
    if rules.score.winner_reduction and winner is not None:
        reduction = rules.score.winner_reduction * factor
        yield ScoreLine(seat=winner, reason="reduction", reduction=reduction)
    if facts.hand_romme and rules.score.out_bonus and winner is not None:
        yield ScoreLine(seat=winner, reason="out_bonus", plus=rules.score.out_bonus)


def _of_a_loser(facts: Round, rules: RuleSet, i: int, factor: int) -> Iterator[ScoreLine]:
    """Yield what a loser writes: the hand, more for a hand rommé, or the most there is."""
    seat = facts.seats[i]
    if rules.score.price_not_laid and seat.has_laid is False:
        line = ScoreLine(seat=i, reason="not_laid", minus=rules.score.price_not_laid)
    else:
        held, declared = _held(seat, rules)
        line = ScoreLine(seat=i, reason="hand", minus=held, facts=declared)
    whole = line if factor == 1 else replace(line, minus=line.minus * factor)
    if (capped := at_most(rules, whole)) is not whole:
        yield capped
        return
    yield line
    if factor > 1:  # for all losers, whether they had laid out or not
        more = line.minus * (factor - 1)
        yield ScoreLine(seat=i, reason="hand_romme", minus=more, facts={"factor": factor})


def _rest(winner: int, seat: Seat, rules: RuleSet) -> Iterator[ScoreLine]:
    """Yield the winner's rest, which a hand rommé does not double (RULES 7.1.3)."""
    held, declared = _held(seat, rules)
    if held:
        line = ScoreLine(seat=winner, reason="rest", minus=held, facts=declared)
        yield at_most(rules, line)


def _collected(
    winner: int, loser: int, factor: int, seat: Seat, rules: RuleSet
) -> Iterator[ScoreLine]:
    """Yield what the winner collects of a loser; a hand rommé multiplies it (RULES-MORE 7.4.2)."""
    held, declared = _held(seat, rules)
    yield ScoreLine(seat=winner, reason="collected", plus=held, facts={"of": loser, **declared})
    if factor > 1:
        more = held * (factor - 1)
        yield ScoreLine(seat=winner, reason="hand_romme", plus=more, facts={"factor": factor})


def _melded(facts: Round, rules: RuleSet) -> Iterator[ScoreLine]:
    """Yield what each player has laid, and holds (RULES-MORE 7.4.1)."""
    table, _ = laid(facts, rules)
    for i in facts.present:
        seat = facts.seats[i]
        plus, shown = laid_value(i, seat, table, rules)
        if plus:
            yield ScoreLine(seat=i, reason="laid", plus=plus, facts=shown)
        held, declared = _held(seat, rules)
        if held:
            yield ScoreLine(seat=i, reason="held", minus=held, facts=declared)


def laid_value(
    i: int, seat: Seat, table: Mapping[MeldRef, Meld], rules: RuleSet
) -> tuple[int, dict[str, object]]:
    """Return the points of all that a player has laid, and the facts that they come from.

    A card laid off counts for the player who laid it, whoever's meld it lies on.
    """
    if seat.laid_points is not None:
        return seat.laid_points, {"points": seat.laid_points}
    own = [(card, MeldRef(i, k)) for k, cards in enumerate(seat.all_melds) for card in cards]
    moves: tuple[Move, ...] = (*(seat.layoffs or ()), *(seat.swaps or ()))
    moved = [(move.card, move.meld) for move in moves]
    points = sum(value_laid(card, table[ref], rules) for card, ref in own + moved)
    shown: dict[str, object] = {"melds": seat.all_melds} if seat.all_melds else {}
    return points, shown | ({"laid_off": tuple(card for card, _ in moved)} if moved else {})


def value_laid(card: Card, meld: Meld, rules: RuleSet) -> int:
    """Return the points of a card laid: as in the hand, but 1 for an ace directly before a two."""
    if card.rank is Rank.ACE and meld.kind == "run":
        ranks = [place.at.rank for place in meld.places]
        if (Rank.ACE, Rank.TWO) in pairwise(ranks):
            return 1
    return card_value(card, rules)


def _held(seat: Seat, rules: RuleSet) -> tuple[int, dict[str, object]]:
    """Return the points of a hand, and the facts that they come from."""
    if seat.points is not None:
        return seat.points, {"points": seat.points}
    return hand_value(seat.hand or (), rules), {"cards": seat.hand or ()}


def verifications(facts: Round) -> Iterator[Verification]:
    """Yield how each entry was checked; a hand rommé without its melds is only counted."""
    for seat in facts.seats:
        yield checks.verification_of(seat.hand, seat.points)
        if seat.laid_points:
            yield "unverified"
    if facts.hand_romme and facts.seats[facts.winner or 0].melds is None:
        yield "counted"


# ---- the checks ----------------------------------------------------------------------


def check(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check everything in RULES 6.6 that applies to family lay."""
    yield from checks.check_deck(facts, rules)
    yield from aces_without_suit(facts, rules)
    yield from laid(facts, rules)[1]
    for i in facts.present:
        seat = facts.seats[i]
        nothing = rules.score.price_not_laid > 0 and seat.has_laid is False
        yield from checks.check_ways(seat, rules, i, needed=i != facts.winner and not nothing)
        if asks_laid(rules) and i != facts.winner and seat.has_laid is None:
            yield problem("E_LAID_MISSING", ("seats", i), seat=i)
        yield from check_points(facts, rules, i)
        if i == facts.winner:
            rest, _ = _held(seat, rules)
            yield from checks.check_out(facts, rules, rest)
        else:
            yield from check_loser(facts, rules, i)
        yield from check_claims(seat, rules, i)
        if rules.score.mode == "melded":
            yield from check_laid(seat, i)
    if facts.hand_romme:
        yield from check_hand_romme(facts, rules)


def asks_laid(rules: RuleSet) -> bool:
    """Return whether it must be known who has laid out: it has a price, or moves them on."""
    own_rows = bool(rules.round.plan) and rules.round.plan_by == "player"
    return rules.score.price_not_laid > 0 or own_rows


def check_laid(seat: Seat, i: int) -> Iterator[Problem]:
    """Check that a player says what they have laid, in one way (RULES-MORE 6, check 10)."""
    cards = bool(seat.all_melds or seat.layoffs or seat.swaps)
    if seat.laid_points is None and not cards and seat.laid is not False:
        yield problem("E_LAID_MISSING", ("seats", i), why="points", seat=i)
    elif seat.laid_points is not None and (cards or (seat.laid is False and seat.laid_points)):
        yield problem("E_FORM", ("seats", i, "laid_points"), why="laid_twice", seat=i)


def check_points(facts: Round, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Check that a hand can have these points; only players who are out have none (6.6.10)."""
    points = facts.seats[i].points
    yield from checks.check_cap(facts.seats[i], rules, i)
    if points is not None:
        possible = checks.possible_points(rules, most_held(facts, rules, i))
        out = i == facts.winner or rules.out.extra_turn
        yield from checks.check_points(i, "points", points, possible, zero=out)


def check_loser(facts: Round, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Check that a loser holds cards, and a possible number of them (RULES 6.6.3, 6.6.4)."""
    hand = facts.seats[i].hand
    if hand == () and not rules.out.extra_turn:
        yield problem("E_TWO_OUT", ("seats", i, "hand"), seat=i)
    elif hand and rules.score.mode != "melded":
        least, most = hand_bounds(facts, rules, i)
        yield from checks.check_count(facts, i, "hand", len(hand), least, most)


def hand_bounds(facts: Round, rules: RuleSet, i: int) -> tuple[int, int]:
    """Return the fewest and most cards that a loser can hold (RULES 6.6.3)."""
    laid, whole = facts.seats[i].has_laid, checks.expected(facts, rules, i)
    return (whole if laid is False else 1), (whole - 3 if laid else whole)


def most_held(facts: Round, rules: RuleSet, i: int) -> int:
    """Return the most cards that a player can hold.

    Where laid cards score, players may take up the whole discard pile (RULES-MORE 6, check 12).
    """
    return MANY_CARDS if rules.score.mode == "melded" else hand_bounds(facts, rules, i)[1]


def check_claims(seat: Seat, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Refuse a claim knock before the first meld, if one is needed ([000] Klopfen)."""
    if seat.klopfen and rules.klopfen.after_first_meld and seat.has_laid is False:
        yield problem("E_KLOPFEN_TOO_EARLY", ("seats", i, "klopfen"), seat=i)
    if seat.klopfen > (rules.klopfen.max or seat.klopfen):
        most = rules.klopfen.max
        yield problem(
            "E_KLOPFEN_LIMIT", ("seats", i, "klopfen"), seat=i, count=seat.klopfen, most=most
        )
    if seat.laid is False and seat.all_melds:
        yield problem("E_FORM", ("seats", i, "laid"), why="laid", seat=i)


def check_hand_romme(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that a hand rommé lays all cards at once, without earlier melds (RULES 6.2, 6.6.6)."""
    i = facts.winner or 0
    seat, at = facts.seats[i], ("seats", i)
    if not rules.hand_romme.enabled:
        yield problem("E_HANDROMME_OFF", ("hand_romme",))
        return
    if seat.first_meld or seat.laid:
        yield problem("E_HANDROMME_NOT_FIRST", (*at, "first_meld"), seat=i)
        return
    if seat.klopfen and rules.klopfen.mode != "off" and rules.klopfen.after_first_meld:
        # [000]: a player claims only after a first meld, which a hand rommé does not have.
        yield problem("E_HANDROMME_NOT_FIRST", (*at, "klopfen"), why="claim", seat=i)
        return
    if not rules.hand_romme.allow_layoff and (seat.layoffs or seat.swaps):
        place = (*at, "layoffs" if seat.layoffs else "swaps")
        yield problem("E_HANDROMME_LAYOFF", place, seat=i)
    elif seat.swaps:
        # RULES 10.4, newer and more specific than 3.4 [dec]: a hand rommé may lay off where
        # ``hand_romme.allow_layoff`` says so, but swaps no jokers. The referee says the same.
        yield problem("E_HANDROMME_LAYOFF", (*at, "swaps"), why="swap", seat=i)
    if seat.melds is None:
        yield problem("W_HANDROMME_UNCHECKED", ("hand_romme",), seat=i)
        return
    whole = checks.expected(facts, rules, i)
    shown = sum(
        map(len, (*seat.all_melds, seat.layoffs or (), seat.hand or (), seat.discard or ()))
    )
    unseen = seat.discard is None  # a discard that is not stated may still have been made
    yield from checks.check_count(facts, i, "melds", shown, whole + 1 - unseen, whole + 1)


def laid(facts: Round, rules: RuleSet) -> tuple[dict[MeldRef, Meld], list[Problem]]:
    """Return the melds on the table after every move that fits, and all other findings."""
    table: dict[MeldRef, Meld] = {}
    findings: list[Problem] = []
    for i, seat in enumerate(facts.seats):
        if not seat.all_melds:  # most rounds declare no melds
            continue
        own, wrong = read_melds(seat, rules, i)
        findings += short_of_contract(facts, rules, i, wrong)
        table |= {MeldRef(i, k): meld for k, meld in own.items()}
        if len(own) == len(seat.all_melds):
            findings += check_first_meld(facts, rules, i, list(own.values()))
            findings += check_contract(facts, rules, i, list(own.values()))
    findings += check_moves(facts, rules, table)
    return table, findings


def check_first_meld(facts: Round, rules: RuleSet, i: int, melds: list[Meld]) -> Iterator[Problem]:
    """Check that a player's first melds reach the minimum (RULES 5.5)."""
    seat, at = facts.seats[i], ("seats", i)
    at_once = facts.hand_romme and i == facts.winner
    first = melds if at_once else melds[: len(seat.first_meld or ())]
    limit = rules.meld.max_per_turn
    if limit and len(seat.first_meld or ()) > limit:
        yield problem("E_MELDS_PER_TURN", (*at, "first_meld"), seat=i, count=len(first), most=limit)
    if first and not has_lives(first, rules):
        pure, runs = rules.meld.lives
        place = (*at, "melds" if at_once else "first_meld")
        yield problem("E_LIVES", place, why="first", seat=i, pure=pure, runs=runs)
    waived = at_once and rules.hand_romme.waives_first_min
    nothing_first = seat.first_meld == () and bool(seat.melds)
    if not rules.meld.first_min or waived or not (first or nothing_first):
        return
    reached = first_meld_points(first, rules) if first else 0
    if reached < rules.meld.first_min:
        yield problem(
            "E_FIRST_MIN",
            (*at, "melds" if at_once else "first_meld"),
            why=rules.meld.first_scope,
            seat=i,
            reached=reached,
            needed=rules.meld.first_min,
        )


def check_moves(facts: Round, rules: RuleSet, table: dict[MeldRef, Meld]) -> Iterator[Problem]:
    """Check lay-offs and swaps, made in any order that is possible."""
    moves: Moves = []
    for i, seat in enumerate(facts.seats):
        declared: dict[str, tuple[Move, ...]] = {
            "swaps": seat.swaps or (),
            "layoffs": seat.layoffs or (),
        }
        for name, moved in declared.items():
            for k, move in enumerate(moved):
                at_once = facts.hand_romme and i == facts.winner
                refused = _not_allowed(seat, rules, i, move, at_once=at_once)
                if refused:
                    yield refused.under("seats", i, name, k)
                else:
                    moves.append((("seats", i, name, k), move))
    yield from play(moves, table, rules)


def _not_allowed(
    seat: Seat, rules: RuleSet, i: int, move: Move, *, at_once: bool
) -> Problem | None:
    """Return the finding against a move that the rules of this table never allow, or None."""
    if isinstance(move, Swap):
        code, scope = "E_SWAP_NOT_ALLOWED", rules.joker.swap
    else:
        code, scope = "E_LAYOFF", rules.layoff.scope
    if scope == "none" or (scope == "others" and move.meld.seat == i):
        return problem(code, why=scope, seat=i, card=move.card)
    opens = rules.meld.first_min or rules.meld.lives[1] or rules.has_contracts
    if opens and seat.laid is False and not seat.all_melds:
        return problem("E_NOT_LAID", seat=i, card=move.card)
    if seat.turns == 1 and not may_move_at_once(rules, at_once=at_once):
        # Turns are only declared if two cards are drawn in every turn.
        return problem("E_NOT_LAID", why="one_turn", seat=i, card=move.card)
    return None


def may_move_at_once(rules: RuleSet, *, at_once: bool) -> bool:
    """Return whether cards may be laid off and jokers swapped in the turn of the first meld."""
    return at_once or not rules.meld.first_min or rules.layoff.first_turn
