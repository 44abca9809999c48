"""Gin Rommé, for two and in teams, with every special rule (RULES 6.4, 7.4, 7.5).

A *side* is a player, or in teams two partners: the knocker's side plays against the
defending side. The winning side gets the difference in deadwood and the bonuses.
"""

from collections.abc import Collection, Iterator, Sequence

from scorekeeper.domain.cards.card import Rank, Suit
from scorekeeper.domain.errors import Findings, Problem, has_errors, problem
from scorekeeper.domain.melds import card_value
from scorekeeper.domain.rounds import checks
from scorekeeper.domain.rounds.facts import Round, ScoreLine
from scorekeeper.domain.rounds.scoring.glass import check_attempts
from scorekeeper.domain.rounds.scoring.holding import (
    check_declared_melds,
    suits_missing,
)
from scorekeeper.domain.rounds.scoring.receipt import Receipt
from scorekeeper.domain.rounds.scoring.showdown import (
    Showdown,
    any_joker,
    goes_out_whole,
    lay_down,
    side_of,
)
from scorekeeper.domain.rules import RuleSet


def score(facts: Round, rules: RuleSet, findings: Findings) -> Receipt:
    """Check a round of gin and return its receipt."""
    findings += check_facts(facts, rules)
    findings.refuse_errors()  # impossible cards are not arranged
    showdown = lay_down(facts, rules)
    for holding in showdown.holdings.values():
        findings += holding.findings
    findings += check_announced(facts, showdown)
    findings += check_knock(facts, rules, showdown)
    findings.refuse_errors()
    return Receipt(
        winner=winning_side(rules, showdown),
        lines=(*deadwood_lines(showdown), *price(facts, rules, showdown)),
        verifications=tuple(holding.verification for holding in showdown.holdings.values()),
    )


# ---- the declared facts --------------------------------------------------------------


def check_facts(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check the declared facts, before any cards are arranged."""
    yield from checks.check_deck(facts, rules)
    dealt = rules.deal.to(len(facts.seats))
    for i, seat in enumerate(facts.seats):
        at = ("seats", i)
        clashes = tuple(check_declared_melds(seat, rules, i))
        yield from clashes
        if seat.hand is not None and not clashes:
            yield from suits_missing(seat.hand, (*at, "hand"))
            most = dealt + (i == facts.knocker and goes_out_whole(facts, rules))
            yield from checks.check_count(facts, i, "hand", len(seat.hand), dealt, most)
        if seat.aces and not 0 <= seat.aces <= min(4, (seat.deadwood or 0) // rules.value.ace_hand):
            yield problem("E_POINTS", (*at, "aces"), why="aces", seat=i, value=seat.aces)
        if seat.announced is not None and seat.hand is None and seat.rest is None:
            yield problem("E_FORM", (*at, "announced"), why="announced", seat=i)
        if seat.layoffs and side_of(i) == side_of(facts.knocker or 0):
            yield problem("E_LAYOFF_KNOCKER", (*at, "layoffs"), seat=i)
    yield from check_last_discard(facts, rules)
    if rules.gin.oklahoma and facts.oklahoma_card is None:
        yield problem("E_OKLAHOMA_CARD", ("oklahoma_card",))
    yield from check_joker_discard(facts)
    yield from check_hirschn(facts)
    yield from check_attempts(facts, rules)


def check_last_discard(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that the knocker discards; big gin has no discard, and leaves none to make."""
    knocker = facts.knocker or 0
    seat = facts.seats[knocker]
    if not goes_out_whole(facts, rules):
        yield from checks.check_discard(seat, rules, knocker)
    elif seat.discard:
        yield problem("E_FORM", ("seats", knocker, "discard"), why="big_gin", seat=knocker)
    elif seat.hand is not None and len(seat.hand) <= rules.deal.to(len(facts.seats)):
        place = ("seats", knocker, "discard" if seat.discard == () else "hand")
        yield problem("E_DISCARD_REQUIRED", place, seat=knocker)


def check_joker_discard(facts: Round) -> Iterator[Problem]:
    """Check that ``joker_discarded`` agrees with the discard, if that is declared."""
    discard = facts.seats[facts.knocker or 0].discard
    if discard is not None and facts.joker_discarded not in (None, any_joker(discard)):
        yield problem("E_FORM", ("joker_discarded",), why="joker_discarded")


def check_hirschn(facts: Round) -> Iterator[Problem]:
    """Check that the caller knocks at least one turn after the call ([003] Hirschn!)."""
    call = facts.hirschn
    if call is None:
        return
    if call.caller >= len(facts.seats):
        yield problem("E_FORM", ("hirschn", "caller"), why="no_seat", seat=call.caller)
    elif call.caller == facts.knocker and call.turns_after == 0:
        yield problem("E_HIRSCHN", ("hirschn", "turns_after"), seat=call.caller)


# ---- after the knock -----------------------------------------------------------------


def check_announced(facts: Round, showdown: Showdown) -> Iterator[Problem]:
    """Warn if the announced deadwood differs from the cards, which count (RULES 6.4)."""
    for i, holding in showdown.holdings.items():
        announced = facts.seats[i].announced
        if announced is not None and announced != holding.points:
            at = ("seats", i, "announced")
            yield problem("W_ANNOUNCED", at, seat=i, announced=announced, held=holding.points)


def check_knock(facts: Round, rules: RuleSet, showdown: Showdown) -> Iterator[Problem]:
    """Check the knock limit and, with Tedesco, that the drawn discard is melded (6.6.8)."""
    shown = showdown.holdings[showdown.knocker]
    limit, why = knock_limit(facts, rules), "oklahoma" if rules.gin.oklahoma else "limit"
    if showdown.undiscarded:
        limit, why = 0, "big_gin"
    if not has_errors(shown.findings) and shown.points > limit:
        place = ("seats", showdown.knocker)
        if why == "big_gin" and not facts.big_gin:  # a knocker who does not claim it has to discard
            yield problem("E_DISCARD_REQUIRED", (*place, "discard"), seat=showdown.knocker)
        else:
            found = {"seat": showdown.knocker, "reached": shown.points, "most": limit}
            yield problem("E_KNOCK_LIMIT", place, why=why, **found)
    drawn = facts.drawn
    if drawn is None or drawn.source != "discard" or facts.seats[showdown.knocker].hand is None:
        return
    melded = {place.card for meld in shown.melds for place in meld.places}
    if drawn.card is not None and drawn.card.physical not in melded:
        yield problem("E_TEDESCO_DRAW", ("drawn", "card"), seat=showdown.knocker, card=drawn.card)


def knock_limit(facts: Round, rules: RuleSet) -> int:
    """Return the highest deadwood to knock; in Oklahoma, the turned-up card sets it (7.4.1)."""
    card = facts.oklahoma_card
    if not rules.gin.oklahoma or card is None or card.is_joker:
        return rules.gin.knock_limit
    return rules.gin.oklahoma_ace if card.rank == Rank.ACE else card_value(card, rules)


# ---- the score -----------------------------------------------------------------------


def deadwood_lines(showdown: Showdown) -> Iterator[ScoreLine]:
    """Yield lines without points that show the deadwood of each player."""
    for seat, holding in showdown.holdings.items():
        facts = {"of": seat, "held": holding.points, **holding.facts}
        yield ScoreLine(seat=side_of(seat), reason="deadwood", facts=facts)


def defended(rules: RuleSet, showdown: Showdown) -> int:
    """Return the defenders' deadwood, doubled if the knocker discarded a joker (7.4.5)."""
    factor = rules.gin.joker_discard_factor if showdown.joker_discarded else 1
    return showdown.deadwood(1 - side_of(showdown.knocker)) * factor


def winning_side(rules: RuleSet, showdown: Showdown) -> int:
    """Return the winning side: gin always wins, and a tie is an undercut (7.4.6)."""
    knocking = side_of(showdown.knocker)
    if showdown.gin or showdown.deadwood(knocking) < defended(rules, showdown):
        return knocking
    return 1 - knocking


def price(facts: Round, rules: RuleSet, showdown: Showdown) -> Iterator[ScoreLine]:
    """Yield the lines: difference, box, gin or undercut, Hirschn, glass (7.4.7-11)."""
    knocking, winner = side_of(showdown.knocker), winning_side(rules, showdown)
    own, others = showdown.deadwood(knocking), defended(rules, showdown)
    doubled = {"factor": rules.gin.joker_discard_factor} if showdown.joker_discarded else {}
    difference = ScoreLine(
        seat=winner,
        reason="difference",
        plus=abs(others - own),
        facts={"own": own, "others": others, **doubled},
    )
    bonus = ending_bonus(rules, showdown, winner=winner)
    yield difference
    yield from bonus
    yield from spades(facts, rules, (difference, *bonus))
    if has_boxes(rules):
        yield box_line(rules, winner, bonus)
    yield from hirschn(facts, rules, winner=winner)
    for attempt in facts.glass or ():
        caller = side_of(attempt.by)
        yield ScoreLine(
            seat=caller if attempt.hit else 1 - caller,
            reason="glass" if attempt.hit else "glass_missed",
            plus=rules.gin.glass_bonus,
            facts={"of": attempt.by},
        )


def ending_bonus(rules: RuleSet, showdown: Showdown, *, winner: int) -> tuple[ScoreLine, ...]:
    """Return the bonus for how the round ended: an undercut, gin or big gin; none for a knock.

    In teams, small gin is that of the knocker, big gin that of both partners (7.5); for two
    players, big gin is gin without a discard (RULES-MORE 7.6.1).
    """
    if winner != side_of(showdown.knocker):
        reason, plus = "undercut", rules.gin.undercut_bonus
    elif showdown.gin and rules.teams:
        reason, plus = "big_gin", rules.gin.team_big_gin
    elif showdown.gin and showdown.undiscarded:
        reason, plus = "big_gin", rules.gin.big_gin
    elif showdown.gin:
        reason, plus = "gin", rules.gin.gin_bonus
    elif rules.teams and showdown.holdings[showdown.knocker].nothing_left:
        reason, plus = "small_gin", rules.gin.team_small_gin
    else:
        return ()
    return (ScoreLine(seat=winner, reason=reason, plus=plus),)


def spades(facts: Round, rules: RuleSet, lines: Sequence[ScoreLine]) -> Iterator[ScoreLine]:
    """Yield what a turned-up spade adds to difference and bonus (RULES-MORE 7.6.2)."""
    factor, card = rules.gin.oklahoma_spades, facts.oklahoma_card
    if factor > 1 and card is not None and card.suit is Suit.SPADES:
        plus = (factor - 1) * sum(line.plus for line in lines)
        yield ScoreLine(seat=lines[0].seat, reason="spades", plus=plus, facts={"factor": factor})


EXTRA_BOXES = ("undercut", "gin", "big_gin")
"""The endings that ``gin.extra_boxes`` is about, in its order."""


def box_line(rules: RuleSet, winner: int, bonus: Sequence[ScoreLine]) -> ScoreLine:
    """Return the boxes of a round: one, and more for some endings (RULES-MORE 7.6.3).

    If boxes count when the game is over, the line only says how many there are.
    """
    boxes = boxes_for(rules, [line.reason for line in bonus])
    at_once = rules.gin.box_at == "hand"
    return ScoreLine(
        seat=winner,
        reason="box",
        plus=boxes * rules.gin.box_bonus if at_once else 0,
        facts={} if at_once and boxes == 1 else {"boxes": boxes},
    )


def boxes_for(rules: RuleSet, reasons: Collection[str]) -> int:
    """Return how many boxes a round brings that ended in these ways."""
    if not has_boxes(rules):
        return 0
    extra = zip(EXTRA_BOXES, rules.gin.extra_boxes, strict=True)
    return 1 + sum(more for reason, more in extra if reason in reasons)


def has_boxes(rules: RuleSet) -> bool:
    """Return whether there are boxes: the points limit is above ``gin.box_above_limit`` (7.4.8)."""
    if rules.end.mode not in ("points", "points_or_rounds"):
        return False
    return (rules.end.points or 0) > rules.gin.box_above_limit


def hirschn(facts: Round, rules: RuleSet, *, winner: int) -> Iterator[ScoreLine]:
    """Yield the bonus for a call of Hirschn!, or for the other side if it failed (7.4.10).

    The call pays if the caller knocks within three own turns and wins; it fails if they do not
    knock by then. A knock by the partner counts like one by an opponent (7.5).
    """
    call = facts.hirschn
    if call is None:
        return
    side, turns = side_of(call.caller), call.turns_after
    in_time = len(rules.gin.hirschn_bonus)
    about = {"of": call.caller, "turns": turns}
    if call.caller == facts.knocker and turns <= in_time:
        if winner == side:
            bonus = rules.gin.hirschn_bonus[turns - 1]
            yield ScoreLine(seat=side, reason="hirschn", plus=bonus, facts=about)
    elif turns >= in_time:
        fail = rules.gin.hirschn_fail
        yield ScoreLine(seat=1 - side, reason="hirschn_fail", plus=fail, facts=about)
