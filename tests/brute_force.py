"""A second solver: RULES 5 implemented by brute force, without any code of the package.

Cards are texts (``10H``, ``JK``). A card in a meld is a pair of a rank (0 to 12) and a suit; the
suit is ``?`` if a wild card in a set of three can have several. Rules are any object with the
options of RULES 3 as attributes.
"""

from functools import cache
from itertools import chain, combinations, pairwise, permutations
from typing import Any

SUITS = "CDHS"
RED = "DH"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

Cell = tuple[int, str]
Reading = tuple[str, tuple[tuple[Cell, bool], ...]]
"""Kind and places of a meld: the card at each place, and whether a wild card is there."""
Lying = tuple[str, tuple[tuple[Cell, str], ...]]
"""A meld on the table: its places, each with a natural card, a joker or an own joker."""


def cell(card: str) -> Cell:
    return RANKS.index(card[:-1]), card[-1]


class Naive:
    """A set of rules."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.is_meld = cache(self._is_meld)
        self.targets = cache(self._targets)
        self.least_of = cache(self._least_of)

    @property
    def free_sets(self) -> int:
        """The most cards of a set if suits do not matter, else 0."""
        return 4 * self.rules.deck.packs if self.rules.meld.set_suits == "any" else 0

    def is_wild(self, card: str) -> bool:
        return card == "JK" or (self.rules.wild.twos and card[0] == "2")

    def value(self, card: str) -> int:
        if card == "JK" or (self.is_wild(card) and self.rules.wild.twos_value == "joker"):
            return int(self.rules.joker.hand_value)
        if card[0] == "A":
            red = self.rules.value.ace_red if card[-1] in RED else None
            return int(red or self.rules.value.ace_hand)
        return min(cell(card)[0] + 1, 10)

    # --- melds --------------------------------------------------------------------------

    def _targets(self, size: int) -> list[tuple[str, tuple[Cell, ...]]]:
        """Return every meld of natural cards."""
        found: list[tuple[str, tuple[Cell, ...]]] = []
        if size in (3, 4) and not self.free_sets:
            for rank in range(13):
                for suits in combinations(SUITS, size):
                    found.append(("set", tuple((rank, suit) for suit in suits)))
        for start in range(13):
            ranks = [start + step for step in range(size)]
            if ranks[-1] >= 13 and not self.rules.ace.high:
                continue
            if ranks[-1] > 13 and not self.rules.ace.corner:
                continue
            for suit in SUITS if size >= self.rules.meld.run_min else "":
                found.append(("run", tuple((rank % 13, suit) for rank in ranks)))
            if size == 4 and self.rules.meld.rainbow:
                for order in permutations(SUITS):
                    if all((a in RED) != (b in RED) for a, b in pairwise(order)):
                        cells = tuple((r % 13, s) for r, s in zip(ranks, order, strict=True))
                        found.append(("rainbow", cells))
        return found if size <= 13 else []

    def readings(self, cards: tuple[str, ...]) -> set[Reading]:
        """Yield every reading of the cards as a meld, without the limits on wild cards."""
        naturals = [cell(card) for card in cards if not self.is_wild(card)]
        twos = [cell(card) for card in cards if self.is_wild(card) and card != "JK"]
        found: set[Reading] = set()
        for kind, cells in self.targets(len(cards)):
            if len(set(naturals)) < len(naturals) or not set(naturals) <= set(cells):
                continue
            themselves = set(naturals) | {two for two in twos if two in cells}
            if not themselves:
                continue
            places = [(at, at not in themselves) for at in cells]
            if kind == "set" and len(cells) == 3:  # the suits of wild cards stay open
                places = [((at[0], "?"), wild) if wild else (at, wild) for at, wild in places]
                places.sort(key=lambda place: place[1])
            found.add((kind, tuple(places)))
        return found | self.sets_of_any_suits(cards)

    def sets_of_any_suits(self, cards: tuple[str, ...]) -> set[Reading]:
        """Return the cards as a set in which suits do not matter, if they are one."""
        ranks = {cell(card)[0] for card in cards if not self.is_wild(card)}
        if not ranks:
            ranks = {cell(card)[0] for card in cards if card != "JK"}
        if len(ranks) != 1 or len(cards) > self.free_sets:
            return set()
        (rank,) = ranks
        themselves = [cell(card) for card in cards if card != "JK" and cell(card)[0] == rank]
        places = [(at, False) for at in sorted(themselves)]
        places += [((rank, "?"), True)] * (len(cards) - len(places))
        return {("set", tuple(places))}

    def too_wild(self, reading: Reading) -> bool:
        kind, places = reading
        if sum(not wild for _, wild in places) < self.rules.joker.min_naturals:
            return True
        most = self.rules.joker.max_adjacent
        return kind != "set" and any(len(block) > most > 0 for block in self.blocks(reading))

    def blocks(self, reading: Reading) -> list[set[Cell]]:
        """Return whether two or more wild cards are neighbours; in a set all cards are."""
        kind, places = reading
        if kind == "set" and self.free_sets:
            return []  # they could stand for no other rank
        if kind == "set":
            groups = [[at for at, wild in places if wild]]
        else:
            groups = [[]]
            for at, wild in places:
                groups[-1].append(at) if wild else groups.append([])
        return [set(group) for group in groups if len(group) > 1]

    def stands(self, reading: Reading, cards: tuple[str, ...]) -> bool:
        """Return whether the rules of wild cards allow this reading of the cards (5.3)."""
        if self.too_wild(reading):
            return False
        if self.rules.joker.placement == "declared":
            return True
        rivals = [rival for rival in self.readings(cards) if not self.too_wild(rival)]
        return all(
            block <= {at for at, wild in places if wild}
            for block in self.blocks(reading)
            for _, places in rivals
        )

    def _is_meld(self, cards: tuple[str, ...]) -> bool:
        if len(cards) < 3 or ("JK" in cards and not self.rules.deck.jokers):
            return False
        return any(self.stands(reading, cards) for reading in self.readings(cards))

    # --- the least rest -----------------------------------------------------------------

    def least(self, hand: list[str], table: tuple[Lying, ...] = ()) -> int:
        """Yield every lay-off with every division of the rest into melds."""
        seen: set[object] = set()
        waiting = [(tuple(sorted(hand)), table)]
        best = sum(map(self.value, hand))
        while waiting:
            state = waiting.pop()
            if state not in seen:
                seen.add(state)
                best = min(best, self.least_of(state[0]))
                waiting += self.moves(*state)
        return best

    def least_together(self, hands: list[list[str]], table: tuple[Lying, ...]) -> int:
        """Return the least rest of several hands that are laid off on the same melds."""
        seen: set[object] = set()
        waiting = [(tuple(tuple(sorted(hand)) for hand in hands), table)]
        best = sum(map(self.value, chain(*hands)))
        while waiting:
            state = waiting.pop()
            if state not in seen:
                seen.add(state)
                held, lying = state
                best = min(best, sum(map(self.least_of, held)))
                for i, hand in enumerate(held):
                    for rest, grown in self.moves(hand, lying):
                        waiting.append(((*held[:i], rest, *held[i + 1 :]), grown))
        return best

    def _least_of(self, hand: tuple[str, ...]) -> int:
        """Yield divisions in which the first card stays in hand or is in a meld with others."""
        if not hand:
            return 0
        first, others = hand[0], hand[1:]
        best = self.value(first) + self.least_of(others)
        for size in range(2, len(others) + 1):
            for chosen in combinations(range(len(others)), size):
                if self.is_meld((first, *(others[i] for i in chosen))):
                    left = tuple(card for i, card in enumerate(others) if i not in chosen)
                    best = min(best, self.least_of(left))
        return best

    # --- the table ----------------------------------------------------------------------

    def moves(
        self, hand: tuple[str, ...], table: tuple[Lying, ...]
    ) -> list[tuple[tuple[str, ...], tuple[Lying, ...]]]:
        """Yield the hands and tables after laying off one card."""
        if self.rules.layoff.scope == "none":
            return []
        found = []
        for i, card in enumerate(hand):
            if card == "JK" and not self.rules.deck.jokers:
                continue
            for j, lying in enumerate(table):
                for grown in [*self.covered(card, lying), *self.grown(card, lying)]:
                    found.append(
                        ((*hand[:i], *hand[i + 1 :]), (*table[:j], grown, *table[j + 1 :]))
                    )
        return found

    def covered(self, card: str, lying: Lying) -> list[Lying]:
        """Yield the table after placing the real card on one of the knocker's jokers."""
        if card == "JK" or self.rules.family != "gin" or not self.rules.gin.joker_layon:
            return []
        kind, places = lying
        real = cell(card)
        wanted = real if real in [at for at, _ in places] else (real[0], "?")
        for i, (at, what) in enumerate(places):
            if at == wanted and what.startswith("wild"):
                return [(kind, (*places[:i], (real, card), *places[i + 1 :]))]
        return []

    def grown(self, card: str, lying: Lying) -> list[Lying]:
        """Yield a meld with one more card at an end, and nothing removed."""
        kind, places = lying
        if kind == "rainbow":
            return []
        if kind == "set" and self.free_sets:
            return self.with_any_suit(card, lying)
        found = []
        before = [at for at, _ in places]
        for other_kind, cells in self.targets(len(places) + 1):
            if other_kind != kind:
                continue
            if kind == "set":
                known = [at for at in before if at[1] != "?"]
                if not set(known) < set(cells) or cells[0][0] != before[0][0]:
                    continue
                free = [at for at in cells if at not in known]
            elif before == list(cells[1:]):
                free = [cells[0]]
            elif before == list(cells[:-1]):
                free = [cells[-1]]
            else:
                continue
            for at in free:
                if at == (card != "JK" and cell(card)):
                    what = card
                elif self.is_wild(card):
                    what = f"own {card}"
                else:
                    continue
                lies = dict(places)
                lies[at] = what
                for gap in free:  # what was open is now the suit that is left
                    if gap != at and gap not in lies:
                        lies[gap] = next(w for a, w in places if a[1] == "?")
                new = (kind, tuple((each, lies[each]) for each in cells))
                if self.lies_well(new):
                    found.append(new)
        return found

    def with_any_suit(self, card: str, lying: Lying) -> list[Lying]:
        """Yield a set in which suits do not matter with one more card."""
        rank = lying[1][0][0][0]
        if len(lying[1]) == self.free_sets:
            return []
        if card != "JK" and cell(card)[0] == rank:
            return [("set", tuple(sorted((*lying[1], (cell(card), card)))))]
        if not self.is_wild(card):
            return []
        return [("set", tuple(sorted((*lying[1], ((rank, "?"), f"own {card}")))))]

    def lies_well(self, lying: Lying) -> bool:
        kind, places = lying
        cards = tuple(what.split()[-1] for _, what in places)
        reading = kind, tuple((at, " " in what) for at, what in places)
        return self.stands(reading, cards)

    def lying(self, cards: list[tuple[str, str]], kind: str) -> Lying:
        """Return a meld on the table, of cards and what each stands for (``9H``, ``9?``)."""
        return kind, tuple(
            ((RANKS.index(at[:-1]), at[-1]), card if at == card else f"wild {card}")
            for card, at in cards
        )
