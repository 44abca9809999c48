"""Checks of the facts of a round before it is scored (RULES 6.6).

Every check yields findings: errors (E_...) refuse the round, warnings (W_...) are stored
with its score. No check changes a fact.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem, Where, problem
from scorekeeper.domain.melds import deck_values, ranks_of
from scorekeeper.domain.rounds.absences import check_absences, check_order
from scorekeeper.domain.rounds.facts import UNSCORED, Cards, Round, Seat, Verification
from scorekeeper.domain.rounds.glass import caught
from scorekeeper.domain.rules import OPTIONS, RuleSet

FAMILY_OUTCOMES = {"lay": "out", "hand": "out", "gin": "knock", "knock": "knock"}
SEAT_FACTS = {
    "lay": {"hand", "points", "first_meld", "melds", "layoffs", "swaps", "discard"}
    | {"klopfen", "laid", "laid_points", "turns"},
    "hand": {"hand", "rest", "points", "melds", "layoffs", "discard", "turns", "drop", "wrong"},
    "gin": {"hand", "rest", "deadwood", "aces", "announced", "melds", "layoffs", "discard"},
    "knock": {"hand", "rest", "count", "melds", "layoffs", "discard"},
}
"""The facts that a seat may have, by family; others belong to other games."""
OF_OPTIONS = {"absent", "aces", "turns", "klopfen", "laid_points"}
"""Facts that are refused with the name of the option that is off."""
NOTHING = Seat()
FACTS_OF_OTHERS = {
    family: [name for name in vars(NOTHING) if name not in known | OF_OPTIONS]
    for family, known in SEAT_FACTS.items()
}


# ---- the table: players present, end of the round ------------------------------------


def check_table(facts: Round, rules: RuleSet, players: int) -> Iterator[Problem]:
    """Check seats, outcome, absences, and facts of rules that are off (RULES 6.1, 6.2b)."""
    ends_with = FAMILY_OUTCOMES[rules.family]
    if facts.outcome not in (ends_with, "count", *UNSCORED):
        yield problem("E_FORM", ("outcome",), why="outcome", value=facts.outcome, allowed=ends_with)
        return
    if len(facts.seats) != players and (facts.seats or facts.counts):
        yield problem(
            "E_FORM", ("seats",), why="seats", declared=len(facts.seats), expected=players
        )
        return
    yield from check_order(facts, players)
    yield from check_absences(facts, rules)
    yield from _rules_off(facts, rules)
    if facts.outcome == ends_with:
        yield from _ender(facts, rules)
    elif facts.outcome == "count":
        yield from _nobody(facts)
    if facts.counts:
        yield from _foreign_facts(facts, rules)
        yield from _hand_sizes(facts, rules)
        yield from _drops(facts, rules)
        yield from _wild_rank(facts, rules)


DROPS = ("first", "middle", "wrong")
"""The ways to leave a round, in the order of ``drop.points``."""


def dropped(seat: Seat) -> str | None:
    """Return how a player left the round: by a drop or a wrong declaration; None if not at all."""
    return "wrong" if seat.wrong else seat.drop


def drop_price(seat: Seat, rules: RuleSet) -> int | None:
    """Return what leaving the round costs this player; None if they did not leave it."""
    how = dropped(seat)
    return None if how is None else rules.drop.points[DROPS.index(how)]


def _drops(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that a drop is played here and is all that its seat states (RULES-MORE 6.3)."""
    for i, seat in enumerate(facts.seats):
        if rules.family != "hand" or (seat.drop is None and not seat.wrong):
            continue
        at = ("seats", i, "drop" if seat.drop else "wrong")
        alone = Seat(drop=seat.drop) if seat.drop else Seat(wrong=True)
        if i == facts.winner:
            yield problem("E_DROP", at, why="winner", seat=i)
        elif seat != alone:
            yield problem("E_DROP", at, why="facts", seat=i)
        elif not drop_price(seat, rules):
            yield problem("E_RULE_OFF", at, why="drop", option="drop.points")


def _wild_rank(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that the card cut is stated as soon as a card is listed (RULES-MORE 6)."""
    if rules.wild.rank == "cut" and facts.wild is None:
        for cards, _ in declared_cards(facts, rules):
            if cards:
                yield problem("E_WILD_RANK", ("wild",))
                return


def _ender(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that the player who went out or knocked is stated and was present."""
    name = "winner" if FAMILY_OUTCOMES[rules.family] == "out" else "knocker"
    seat = getattr(facts, name)
    if seat is None:
        yield problem("E_FORM", (name,), why=f"no_{name}")
    elif not 0 <= seat < len(facts.seats):
        yield problem("E_FORM", (name,), why="no_seat", seat=seat)
    elif facts.seats[seat].absent:
        yield problem("E_FORM", (name,), why="absent_winner", seat=seat)
    if facts.hand_romme and rules.family != "lay":
        yield problem("E_HANDROMME_OFF", ("hand_romme",), why=rules.family)


def _nobody(facts: Round) -> Iterator[Problem]:
    """Check that nobody is said to have ended a round in which all write their hands."""
    if facts.winner is not None:
        yield problem("E_FORM", ("winner",), why="count_winner", seat=facts.winner)
    stated = {"knocker": facts.knocker is not None, "hand_romme": facts.hand_romme}
    for name in filter(stated.get, stated):
        yield problem("E_FORM", (name,), why="nobody")


OPTION_OF = {
    "oklahoma_card": "gin.oklahoma",
    "drawn": "gin.tedesco",
    "joker_discarded": "gin.joker_rule",
    "hirschn": "gin.hirschn",
    "glass": "gin.glass",
    "rejoin": "end.rejoin",
    "one_run": "out.one_run",
    "wild": "wild.rank",
    "big_gin": "gin.big_gin",
    "aces": "gin.tedesco",
    "turns": "draw.two_small_table",
}
"""The option that a fact of the round or of a seat belongs to."""
OF_ROUNDS = tuple(name for name in OPTION_OF if name in vars(Round(outcome="out")))


def _rules_off(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Refuse facts of an option that is off or that this family does not have."""
    for name in OF_ROUNDS:
        if getattr(facts, name):
            yield from _rule_off(name, (name,), rules)
    for outcome, needed in (("void", "void_at_two"), ("count", "count")):
        if facts.outcome == outcome and rules.stock.exhausted != needed:
            yield problem("E_RULE_OFF", ("outcome",), why=outcome, option="stock.exhausted")
    for i, seat in enumerate(facts.seats):
        for name in _not_put_down(facts, rules, i):
            at = ("seats", i, name)
            yield problem("E_RULE_OFF", at, why="put_down", option="out.opponent_melds")
        if seat.laid_points is not None and rules.score.mode != "melded":
            at = ("seats", i, "laid_points")
            yield problem("E_RULE_OFF", at, why="laid_points", option="score.mode")
        if seat.turns is not None:
            yield from _rule_off("turns", ("seats", i, "turns"), rules)
        if seat.aces:
            yield from _rule_off("aces", ("seats", i, "aces"), rules)
        if seat.klopfen and rules.klopfen.mode == "off":
            yield problem("E_KLOPFEN_OFF", ("seats", i, "klopfen"), seat=i)


def _rule_off(name: str, at: Where, rules: RuleSet) -> Iterator[Problem]:
    """Refuse a fact whose option is off or belongs to another family."""
    option = OPTION_OF[name]
    if rules[option] and rules[option] != "none":
        return
    elsewhere = rules.family not in OPTIONS[option].families
    why = "elsewhere" if elsewhere else "off"
    if name == "drawn":  # the name of its option means nothing to players who do not know Tedesco
        why = f"drawn_{why}"
    yield problem("E_RULE_OFF", at, why=why, option=option)


def _not_put_down(facts: Round, rules: RuleSet, i: int) -> Iterator[str]:
    """Yield the names of facts that an opponent may not put down at the end."""
    seat, allowed = facts.seats[i], rules.out.opponent_melds
    if rules.family == "lay" or i in (facts.winner, facts.knocker):
        return  # in family lay these have been on the table since earlier turns
    if seat.melds and allowed == "none":
        yield "melds"
    if seat.layoffs and rules.family == "gin" and allowed != "own_and_layoff":
        yield "layoffs"


MAX_ARRANGED_CARDS = 16
"""The most cards in a hand that may have to be arranged (RULES 5.6)."""


def _hand_sizes(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check the size of hands that may have to be arranged; family lay only adds them up."""
    if rules.family == "lay":
        return
    for i, seat in enumerate(facts.seats):
        for name, cards in (("hand", seat.hand), ("rest", seat.rest)):
            if cards and len(cards) > MAX_ARRANGED_CARDS:
                yield problem(
                    "E_FORM",
                    ("seats", i, name),
                    why="hand_length",
                    seat=i,
                    declared=len(cards),
                    most=MAX_ARRANGED_CARDS,
                )


def _foreign_facts(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    nothing = vars(NOTHING)
    for i, seat in enumerate(facts.seats):
        stated = vars(seat)  # a seat that was read has only what was sent
        for name in FACTS_OF_OTHERS[rules.family]:
            if name in stated and stated[name] != nothing[name]:
                yield _foreign(i, name, rules)


def _foreign(i: int, name: str, rules: RuleSet) -> Problem:
    """Return the finding about a fact of another family; points are named as in this one."""
    facts: dict[str, object] = {"name": name, "seat": i, "why": "foreign"}
    if name in {ways[-1] for ways in WAYS.values()}:
        facts |= {"why": "foreign_points", "instead": WAYS[rules.family][-1]}
    return problem("E_FORM", ("seats", i, name), **facts)


# ---- the deck ------------------------------------------------------------------------


def declared_cards(facts: Round, rules: RuleSet) -> Iterator[tuple[Cards, Where]]:
    """Yield all cards declared to be somewhere at the end of the round, with their places.

    Cards caught in the glass have left the game, so they cannot be elsewhere ([003]).
    """
    if facts.oklahoma_card is not None:
        yield (facts.oklahoma_card,), ("oklahoma_card",)
    for k, attempt in enumerate(facts.glass or ()):
        yield caught(attempt), ("glass", k)
    for i, seat in enumerate(facts.seats):
        at = ("seats", i)
        for name in ("hand", "rest", "discard"):
            if cards := getattr(seat, name):
                yield cards, (*at, name)
        if not hand_is_all(facts, rules, i):
            for name in ("first_meld", "melds"):
                for k, meld in enumerate(getattr(seat, name) or ()):
                    yield meld, (*at, name, k)
            for k, layoff in enumerate(seat.layoffs or ()):
                yield (layoff.card,), (*at, "layoffs", k)
        for k, swap in enumerate(seat.swaps or ()):
            yield (swap.card,), (*at, "swaps", k)


def hand_is_all(facts: Round, rules: RuleSet, i: int) -> bool:
    """Return whether a seat's ``hand`` includes its melds (RULES 6.2 to 6.5).

    It does not in family lay, nor for the winner in family hand, whose melds are listed apart.
    """
    apart = rules.family == "lay" or (rules.family == "hand" and i == facts.winner)
    return not apart and facts.seats[i].hand is not None


def check_deck(facts: Round, rules: RuleSet) -> Iterator[Problem]:
    """Check that no card occurs more often than in the deck (RULES 6.6.1).

    A swapped wild card is declared twice, in the meld that it left and where it went.
    """
    swapped = sum(len(seat.swaps or ()) for seat in facts.seats)
    yield from check_copies(declared_cards(facts, rules), rules, swapped)


def check_copies(
    declared: Iterable[tuple[Cards, Where]], rules: RuleSet, swapped: int = 0
) -> Iterator[Problem]:
    """Check that no card occurs more often than in the deck, apart from ``swapped`` wild cards."""
    packs = rules.deck.packs
    jokers = rules.deck.jokers + swapped
    wild = packs + (swapped if rules.wild_rank else 0)
    lists = tuple(declared)
    cards = [card for some, _ in lists for card in some]
    ranks = ranks_of(rules.deck.ranks)
    counts = Counter([card.physical if card.stands_for else card for card in cards])

    def places(of: Card) -> list[Where]:
        return [place for cards, place in lists for card in cards if card.physical == of]

    for card, count in counts.items():
        if card.rank and card.rank not in ranks:
            yield problem("E_CARD_NOT_IN_DECK", places(card)[0], card=card)
        if count == 1 and card.suit:
            continue
        if card.rank is None:
            if count > jokers:
                code = "E_TOO_MANY_JOKERS" if rules.deck.jokers else "E_JOKER_NOT_IN_DECK"
                yield problem(code, places(card)[jokers], count=count, most=rules.deck.jokers)
        elif card.suit is None:
            alike = [place for one in counts if one.rank is card.rank for place in places(one)]
            if (count := len(alike)) > 4 * packs:
                place = alike[4 * packs]
                why = "caught_rank" if place[0] == "glass" else "rank"
                facts = {"card": card, "count": count, "most": 4 * packs}
                yield problem("E_DUPLICATE_CARD", place, why=why, **facts)
        elif count > (most := wild if card.rank is rules.wild_rank else packs):
            at = places(card)
            glass = {"why": "caught"} if any(place[0] == "glass" for place in at) else {}
            yield problem("E_DUPLICATE_CARD", at[most], card=card, count=count, most=packs, **glass)


# ---- going out -----------------------------------------------------------------------


def check_out(facts: Round, rules: RuleSet, rest: int) -> Iterator[Problem]:
    """Check the winner's remaining points and discard (RULES 6.6.5)."""
    i = facts.winner or 0
    seat, at = facts.seats[i], ("seats", i)
    if rest > rules.out.max_rest:
        place = (*at, ["hand", *ways_stated(seat, rules)][-1])
        yield problem("E_REST_TOO_HIGH", place, seat=i, reached=rest, most=rules.out.max_rest)
    yield from check_discard(seat, rules, i)


def check_discard(seat: Seat, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Refuse a missing discard if one is required; warn if it is not stated."""
    if not rules.out.discard_required:
        return
    place = ("seats", i, "discard")
    if seat.discard == ():
        yield problem("E_DISCARD_REQUIRED", place, seat=i)
    elif seat.discard is None and seat.melds is not None:
        # Only if the winner's melds are given: quick entry does not ask for it [dec].
        yield problem("W_DISCARD_UNKNOWN", place, seat=i)


def ender_bounds(seat: Seat, rules: RuleSet, dealt: int) -> tuple[int, int]:
    """Return the fewest and most cards of the player who ends the round, without the discard.

    RULES 6.6.3.
    """
    if seat.discard or rules.out.discard_required:
        return dealt, dealt
    return (dealt if seat.discard is None else dealt + 1), dealt + 1


# ---- counting a hand -----------------------------------------------------------------


def expected(facts: Round, rules: RuleSet, i: int) -> int:
    """Return the cards that a seat has in hand and melds: those dealt, and those added since.

    A claim knock adds the claimed card and the extra cards from the stock. If a small table
    draws two cards, every turn adds one (RULES 6.6.3).
    """
    seat, present = facts.seats[i], len(facts.present)
    more = seat.klopfen * (1 + rules.klopfen.extra_cards)
    if rules.draw.two_small_table and present <= 3:
        more += seat.turns or 0
    return rules.deal.to(present) + more


def check_count(
    facts: Round, i: int, name: str, declared: int, least: int, most: int
) -> Iterator[Problem]:
    """Warn about one card too many or too few; refuse a larger difference (RULES 6.6.3)."""
    off = max(least - declared, declared - most, 0)
    if off:
        code = "W_HAND_COUNT" if off == 1 or facts.accept_irregular else "E_HAND_COUNT"
        expected = str(most) if least == most else f"{least}–{most}"
        yield problem(
            code,
            ("seats", i, name),
            why="many" if declared > most else "few",
            seat=i,
            declared=declared,
            expected=expected,
            most=most,
        )


WAYS = {
    "lay": ("hand", "points"),
    "hand": ("hand", "rest", "points"),
    "gin": ("hand", "rest", "deadwood"),
    "knock": ("hand", "rest", "count"),
}
"""How a seat may state the rest: as cards, as ranks or, last, as points (quick entry)."""


def ways_stated(seat: Seat, rules: RuleSet) -> list[str]:
    """Return the names of the facts in which a seat states the rest."""
    return [name for name in WAYS[rules.family] if getattr(seat, name) is not None]


def check_ways(seat: Seat, rules: RuleSet, i: int, *, needed: bool = True) -> Iterator[Problem]:
    """Check that the rest is stated in one way, and that losers state it (RULES 6.1)."""
    ways = ways_stated(seat, rules)
    if needed and not ways:
        yield problem("E_HAND_MISSING", ("seats", i), seat=i)
    elif len(ways) > 1:
        yield problem("E_FORM", ("seats", i, ways[1]), why="hand_and_points", seat=i)


def check_points(
    i: int, name: str, points: int, possible: range, *, zero: bool
) -> Iterator[Problem]:
    """Warn about points that no hand can have; refuse negative ones (RULES 6.6.10).

    ``possible`` ranges from the cheapest card to the dearest hand; ``zero`` also allows 0.
    """
    at = ("seats", i, name)
    if points < 0:
        yield problem("E_POINTS", at, seat=i, value=points)
    elif points not in possible and not (zero and points == 0):
        yield problem(
            "W_POINTS_IMPOSSIBLE",
            at,
            why="low" if points < possible.start else "high",
            seat=i,
            points=points,
            least=possible.start,
            most=possible.stop - 1,
        )


def check_cap(seat: Seat, rules: RuleSet, i: int) -> Iterator[Problem]:
    """Refuse points above the most there is: whoever states points has cut them already."""
    if seat.points is not None and 0 < rules.score.most < seat.points:
        yield problem("E_POINTS", ("seats", i, "points"), why="cap", seat=i, most=rules.score.most)


def possible_points(rules: RuleSet, cards: int) -> range:
    """Return the range from the cheapest single card to the dearest hand of this many cards."""
    values = deck_values(rules)
    return range(values[-1], sum(values[:cards]) + 1)


def rank_only(cards: Sequence[Card] | None) -> bool:
    """Return whether a list was counted by ranks: some card in it has no suit."""
    return any(card.is_bare for card in cards or ())


def verification_of(cards: Cards | None, points: int | None) -> Verification:
    """Return how the entry of a seat was checked (RULES 6.1)."""
    if points is not None:
        return "unverified"
    return "counted" if rank_only(cards) else "verified"
