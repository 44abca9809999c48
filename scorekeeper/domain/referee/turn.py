"""A whole turn: drawing, order, claim, discard, glass, whose turn it is (RULES 10.4).

Every fact is optional, and facts that are not stated are not judged. Each rule has one
function; ``check_turn`` calls them all, and the referee of the table (10.1 to 10.3).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem, RuleError, has_errors
from scorekeeper.domain.referee.facts import Turn
from scorekeeper.domain.referee.findings import against, beyond_deck, not_in_deck, physical
from scorekeeper.domain.referee.steps import after_steps
from scorekeeper.domain.referee.table_change import TableChange, check_change
from scorekeeper.domain.rounds.checks import FAMILY_OUTCOMES
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rounds.glass import MIN_CARDS, caught, check_glass, sequences_left
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.kinds import MAX_PLAYERS

SMALL_TABLE = 3
"""The most players at a small table ([001] §9j)."""
ONE_CARD = (("stock",), ("discard",))
"""The sources that a turn may draw from."""
TWO_CARDS = (("stock", "stock"), ("discard", "stock", "stock"))
"""The same at a small table: two cards from the stock, also if the discard is taken."""

WHYS = (
    "E_NOT_IN_TURN.laid",
    "E_NOT_IN_TURN.claimed",  # card: the claimant lays nothing before their own turn
    "E_NOT_IN_TURN.drawn",
    "E_NOT_IN_TURN.discarded",  # card
    "E_NOT_IN_TURN.hirschn",
    "E_NOT_IN_TURN.glass",
    "E_NOT_IN_TURN.knock",
    "E_NO_LAYING.out",  # melds are laid only by the player who goes out
    "E_NO_LAYING.knock",  # the same, who knocks
    "E_NO_LAYING.moved",  # the last turn lays melds, but lays nothing off
    "E_KLOPFEN_OFF.turn",  # card
    "E_KLOPFEN_TOO_EARLY.turn",  # card
    "E_DISCARD_MISSING.unknown",  # missing, no matter how many cards are left
    "E_DUPLICATE_CARD.turn",  # card, count, most
    "E_DUPLICATE_CARD.caught_group",  # rank, cards: too many of the rank are elsewhere
    "E_DUPLICATE_CARD.caught_sequence",  # suit, cards: no three others of the suit are in a row
    "E_DISCARD_NOT_MELDED.discarded",  # card: it was discarded again
    "E_DISCARD_REQUIRED.turn",
    "E_HIRSCHN.turn",
    "E_RULE_OFF.knock",
)
"""The reasons why a turn is refused. Without ``why``: E_KLOPFEN_REFUSED,
E_KLOPFEN_NOT_MELDED, E_DISCARD_NOT_MELDED, E_RETURNED, W_RETURNED (card), E_NOT_DRAWN,
E_DRAWN_TWICE (count), E_DRAWN_COUNT, E_CLAIM_PENALTY (card, needed), E_DRAW_FIRST,
E_DISCARD_MISSING (count), E_GLASS_AGAIN (count), E_RULE_OFF (option); and findings about an
attempt at the glass (E_GLASS). Every finding has ``clause``."""


def check_turn(turn: Turn, rules: RuleSet) -> tuple[Problem, ...]:
    """Return the findings about a turn (RULES 10)."""
    findings = [*check_cards(turn, rules)] or [*check_no_laying(turn, rules)]
    change = None
    if not findings:
        change, findings = check_table(turn, rules)
    for check in (
        check_in_turn,
        check_claim,
        check_penalty,
        check_drawn,
        check_order,
        check_discard,
        check_glass_attempts,
        check_hirschn,
    ):
        findings += check(turn, rules)
    findings += check_claimed_meld(turn, change, rules)
    findings += check_taken(turn, change, rules)
    findings += check_returned(turn, rules)
    return tuple(findings)


# --- the cards ----------------------------------------------------------------------------


def check_cards(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that no card of the turn occurs more often than in the deck (RULES 6.6.1, 10).

    A card that is named twice counts once: drawn or claimed, then played or discarded.
    """
    table, hand = _seen(turn)
    came, drawn = physical([hand]), _drawn(turn)
    taken_up = physical([turn.change.to_hand] if turn.change else [])  # it may be discarded again
    discarded = physical([turn.discard or ()]) - taken_up
    apart = discarded & drawn if turn.discard_is_drawn is False else Counter()
    played = came + discarded
    more_drawn = drawn - (played - apart)
    caught_cards, in_pile = _glass(turn, rules)
    passed_on = in_pile & physical([turn.taken])  # they lay in the pile and were drawn from it
    parts = (
        (physical(table) + came, ()),
        (discarded, ("discard",)),
        (more_drawn, ("claim",) if turn.claim and turn.drawn is None else ("drawn",)),
        (caught_cards + in_pile - passed_on, ("glass", 0)),
    )
    total: Counter[Card] = Counter()
    for cards, path in parts:
        total += cards
        known = Counter({card: total[card] for card in cards})
        for found in beyond_deck(known, rules):
            why = {"why": "turn"} if path and found.code == "E_DUPLICATE_CARD" else {}
            yield against(found.code, "6.6.1", path, **{**found.facts, **why})
        if path:
            yield from not_in_deck(cards, rules, path)
    yield from _check_caught(turn, total, rules)


def _seen(turn: Turn) -> tuple[list[Cards], Cards]:
    """Return the melds on the table before the turn, and the cards laid from the hand."""
    if turn.change is None:
        return list(turn.lying), ()
    return [meld.cards for meld in turn.change.before], turn.change.hand_used


def _drawn(turn: Turn) -> Counter[Card]:
    """Return the cards that came into the hand; a claimed card may also be listed as drawn."""
    drawn = physical([[draw.card for draw in turn.drawn or () if draw.card]])
    claimed = physical([[turn.claim.card]] if turn.claim else [])
    return drawn + (claimed - physical([turn.taken]))


def _glass(turn: Turn, rules: RuleSet) -> tuple[Counter[Card], Counter[Card]]:
    """Return the cards known to be caught in the first attempt, and the rest of its pile."""
    attempt = turn.glass[0] if turn.glass and rules.gin.glass else None
    if attempt is None:
        return Counter(), Counter()
    gone = Counter(card for card in caught(attempt) if card.suit)
    return gone, physical([attempt.pile or ()]) - gone


def _check_caught(turn: Turn, elsewhere: Counter[Card], rules: RuleSet) -> Iterator[Problem]:
    """Check that a meld caught in an unknown pile can be there, besides all other cards."""
    attempt = turn.glass[0] if turn.glass and rules.gin.glass else None
    if attempt is None or not attempt.hit or attempt.pile is not None:
        return
    packs, path = rules.deck.packs, ("glass", 0)
    if attempt.kind == "group" and attempt.rank:
        alike = tuple(card for card in elsewhere.elements() if card.rank is attempt.rank)
        if len(alike) + MIN_CARDS > 4 * packs:
            facts = {"why": "caught_group", "rank": attempt.rank, "cards": alike}
            yield against("E_DUPLICATE_CARD", "6.6.1", path, **facts)
    elif attempt.suit and not sequences_left(attempt.suit, elsewhere, packs):
        alike = tuple(sorted(card for card in elsewhere if card.suit is attempt.suit))
        facts = {"why": "caught_sequence", "suit": attempt.suit, "cards": alike}
        yield against("E_DUPLICATE_CARD", "6.6.1", path, **facts)


# --- the table ----------------------------------------------------------------------------


def check_no_laying(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that nothing is laid in the families without laying out before the round ends.

    [001] §8c, [003], [004]. In the last turn its player lays melds, but moves nothing else.
    """
    if rules.family == "lay" or not _lays(turn):
        return
    if not turn.may_end_round(rules):
        why = FAMILY_OUTCOMES[rules.family]
        yield against("E_NO_LAYING", "10 laying", ("after",), why=why)
    elif _moves_melds(turn):
        yield against("E_NO_LAYING", "10 laying", ("after",), why="moved")


def _moves_melds(turn: Turn) -> bool:
    """Return whether melds that were on the table have changed."""
    if turn.change is None or turn.steps:
        return any(step.move != "lay" for step in turn.steps or ())
    before, after = _melds(turn.change)
    return bool(before - after)


def check_table(turn: Turn, rules: RuleSet) -> tuple[TableChange | None, list[Problem]]:
    """Return the changes to the table, if they are stated, and the findings about them.

    A turn in which a player goes out without having laid before may be an ordinary first turn
    or a hand rommé (RULES 10.4); it is refused only as neither.
    """
    if turn.change is None:
        return None, []
    changes = [turn.change]
    if _may_be_hand_romme(turn, turn.change, rules):
        changes.append(replace(turn.change, hand_romme=True))
    found: list[Problem] = []
    judged: TableChange | None = None
    for change in changes:
        judged, found = _judged(change, turn, rules)
        if not has_errors(found):
            break
    return judged, found


def _may_be_hand_romme(turn: Turn, change: TableChange, rules: RuleSet) -> bool:
    """Return whether a player lays out for the first time, and goes out with that."""
    if turn.steps is None:
        lays_out = len(change.after) > len(change.before)
    else:
        lays_out = any(step.move == "lay" for step in turn.steps)
    return rules.hand_romme.enabled and not turn.has_laid and lays_out and turn.goes_out(rules)


def _judged(
    change: TableChange, turn: Turn, rules: RuleSet
) -> tuple[TableChange | None, list[Problem]]:
    """Return the changes after all steps, None if one is refused, and the findings."""
    try:
        done = change if turn.steps is None else after_steps(change, turn.steps, rules)
    except RuleError as error:
        return None, list(error.problems)
    return done, list(check_change(done, rules))


# --- whose turn it is ---------------------------------------------------------------------


def check_in_turn(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that only the player whose turn it is lays, draws, discards, calls and knocks.

    [000], [003], [004]. A claim takes its cards out of turn, but nothing is laid before the
    claimant's own turn.
    """
    if not turn.is_out_of_turn:
        return
    if _lays(turn):
        card = turn.claim and turn.claim.card
        why = "claimed" if turn.claim else "laid"
        yield against("E_NOT_IN_TURN", "10.4 turn", ("in_turn",), why=why, card=card)
    if turn.drawn and not turn.claim:
        yield against("E_NOT_IN_TURN", "10.4 turn", ("in_turn",), why="drawn")
    if turn.discard:
        facts = {"why": "discarded", "card": turn.discard[0]}
        yield against("E_NOT_IN_TURN", "10.4 turn", ("in_turn",), **facts)
    calls = {"hirschn": turn.hirschn, "glass": turn.glass, "knock": turn.knock}
    for why in (name for name, made in calls.items() if made):
        yield against("E_NOT_IN_TURN", "10.4 calls", ("in_turn",), why=why)


def _lays(turn: Turn) -> bool:
    """Return whether anything on the table was laid, laid off, swapped or moved."""
    if turn.steps or turn.change is None:
        return bool(turn.steps)
    before, after = _melds(turn.change)
    return bool(turn.change.hand_used) or before != after


def _melds(change: TableChange) -> tuple[Counter[object], Counter[object]]:
    """Return the melds before and after by their cards, without order."""
    before = (physical([meld.cards]) for meld in change.before)
    after = (physical([cards]) for cards in change.after)
    return _alike(before), _alike(after)


def _alike(melds: Iterator[Counter[Card]]) -> Counter[object]:
    return Counter(frozenset(meld.items()) for meld in melds)


# --- the claim ----------------------------------------------------------------------------


def check_claim(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that claims are played, that the player may claim, and that consent was given."""
    if turn.claim is None:
        return
    card, path = turn.claim.card, ("claim",)
    if rules.klopfen.mode == "off":
        yield against("E_KLOPFEN_OFF", "10.4 claim", path, why="turn", card=card)
        return
    if rules.klopfen.after_first_meld and not turn.has_laid:
        yield against("E_KLOPFEN_TOO_EARLY", "10.4 claim", path, why="turn", card=card)
    if rules.klopfen.consent and turn.claim.consent is False:
        yield against("E_KLOPFEN_REFUSED", "10.4 claim", ("claim", "consent"), card=card)


def check_penalty(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that a claim costs its cards from the stock ([000] one, [001] §9a two).

    The claimed card may be listed among the drawn ones.
    """
    if turn.claim is None or turn.drawn is None or any(check_claim(turn, rules)):
        return
    card, needed = turn.claim.card, rules.klopfen.extra_cards
    taken = [draw.card and draw.card.physical for draw in turn.drawn if draw.source == "discard"]
    if taken not in ([], [None], [card.physical]) or len(turn.drawn) - len(taken) != needed:
        yield against("E_CLAIM_PENALTY", "10.4 penalty", ("drawn",), card=card, needed=needed)


def check_claimed_meld(turn: Turn, change: TableChange | None, rules: RuleSet) -> Iterator[Problem]:
    """Check that a claim by [001] §9a is melded at once with at least two cards of the hand."""
    if turn.claim is None or change is None or turn.is_out_of_turn:
        return
    card = turn.claim.card.physical
    if rules.klopfen.mode == "rasche" and not _melds_with_two(card, change):
        yield against("E_KLOPFEN_NOT_MELDED", "10.4 claim", ("after",), card=card)


def _melds_with_two(card: Card, change: TableChange) -> bool:
    """Return whether a new meld holds the card and at least two others from the hand."""
    hand = physical([change.hand_used]) - Counter([card])
    old = [physical([meld.cards]) for meld in change.before]
    for meld in (physical([cards]) for cards in change.after):
        from_hand = (meld - Counter([card])) & hand
        if meld[card] and from_hand.total() >= 2 and not any(cards <= meld for cards in old):
            return True
    return False


# --- drawing ------------------------------------------------------------------------------


def check_drawn(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check the cards drawn: one ([000], [002]), or two from the stock ([001] §9j).

    The cards drawn with a claim are its penalty.
    """
    claims = turn.claim and rules.klopfen.mode != "off"
    if turn.drawn is None or turn.is_out_of_turn or claims:
        return
    if not turn.drawn:
        yield against("E_NOT_DRAWN", "10.4 draw", ("drawn",))
    elif tuple(draw.source for draw in turn.drawn) not in _draws(rules, turn.players):
        if draws_two(rules, turn.players):
            yield against("E_DRAWN_COUNT", "10.4 two", ("drawn",))
        else:
            yield against("E_DRAWN_TWICE", "10.4 draw", ("drawn",), count=len(turn.drawn))


def draws_two(rules: RuleSet, players: int | None) -> bool:
    """Return whether every turn draws two cards; a table of unknown size counts as small."""
    return rules.draw.two_small_table and (players is None or players <= SMALL_TABLE)


def _draws(rules: RuleSet, players: int | None) -> tuple[tuple[str, ...], ...]:
    """Return the sources that a turn may draw from, in order.

    At a table of unknown size one card may be right, too.
    """
    if not draws_two(rules, players):
        return ONE_CARD
    return TWO_CARDS if players else (*ONE_CARD, *TWO_CARDS)


def check_order(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that drawing comes before melds ([002])."""
    if turn.laid_before_drawing and not turn.is_out_of_turn:
        yield against("E_DRAW_FIRST", "10.4 draw", ("laid_before_drawing",))


# --- the card from the discard pile -------------------------------------------------------


def check_taken(turn: Turn, change: TableChange | None, rules: RuleSet) -> Iterator[Problem]:
    """Check that a card from the discard pile is in a meld after the turn ([001] §8b)."""
    if not rules.draw.discard_only_to_meld:
        return
    for card in turn.taken:
        if _is_returned(card, turn, rules) is True:
            path = ("discard",)
            yield against("E_DISCARD_NOT_MELDED", "10.4 taken", path, why="discarded", card=card)
        elif change is not None and not _comes_to_table(card, change):
            yield against("E_DISCARD_NOT_MELDED", "10.4 taken", ("after",), card=card)


def _comes_to_table(card: Card, change: TableChange) -> bool:
    """Return whether the table has more copies of this card than before."""
    lay = physical(meld.cards for meld in change.before)[card.physical]
    return physical(change.after)[card.physical] > lay


def check_returned(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that a card from the discard pile is not discarded in the same turn ([002])."""
    if not rules.draw.no_immediate_return:
        return
    for card in turn.taken[:1] if len(set(turn.taken)) == 1 else turn.taken:
        is_returned = _is_returned(card, turn, rules)
        if is_returned:
            yield against("E_RETURNED", "10.4 returned", ("discard",), card=card)
        elif is_returned is None:
            yield against("W_RETURNED", "10.4 returned", ("discard",), card=card)


def _is_returned(card: Card, turn: Turn, rules: RuleSet) -> bool | None:
    """Return whether the discard is the card that was drawn; None: it may be its duplicate."""
    if not turn.discard or turn.discard[0].physical != card.physical:
        return False
    copies = rules.deck.jokers if card.is_joker else rules.deck.packs
    return True if copies == 1 else turn.discard_is_drawn


# --- the end of the turn ------------------------------------------------------------------


def check_discard(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that the turn ended with a discard, if one is required.

    Only a player who goes out may need none, and a knocker in gin always discards ([003]).
    """
    if turn.discard != () or turn.is_out_of_turn:
        return
    is_required = rules.out.discard_required or (rules.family == "gin" and bool(turn.knock))
    if turn.hand_left is None:
        if is_required:
            yield against("E_DISCARD_MISSING", "10.4 discard", ("discard",), why="unknown")
    elif turn.hand_left and (is_required or not turn.goes_out(rules)):
        yield against("E_DISCARD_MISSING", "10.4 discard", ("discard",), count=turn.hand_left)
    elif is_required:
        yield against("E_DISCARD_REQUIRED", "10.4 discard", ("discard",), why="turn")


def check_glass_attempts(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that there was only one attempt at the glass, and check the attempt ([003])."""
    attempts = turn.glass or ()
    if attempts and not rules.gin.glass:
        yield against("E_RULE_OFF", "6.1 off", ("glass",), option="gin.glass")
        return
    if len(attempts) > 1:
        yield against("E_GLASS_AGAIN", "10.4 glass", ("glass",), count=len(attempts))
    for k, attempt in enumerate(attempts):
        for found in check_glass(attempt, k, players=MAX_PLAYERS):
            yield against(found.code, "10.4 glass", found.path, **found.facts)


def check_hirschn(turn: Turn, rules: RuleSet) -> Iterator[Problem]:
    """Check that the call of Hirschn! and the knock were not in the same turn ([003])."""
    if turn.hirschn and not rules.gin.hirschn:
        yield against("E_RULE_OFF", "6.1 off", ("hirschn",), option="gin.hirschn")
    elif turn.hirschn and turn.knock:
        yield against("E_HIRSCHN", "10.4 hirschn", ("hirschn",), why="turn")
    if turn.knock and rules.family not in ("gin", "knock"):
        yield against("E_RULE_OFF", "6.1 off", ("knock",), why="knock")
