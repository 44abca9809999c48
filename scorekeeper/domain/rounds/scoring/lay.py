"""Rommé mit Auslegen: one goes out, the others count their hands (RULES 6.2, 7.1, 7.2)."""

from collections.abc import Iterator

from scorekeeper.domain.errors import Findings, Problem, problem
from scorekeeper.domain.melds import Meld, first_meld_points, hand_value
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import MeldRef, Round, ScoreLine, Seat, Swap, Verification
from scorekeeper.domain.rounds.scoring.receipt import Receipt
from scorekeeper.domain.rounds.scoring.table import Move, Moves, play, read_melds
from scorekeeper.domain.rules import RuleSet


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
    losers = [seat for seat in facts.present if seat != facts.winner]
    if facts.winner is None:  # the stock ran out, and everybody writes their hand
        for loser in losers:
            held, declared = _held(facts.seats[loser], rules)
            yield ScoreLine(seat=loser, reason="hand", minus=held, facts=declared)
        return
    if rules.score.mode == "winner_collects":  # [002]: the losers write nothing
        for loser in losers:
            held, declared = _held(facts.seats[loser], rules)
            yield ScoreLine(
                seat=facts.winner, reason="collected", plus=held, facts={"of": loser, **declared}
            )
        return
    factor = rules.hand_romme.factor if facts.hand_romme else 1
    yield from _rest(facts, rules)
    for loser in losers:
        held, declared = _held(facts.seats[loser], rules)
        yield ScoreLine(seat=loser, reason="hand", minus=held, facts=declared)
        if factor > 1:  # for all losers, whether they had laid out or not
            yield ScoreLine(
                seat=loser, reason="hand_romme", minus=held * (factor - 1), facts={"factor": factor}
            )
        if rules.score.mode == "minus_plus":
            yield ScoreLine(
                seat=facts.winner, reason="collected", plus=held * factor, facts={"of": loser}
            )
    if rules.score.winner_reduction:
        yield ScoreLine(
            seat=facts.winner, reason="reduction", reduction=rules.score.winner_reduction * factor
        )


def _rest(facts: Round, rules: RuleSet) -> Iterator[ScoreLine]:
    """Yield the winner's rest, which a hand rommé does not double (RULES 7.1.3)."""
    held, declared = _held(facts.seats[facts.winner or 0], rules)
    if held:
        yield ScoreLine(seat=facts.winner or 0, reason="rest", minus=held, facts=declared)


def _held(seat: Seat, rules: RuleSet) -> tuple[int, dict[str, object]]:
    """Return the points of a hand, and the facts that they come from."""
    if seat.points is not None:
        return seat.points, {"points": seat.points}
    return hand_value(seat.hand or (), rules), {"cards": seat.hand or ()}


def verifications(facts: Round) -> Iterator[Verification]:
    """Yield how each entry was checked; a hand rommé without its melds is only counted."""
    for seat in facts.seats:
        yield checks.verification_of(seat.hand, seat.points)
    if facts.hand_romme and facts.seats[facts.winner or 0].melds is None:
        yield "counted"


# ---- the checks ----------------------------------------------------------------------


def check(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check everything in RULES 6.6 that applies to family lay."""
    yield from checks.check_deck(facts, rules)
    yield from laid(facts, rules)[1]
    for i in facts.present:
        seat = facts.seats[i]
        yield from checks.check_ways(seat, rules, i, needed=i != facts.winner)
        yield from check_points(facts, rules, i)
        if i == facts.winner:
            rest, _ = _held(seat, rules)
            yield from checks.check_out(facts, rules, rest)
        else:
            yield from check_loser(facts, rules, i)
        yield from check_claims(seat, rules, i)
    if facts.hand_romme:
        yield from check_hand_romme(facts, rules)


def check_points(facts: Round, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Check that a hand can have these points; only players who are out have none (6.6.10)."""
    points = facts.seats[i].points
    if points is not None:
        possible = checks.possible_points(rules, hand_bounds(facts, rules, i)[1])
        out = i == facts.winner or rules.out.extra_turn
        yield from checks.check_points(i, "points", points, possible, zero=out)


def check_loser(facts: Round, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Check that a loser holds cards, and a possible number of them (RULES 6.6.3, 6.6.4)."""
    hand = facts.seats[i].hand
    if hand == () and not rules.out.extra_turn:
        yield problem("E_TWO_OUT", ("seats", i, "hand"), seat=i)
    elif hand:
        least, most = hand_bounds(facts, rules, i)
        yield from checks.check_count(facts, i, "hand", len(hand), least, most)


def hand_bounds(facts: Round, rules: RuleSet, i: int) -> tuple[int, int]:
    """Return the fewest and most cards that a loser can hold (RULES 6.6.3)."""
    laid, whole = has_laid(facts.seats[i]), checks.expected(facts, rules, i)
    return (whole if laid is False else 1), (whole - 3 if laid else whole)


def has_laid(seat: Seat) -> bool | None:
    """Return whether a player has laid out in this round; None if that is not stated."""
    return True if seat.all_melds or seat.layoffs else seat.laid


def check_claims(seat: Seat, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Refuse a claim knock before the first meld, if one is needed ([000] Klopfen)."""
    if seat.klopfen and rules.klopfen.after_first_meld and has_laid(seat) is False:
        yield problem("E_KLOPFEN_TOO_EARLY", ("seats", i, "klopfen"), seat=i)
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
        findings += wrong
        table |= {MeldRef(i, k): meld for k, meld in own.items()}
        if len(own) == len(seat.all_melds):
            findings += check_first_meld(facts, rules, i, list(own.values()))
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
    if rules.meld.first_min and seat.laid is False and not seat.all_melds:
        return problem("E_NOT_LAID", seat=i, card=move.card)
    if seat.turns == 1 and not may_move_at_once(rules, at_once=at_once):
        # Turns are only declared if two cards are drawn in every turn.
        return problem("E_NOT_LAID", why="one_turn", seat=i, card=move.card)
    return None


def may_move_at_once(rules: RuleSet, *, at_once: bool) -> bool:
    """Return whether cards may be laid off and jokers swapped in the turn of the first meld."""
    return at_once or not rules.meld.first_min or rules.layoff.first_turn
