"""Melds: which cards are one, what its wild cards stand for, what it is worth (RULES 5).

One definition carries everything. A *shape* is a meld of natural cards only: a set, a run
or a rainbow. Cards are a meld if their naturals fit a shape and the wild cards among them
take the places left over; each shape that fits is one reading of the cards. ``readings``
lists those that the rules of wild cards allow, ``read_meld`` picks the one that was meant.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, permutations
from typing import Literal, NamedTuple

from scorekeeper.domain.cards import PACK, Card, Rank, Suit
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.options import RuleSet

MeldKind = Literal["set", "run", "rainbow"]

WHYS = (
    "E_SET.suit_twice",  # suit, rank: that card lies there twice
    "E_SET.too_many",  # rank, count: a set has at most four cards
    "E_SET.declared",  # rank, card: a wild card was declared to be of another rank
    "E_RUN.suits_mixed",  # two suits, and they are no set either
    "E_RUN.card_twice",  # card
    "E_RUN.too_many",  # count: a run has at most thirteen cards
    "E_RUN.ace_low_only",  # an ace behind the king, where it only stands before the two
    "E_RUN.corner_off",  # K-A-2, where runs end at the ace
    "E_RUN.gap",  # missing (cards), count (wild cards there to fill the gaps)
    "E_RUN.rainbow_length",  # count: a rainbow has exactly four cards
    "E_RUN.rainbow_suit_twice",  # suit
    "E_RUN.rainbow_colours",  # one, other (cards): neighbours of the same colour
    "E_RUN.rainbow_gap",  # the ranks do not follow each other
    "E_JOKER_UNDECLARED.kind",  # rank, run (cards): a set, or a run with these jokers
    "E_JOKER_AMBIGUOUS.kind",  # the same
    "E_LAYOFF.rainbow",  # card: nothing is laid off on a rainbow
    "E_LAYOFF.set",  # card, allowed (cards): does not belong to this set
    "E_LAYOFF.run",  # card, allowed (cards): does not continue this run
    "E_LAYOFF.full",  # card: this meld can hold no more
    "E_LAYOFF.joker_adjacent",  # count, limit: as E_JOKER_ADJACENT
    "E_LAYOFF.joker_ambiguous",  # one, other (cards): as E_JOKER_AMBIGUOUS
    "E_SWAP_MISMATCH.no_joker",  # card: no wild card lies in this meld
    "E_SWAP_MISMATCH.other_card",  # card, allowed (cards): what the wild cards stand for
)
"""Why cards are no meld, or do not go on one. Every finding has ``cards``, as they were
written (on the table: as they lie), and ``clause`` of RULES. The codes without ``why``:
E_MELD_SHORT (count), E_MIN_NATURALS (count, needed), E_JOKER_ADJACENT (count, limit),
E_JOKER_UNDECLARED and E_JOKER_AMBIGUOUS (one, other: cards that the wild cards may be;
readings: all of these), E_JOKER_NOT_IN_DECK, E_SUIT_NEEDED (rank), E_RULE_OFF (option)."""

CLAUSES = {
    "E_SUIT_NEEDED": "6.1",
    "E_RULE_OFF": "6.1 off",
    "E_JOKER_NOT_IN_DECK": "6.6.1",
    "E_MELD_SHORT": "5",
    "E_SET": "5.1",
    "E_RUN": "5.2",
    "E_MIN_NATURALS": "5.3.1",
    "E_JOKER_UNDECLARED": "5.3.3",
    "E_JOKER_AMBIGUOUS": "5.3.4",
    "E_JOKER_ADJACENT": "5.3.5",
    "E_LAYOFF": "7.4.3",
    "E_SWAP_MISMATCH": "5.3.6",
}
"""The clause of RULES that each code stands for."""


class Place(NamedTuple):
    """A card in a meld, and the card it is there: another one for a wild card.

    The suit is open (None) where a wild card in a set may still be of several.
    """

    card: Card
    at: Card

    @property
    def is_wild(self) -> bool:
        return self.card is not self.at and self.card != self.at


@dataclass(frozen=True)
class Meld:
    """Cards read as one meld: runs in their order, sets by suit."""

    kind: MeldKind
    places: tuple[Place, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards with what they stand for; read again, they are this meld."""
        return tuple(
            Card(place.card.rank, place.card.suit, stands_for=place.at)
            if place.is_wild and place.at.suit
            else place.card
            for place in self.places
        )

    @cached_property
    def wild(self) -> tuple[Card, ...]:
        """What the wild cards stand for."""
        return tuple(place.at for place in self.places if place.is_wild)

    @cached_property
    def natural_places(self) -> frozenset[Place]:
        """The places of the cards that stand for themselves."""
        return frozenset([place for place in self.places if not place.is_wild])

    @property
    def naturals(self) -> int:
        """How many cards stand for themselves."""
        return len(self.places) - len(self.wild)

    @property
    def is_pinned(self) -> bool:
        """Every wild card stands for exactly one card."""
        return all(place.at.suit for place in self.places)

    @property
    def points(self) -> int:
        """What the meld counts towards a first meld (RULES 5.4).

        In a run an ace counts 11 behind the king, else 1; in a set 11.
        """
        ranks = [place.at.rank or 0 for place in self.places]
        points = sum(min(rank, 10) for rank in ranks)
        if self.kind == "set":
            return points + 10 * ranks.count(Rank.ACE)
        kings_ace = (Rank.KING, Rank.ACE) in pairwise(ranks)
        return points + 10 * kings_ace


# --- the meld that cards are ------------------------------------------------------------


def readings(cards: Sequence[Card], rules: RuleSet) -> list[Meld]:
    """Every legal way to see the cards as one meld; declarations bind, the order does not.

    Wild cards are alike: which of them takes which free place makes no other reading.
    """
    return [fit.meld for fit in _legal(cards, rules)]


def is_meld(cards: Sequence[Card], rules: RuleSet) -> bool:
    """Whether the cards, in some order, are a meld."""
    return any(True for _ in _legal(cards, rules))


def read_meld(cards: Sequence[Card], rules: RuleSet) -> Meld:
    """The one meld these cards are (RULES 5.3), or a RuleError that says why they are none."""
    if problem := _unplayable(cards, rules):
        raise RuleError.of([problem])
    seen = _seen_as(cards, rules)
    if not seen:
        raise RuleError.of([_why_no_meld(cards, rules)])
    most = max(fit.naturals for fit in seen)
    likely = [fit for fit in seen if fit.naturals == most]  # a 2 is natural if it can be
    fit = likely[0] if most < rules.joker.min_naturals else _as_written(cards, likely)
    objection = _too_wild(fit, rules)
    if not objection and fit.blocks:
        objection = _mistakable(fit, cards, _rivals(cards, seen, rules))
    if objection:
        raise RuleError.of([objection()])
    return fit.meld


def _legal(cards: Sequence[Card], rules: RuleSet) -> Iterator["_Fit"]:
    """What the cards may be, one way after the other."""
    seen = [] if _unplayable(cards, rules) else _seen_as(cards, rules)
    rivals = _rivals(cards, seen, rules)
    return (fit for fit in seen if not _objection(fit, cards, rivals, rules))


def _as_written(cards: Sequence[Card], likely: Sequence["_Fit"]) -> "_Fit":
    """The meld that the written order shows, read upwards or else downwards (RULES 5.3.3)."""
    if len(likely) == 1:
        return likely[0]
    declared = sum([_BIT[card.stands_for] for card in cards if card.stands_for])
    bits = [
        _BIT[card.stands_for] if card.stands_for else _BIT.get(card, 0) & ~declared
        for card in cards
    ]
    for written in (bits, bits[::-1]):
        shown = [fit for fit in likely if fit.shape.kind == "set" or _shows(written, declared, fit)]
        if len(shown) == 1:
            return shown[0]
    if len({fit.wild for fit in likely}) == 1:
        return likely[0]  # only an ace at one end or the other: no wild card is in doubt
    doubt = _finding("E_JOKER_UNDECLARED", cards, **_alternatives(*likely))
    raise RuleError.of([doubt])


def _shows(written: Sequence[int], declared: int, fit: "_Fit") -> bool:
    """Whether cards written in this order show this run, once its gaps are filled.

    The cards whose place is known must rise, and no more places may lie below (above)
    them than undeclared wild cards are written before (behind) them.
    """
    order, sure = fit.shape.order, fit.natural | declared
    known = []
    before = behind = 0
    for bit in written:
        if bit & sure:
            known.append(order[bit])
            sure ^= bit
            behind = 0
        elif known:
            behind += 1
        else:
            before += 1
    above = len(written) - 1 - known[-1]
    return known == sorted(known) and known[0] <= before and above <= behind


def _alternatives(*fits: "_Fit") -> dict[str, object]:
    """The facts of a doubt: what the wild cards may be."""
    wild = tuple(fit.stood_for for fit in fits)
    facts: dict[str, object] = {"one": wild[0], "other": wild[1], "readings": wild}
    kinds = {fit.shape.kind: fit for fit in fits[:2]}
    if len(kinds) > 1 and "set" in kinds:  # the others of a rank, or a run: say that it is one
        rank = next(iter(kinds.pop("set").shape.cells.values())).rank
        (run,) = kinds.values()
        return facts | {"why": "kind", "rank": rank, "run": run.stood_for}
    return facts


def _finding(code: str, cards: Sequence[Card], /, **facts: object) -> Problem:
    return Problem(code, {"cards": tuple(cards), "clause": CLAUSES[code], **facts})


# --- what the cards may be seen as ------------------------------------------------------


_BIT = {card: 1 << number for number, card in enumerate(PACK)}
"""Sets of natural cards as bits of one number, so that many shapes are compared quickly."""
_CARD = {(card.rank, card.suit): card for card in PACK}
_ITSELF = {card: Place(card, card) for card in PACK}
_ALTERNATING = [
    suits
    for suits in permutations(Suit)
    if suits[0].is_red == suits[2].is_red != suits[1].is_red == suits[3].is_red
]


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """A meld of natural cards, in its order; of a set, all four cards of the rank."""

    kind: MeldKind
    cells: Mapping[int, Card]
    order: Mapping[int, int]
    """The number of each place, counted from the lowest."""
    bits: int


class _Fit(NamedTuple):
    """A shape that some cards fit, and what they are there.

    Of a set of three every place that no card is known to take counts as a wild one.
    """

    shape: _Shape
    natural: int
    """The places of cards that stand for themselves."""
    naturals: int
    """How many these are."""
    known: Sequence[Place]
    loose: Sequence[Card]

    @property
    def jokers(self) -> int:
        """How many cards stand for others."""
        return len(self.known) + len(self.loose) - self.naturals

    @property
    def wild(self) -> int:
        """The places that wild cards take, or may take."""
        return self.shape.bits & ~self.natural

    @property
    def stood_for(self) -> tuple[Card, ...]:
        """What the wild cards stand for: that of the meld, without building it."""
        if self.shape.kind == "set":
            return self.meld.wild
        wild = self.wild
        return tuple(card for bit, card in self.shape.cells.items() if bit & wild)

    @property
    def blocks(self) -> list[int]:
        """Where two or more wild cards are neighbours; in a set all are."""
        if self.jokers < 2:
            return []
        wild = self.wild
        if self.shape.kind == "set":
            return [wild]
        blocks = [0]
        for cell in self.shape.cells:
            if wild & cell:
                blocks[-1] |= cell
            else:
                blocks.append(0)
        return [block for block in blocks if block & block - 1]

    @property
    def meld(self) -> Meld:
        """The meld: a two on its own place is natural (RULES 5.3.8)."""
        taken = {_BIT[place.at]: place for place in self.known}
        wild: list[Card] = []
        for card in self.loose:
            bit = _BIT.get(card, 0)
            if bit & self.natural and bit not in taken:
                taken[bit] = _ITSELF[card]
            else:
                wild.append(card)
        cells = self.shape.cells
        if len(taken) + len(wild) < len(cells):  # a set of three: its fourth suit may be any
            places = [taken[bit] for bit in cells if bit in taken]
            open_suit = Card(places[0].at.rank, None)
            return Meld("set", (*places, *(Place(card, open_suit) for card in wild)))
        filling = iter(wild)
        places = [taken.get(bit) or Place(next(filling), cell) for bit, cell in cells.items()]
        return Meld(self.shape.kind, tuple(places))


def _windows(size: int, high: bool, corner: bool) -> Iterator[tuple[Rank, ...]]:
    """So many ranks in order, as far as the ace options allow (RULES 5.2)."""
    circle = tuple(Rank) * 2
    for start in range(len(Rank)):
        if corner or start + size <= len(Rank) + high:
            yield circle[start : start + size]


def _drawn_up(size: int, high: bool, corner: bool, rainbow: bool) -> Iterator[_Shape]:
    """Every meld of this size (RULES 5.1, 5.2)."""
    if size in (3, 4):
        for rank in Rank:
            yield _shape("set", (rank,) * 4, tuple(Suit))
    for ranks in _windows(size, high, corner):
        for suit in Suit:
            yield _shape("run", ranks, (suit,) * size)
        if rainbow and size == 4:
            for suits in _ALTERNATING:
                yield _shape("rainbow", ranks, suits)


def _shape(kind: MeldKind, ranks: Sequence[Rank], suits: Sequence[Suit]) -> _Shape:
    cards = [_CARD[at] for at in zip(ranks, suits, strict=True)]
    cells = {_BIT[card]: card for card in cards}
    order = {bit: number for number, bit in enumerate(cells)}
    return _Shape(kind, cells, order, sum(cells))


@cache
def _all_shapes(size: int, high: bool, corner: bool, rainbow: bool) -> list[_Shape]:
    return list(_drawn_up(size, high, corner, rainbow))


@cache
def _shapes(anchor: Card, size: int, high: bool, corner: bool, rainbow: bool) -> list[_Shape]:
    """Every meld of this size that holds a certain card; few enough to keep."""
    every = _all_shapes(size, high, corner, rainbow)
    return [shape for shape in every if shape.bits & _BIT[anchor]]


def _seen_as(cards: Sequence[Card], rules: RuleSet) -> list[_Fit]:
    """Every way to see the cards as a meld, whatever the rules of wild cards say."""
    return _fitting(*_sorted(cards, rules), rules)


def _sorted(cards: Sequence[Card], rules: RuleSet) -> tuple[list[Place], list[Card]]:
    """The cards whose place is known, and the undeclared wild cards."""
    twos = rules.wild.twos
    known: list[Place] = []
    loose: list[Card] = []
    for card in cards:
        place = _ITSELF.get(card)
        if place and not (twos and card.rank is Rank.TWO):
            known.append(place)
        elif card.stands_for:
            known.append(Place(card.physical, card.stands_for))
        else:
            loose.append(card)
    return known, loose


def _fitting(known: Sequence[Place], loose: Sequence[Card], rules: RuleSet) -> list[_Fit]:
    """The melds that hold the known cards, with the wild cards on the other places."""
    if not known:
        return _around_a_two(loose, rules)
    size = len(known) + len(loose)
    if size > len(Rank):
        return []
    bits = wild = own = 0
    for place in known:
        bit = _BIT[place.at]
        if bits & bit:
            return []  # no card is in a meld twice
        bits |= bit
        if place.is_wild:
            wild |= bit
    for card in loose:
        own |= _BIT.get(card, 0)
    natural = (bits | own) & ~wild
    ace = rules.ace
    shapes = _shapes(known[0].at, size, ace.high, ace.corner, rules.meld.rainbow)
    return [
        _Fit(shape, held := natural & shape.bits, held.bit_count(), known, loose)
        for shape in shapes
        if not bits & ~shape.bits
    ]


def _around_a_two(loose: Sequence[Card], rules: RuleSet) -> list[_Fit]:
    """Wild cards alone: one of the twos must be itself, since no meld is without a natural."""
    found: dict[Meld, _Fit] = {}
    for two in dict.fromkeys(card for card in loose if not card.is_joker):
        rest = list(loose)
        rest.remove(two)
        for fit in _fitting([_ITSELF[two]], rest, rules):
            found.setdefault(fit.meld, fit)
    return list(found.values())


# --- what wild cards may do -------------------------------------------------------------


Objection = Callable[[], Problem]
"""What can be held against a meld, put into a finding only where somebody asks for it."""


def _objection(
    fit: _Fit, cards: Sequence[Card], rivals: Sequence[_Fit], rules: RuleSet
) -> Objection | None:
    """What the rules of wild cards have against one of the melds seen in these cards."""
    return _too_wild(fit, rules) or _mistakable(fit, cards, rivals)


def _mistakable(fit: _Fit, cards: Sequence[Card], rivals: Sequence[_Fit]) -> Objection | None:
    """Wild cards side by side that could be something else (RULES 5.3.4)."""
    blocks = fit.blocks if rivals else []
    for rival in rivals:
        if any(block & ~rival.wild for block in blocks):
            return lambda: _finding("E_JOKER_AMBIGUOUS", cards, **_alternatives(fit, rival))
    return None


def _too_wild(fit: _Fit, rules: RuleSet) -> Objection | None:
    """Too few naturals, or too many wild cards side by side (RULES 5.3.1, 5.3.5)."""
    needed, naturals = rules.joker.min_naturals, fit.naturals
    if naturals < needed:
        facts = {"count": naturals, "needed": needed}
        return lambda: _finding("E_MIN_NATURALS", fit.meld.cards, **facts)
    limit = rules.joker.max_adjacent
    for block in fit.blocks if 0 < limit < fit.jokers and fit.shape.kind != "set" else []:
        if block.bit_count() > limit:
            facts = {"count": block.bit_count(), "limit": limit}
            return lambda: _finding("E_JOKER_ADJACENT", fit.meld.cards, **facts)
    return None


def _rivals(cards: Sequence[Card], seen: Sequence[_Fit], rules: RuleSet) -> list[_Fit]:
    """All that the cards could be, where neighbouring jokers must be unmistakable.

    Order and declarations count for nothing here, but a reading with too few naturals or
    too many jokers side by side is none (RULES 5.3.4).
    """
    if rules.joker.placement != "unique_if_two":
        return []
    if any(card.stands_for for card in cards):
        seen = _seen_as([card.physical for card in cards], rules)
    return [fit for fit in seen if not _too_wild(fit, rules)]


# --- why cards are no meld --------------------------------------------------------------


def _unplayable(cards: Sequence[Card], rules: RuleSet) -> Problem | None:
    """What keeps cards from being looked at as a meld at all."""
    for card in cards:
        if card.suit and not card.stands_for:
            continue
        if card.is_bare:
            return _finding("E_SUIT_NEEDED", cards, token=str(card), rank=card.rank)
        if card.is_joker and not rules.deck.jokers:
            return _finding("E_JOKER_NOT_IN_DECK", cards)
        if card.stands_for and not card.is_joker and not rules.wild.twos:
            return _finding("E_RULE_OFF", cards, option="wild.twos")
    if len(cards) < 3:
        return _finding("E_MELD_SHORT", cards, count=len(cards))
    return None


def _why_no_meld(cards: Sequence[Card], rules: RuleSet) -> Problem:
    """Why the naturals and the declared cards among these fit no meld."""
    known, loose = _sorted(cards, rules)
    naturals = [place.at for place in known if not place.is_wild]
    at = [place.at for place in known]
    if not naturals:
        needed = rules.joker.min_naturals
        return _finding("E_MIN_NATURALS", cards, count=0, needed=needed)
    if len(naturals) > 1 and len({card.rank for card in naturals}) == 1:
        return _finding("E_SET", cards, **_why_no_set(at, naturals[0].rank, len(cards)))
    return _finding("E_RUN", cards, **_why_no_run(at, loose, rules))


def _why_no_set(known: Sequence[Card], rank: Rank | None, size: int) -> dict[str, object]:
    """Naturals of one rank, and perhaps wild cards declared to be of another."""
    for card in known:
        if card.rank != rank:
            return {"why": "declared", "rank": rank, "card": card}
    if twice := _twice(known):
        return {"why": "suit_twice", "rank": rank, "suit": twice.suit}
    return {"why": "too_many", "rank": rank, "count": size}


def _why_no_run(known: Sequence[Card], loose: Sequence[Card], rules: RuleSet) -> dict[str, object]:
    """Cards of several ranks, or a single one among wild cards."""
    size = len(known) + len(loose)
    if twice := _twice(known):
        return {"why": "card_twice", "card": twice}
    if size > len(Rank):
        return {"why": "too_many", "count": size}
    if _fits_the_circle(known, size, rules.meld.rainbow):
        return {"why": "corner_off" if rules.ace.high else "ace_low_only"}
    if len({card.suit for card in known}) > 1:
        return _why_no_rainbow(known, size) if rules.meld.rainbow else {"why": "suits_mixed"}
    return {"why": "gap", "missing": _missing(known, rules), "count": len(loose)}


def _fits_the_circle(known: Sequence[Card], size: int, rainbow: bool) -> bool:
    """Whether only the place of the ace is against it."""
    bits = sum(map(_BIT.__getitem__, known))
    circle = _shapes(known[0], size, True, True, rainbow)
    return any(not bits & ~shape.bits for shape in circle)


def _why_no_rainbow(known: Sequence[Card], size: int) -> dict[str, object]:
    """Cards of several suits where rainbows are played."""
    if size != 4:
        return {"why": "rainbow_length", "count": size}
    suits = [card.suit for card in known]
    for suit in suits:
        if suits.count(suit) > 1:
            return {"why": "rainbow_suit_twice", "suit": suit}
    for one, other in permutations(known, 2):
        steps = ((other.rank or 0) - (one.rank or 0)) % len(Rank)
        if steps == 1 and _is_red(one) == _is_red(other):
            return {"why": "rainbow_colours", "one": one, "other": other}
    return {"why": "rainbow_gap"}


def _is_red(card: Card) -> bool:
    return card.suit is not None and card.suit.is_red


def _twice(cards: Sequence[Card]) -> Card | None:
    """A card that is there more than once."""
    return next((card for card in cards if cards.count(card) > 1), None)


def _missing(known: Sequence[Card], rules: RuleSet) -> tuple[Card, ...]:
    """What the shortest run through all known cards of one suit still needs."""
    bits = sum(map(_BIT.__getitem__, known))
    return next(
        tuple(card for bit, card in shape.cells.items() if not bits & bit)
        for size in range(len(known) + 1, len(Rank) + 1)
        for shape in _shapes(known[0], size, rules.ace.high, rules.ace.corner, False)
        if not bits & ~shape.bits
    )


# --- melds on the table -----------------------------------------------------------------


def unpinned(meld: Meld, rules: RuleSet) -> bool:
    """Whether the owner should have named what a wild card stands for (RULES 5.3.6)."""
    return rules.joker.pinned_in_sets and not meld.is_pinned


def first_meld_points(melds: Iterable[Meld], rules: RuleSet) -> int:
    """What is held against ``meld.first_min``: the best meld, or all together (RULES 5.5)."""
    points = [meld.points for meld in melds]
    return sum(points) if rules.meld.first_scope == "together" else max(points, default=0)


def lay_off(meld: Meld, card: Card, rules: RuleSet) -> Meld:
    """The meld with one more card; E_LAYOFF if it does not go there (RULES 5.2, 7.4.3).

    An undeclared wild card continues a run upwards if it can, else downwards, as if it
    were written behind it.
    """
    if problem := _unplayable([*meld.cards, card], rules):
        raise RuleError.of([problem])
    if meld.kind == "rainbow":
        raise _no_lay_off(meld, card, why="rainbow")
    grown = _grown(meld, card, rules)
    if not grown:
        raise _no_lay_off(meld, card, **_why_no_lay_off(meld, rules))
    objections: list[Objection] = []
    for fit in grown:
        cards = fit.meld.cards
        objection = _objection(fit, cards, _rivals(cards, grown, rules), rules)
        if not objection:
            return fit.meld
        objections.append(objection)
    problem = objections[0]()
    why = problem.code.removeprefix("E_").lower()
    raise _no_lay_off(meld, card, **(dict(problem.facts) | {"why": why}))


def _grown(meld: Meld, card: Card, rules: RuleSet) -> list[_Fit]:
    """The meld with this card, all others staying what they are; the likeliest first."""
    known, loose = _sorted([card], rules)
    known += [place for place in meld.places if place.at.suit]
    loose += [place.card for place in meld.places if not place.at.suit]
    first = meld.places[0].at

    def likelihood(fit: _Fit) -> tuple[int, bool]:
        return fit.naturals, next(iter(fit.shape.cells.values())) == first

    fits = [fit for fit in _fitting(known, loose, rules) if _continues(fit.shape, meld)]
    return sorted(fits, key=likelihood, reverse=True)


def _continues(shape: _Shape, meld: Meld) -> bool:
    """Whether this is the meld and one card more: of a run, at one end."""
    if shape.kind != meld.kind or shape.kind == "set":
        return shape.kind == meld.kind
    at = list(shape.cells.values())
    return [place.at for place in meld.places] in (at[:-1], at[1:])


def _why_no_lay_off(meld: Meld, rules: RuleSet) -> dict[str, object]:
    """The cards that would go there instead, if any would."""
    known = [place.at for place in meld.places if place.at.suit]
    size, ace = len(meld.places) + 1, rules.ace
    allowed = {
        card
        for shape in _shapes(known[0], size, ace.high, ace.corner, False)
        if size <= len(Rank) and _continues(shape, meld)
        for card in shape.cells.values()
        if card not in known
    }
    in_order = tuple(card for card in PACK if card in allowed)
    return {"why": meld.kind, "allowed": in_order} if in_order else {"why": "full"}


def _no_lay_off(meld: Meld, card: Card, /, **facts: object) -> RuleError:
    return RuleError.of([_finding("E_LAYOFF", meld.cards, **(facts | {"card": card}))])


def swap_joker(meld: Meld, card: Card, rules: RuleSet) -> tuple[Meld, Card]:
    """The meld with the real card, and the wild card that it sets free (RULES 5.3.6).

    A wild card whose suit is open may be exchanged for any suit the set still lacks.
    """
    if problem := _unplayable([*meld.cards, card], rules):
        raise RuleError.of([problem])
    allowed = _real_cards(meld)
    if card not in allowed:
        why = "other_card" if allowed else "no_joker"
        facts = {"why": why, "card": card, "allowed": allowed}
        raise RuleError.of([_finding("E_SWAP_MISMATCH", meld.cards, **facts)])
    places = list(meld.places)
    swapped = next(
        place for place in places if place.is_wild and place.at in (card, card._replace(suit=None))
    )
    places[places.index(swapped)] = Place(card, card)
    if meld.kind == "set":
        places.sort(key=lambda place: (place.at.suit is None, place.at.suit))
    return Meld(meld.kind, tuple(places)), swapped.card


def _real_cards(meld: Meld) -> tuple[Card, ...]:
    """The cards for which the wild cards of a meld may be exchanged."""
    present = {place.at for place in meld.places}
    open_ranks = {place.at.rank for place in meld.places if not place.at.suit}
    return tuple(
        card
        for card in PACK
        if card in meld.wild or (card.rank in open_ranks and card not in present)
    )


# --- cards in hand ----------------------------------------------------------------------


def card_value(card: Card, rules: RuleSet) -> int:
    """What a card left in hand counts (RULES 3.2)."""
    if card.rank is None:
        return rules.joker.hand_value
    if card.rank is Rank.TWO and rules.wild.twos and rules.wild.twos_value == "joker":
        return rules.joker.hand_value
    if card.rank is Rank.ACE:
        return rules.value.ace_hand
    return min(card.rank, 10)


def hand_value(cards: Iterable[Card], rules: RuleSet) -> int:
    """What a hand counts."""
    return sum(card_value(card, rules) for card in cards)
